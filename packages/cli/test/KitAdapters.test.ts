/** The adapters of the kit that come with the command: what the README shows of them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { called } from "./CalledConnector.ts"

const examples = join(import.meta.dirname, "../../../examples")

const systems = [
  {
    format: "quickbooks-like",
    flags: ["--tin", "BusinessNumber", "--vat-number", "ResaleNum", "--product-code", "item-name"],
    ended: "7 documents: 4 fiscalised, 3 skipped",
    drafted: "2 taxes, 1 currency, 1 payment method"
  },
  {
    format: "odoo-like",
    flags: ["--tin", "company_registry", "--vat-number", "vat", "--product-code", "default-code"],
    ended: "6 documents: 3 fiscalised, 3 skipped",
    drafted: "3 taxes, 1 currency"
  }
] as const

describe.each(systems)("$format", ({ drafted, ended, flags, format }) => {
  const file = join(examples, `${format}.json`)

  it.live("goes from its example to receipts, and plans the same", () =>
    Effect.gen(function* () {
      const { code, err, out } = yield* called("import", format, file, ...flags, "--sandbox")
      assert.strictEqual(code, 0, err)
      assert.include(out, ended)
      const plan = yield* called("plan", format, file, ...flags)
      assert.strictEqual(plan.code, 0, plan.err)
      assert.notInclude(plan.out, "Refused")
    })
  )

  it.live("drafts a book, and names the command where there is none", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "kit-adapters-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
      const book = join(folder, "x.book.json")
      const draft = yield* called("book", "draft", format, file, ...flags, "--book", book)
      assert.include(draft.out, drafted, draft.err)
      assert.isTrue(existsSync(book) && readFileSync(book, "utf8").includes('"USD"'))
      const missing = yield* called("import", format, file, ...flags, "--book", join(folder, "y.json"), "--sandbox")
      assert.match(missing.err, new RegExp(`connector book draft ${format} .* --tin `))
    }).pipe(Effect.scoped)
  )

  it.live("says by its flag what an option cannot be", () =>
    Effect.gen(function* () {
      const { code, err } = yield* called("plan", format, file, "--tin", "shoe-size")
      assert.strictEqual(code, 1)
      assert.match(err, /^--tin: /)
    })
  )
})
