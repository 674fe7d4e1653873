/**
 * Sales invoices as ERPNext's Data Export writes them: worked examples of ERPNext's arithmetic,
 * with the customer's charges.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connector } from "./RunningConnector.ts"

const fixture = join(import.meta.dirname, "../../adapter-csv/fixtures/golden/erpnext-tax-rows/input.csv")

const book = (rounding: "per-group" | "as-inclusive") => `{
  "version": 1,
  "zone": "+02:00",
  "rounding": "${rounding}",
  "taxes": [
    { "from": ["VAT - EX"], "code": "VAT15", "device": 1, "percent": "15" },
    { "from": ["Std - EX"], "code": "VAT155", "device": 515, "percent": "15.5" },
    { "from": ["Zero - EX"], "code": "ZERO", "device": 2, "percent": "0" }
  ],
  "currencies": [{ "from": ["USD"], "code": "USD", "device": "USD" }],
  "defaults": { "payment": null, "productCode": "12345678", "creditReason": "Returned", "cashBuyer": "Cash {name}" },
  "policies": { "charges": "as-line" }
}`

const planned = (rounding: "per-group" | "as-inclusive", ...flags: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "erpnext-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
    const file = join(folder, "sales.csv")
    copyFileSync(fixture, file)
    writeFileSync(join(folder, "sales.book.json"), book(rounding))
    return yield* connector(["plan", "csv", file, ...flags])
  }).pipe(Effect.scoped)

/** Returns total and state of each planned document. */
const rowsOf = (out: string) =>
  Object.fromEntries(
    [...out.matchAll(/^(EX-\S+) .*? USD +(\S+) +Planned/gm)].map(([, number, total]) => [number, total])
  )

const charged = {
  "EX-A": "279.97",
  "EX-B": "116.60",
  "EX-C": "103.50",
  "EX-D": "52.33",
  "EX-D-RET": "52.32",
  "EX-E": "138.00",
  "EX-OLD": "310.00",
  "EX-ID": "103.50"
}

describe("an export of ERPNext with its tax rows", () => {
  it.live("plans every sale with the amount that the customer was charged, without questions", function* () {
    const { code, out } = yield* planned("as-inclusive", "--debit-notes", "skip")
    assert.strictEqual(code, 0, out)
    assert.deepStrictEqual(rowsOf(out), charged)
    assert.notInclude(out, "Refused")
    for (const [number, reason] of [
      ["EX-OPEN", "opening entry"],
      ["EX-CONS", "consolidated invoice"],
      ["EX-INT", "internal transfer"],
      ["EX-DEB", "debit note"]
    ])
      assert.match(out, new RegExp(`1 × ${reason}.*: ${number}`))
  })

  it.live("refuses a debit note and offers the two decisions", function* () {
    const { code, out } = yield* planned("as-inclusive")
    assert.strictEqual(code, 2)
    assert.include(out, "CSV_DEBIT_NOTE")
    const { code: decided, out: sent } = yield* planned("as-inclusive", "--debit-notes", "invoice")
    assert.strictEqual(decided, 0, sent)
    assert.deepStrictEqual(rowsOf(sent), { ...charged, "EX-DEB": "115.00" })
  })

  it.live("suggests the rounding setting of the book for a return with a tie rounded up", function* () {
    const { out } = yield* planned("per-group", "--debit-notes", "skip")
    const { "EX-D-RET": _, ...others } = charged
    assert.deepStrictEqual(rowsOf(out), others)
    assert.include(out, "set `rounding` of the mapping book to `as-inclusive`")
  })
})
