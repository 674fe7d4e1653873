/** Ctrl-C before any document is sent. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith } from "./RunningConnector.ts"

const row = (n: number) => `INV-${n},2026-02-03,USD,inclusive,Lamp,1,10.00,Standard`
const header = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode"

/** Long enough for an interruption in the middle. */
const many = [header, ...Array.from({ length: 3000 }, (_, n) => row(n))].join("\n")

const folder = Effect.gen(function* () {
  const cwd = yield* folderWith("historical-invoices.book.json")
  mkdirSync(join(cwd, "sales"))
  writeFileSync(join(cwd, "sales/many.csv"), `${many}\n`)
  // This file is reported as skipped, which is the first output.
  writeFileSync(join(cwd, "sales/notes.md"), "")
  return cwd
})

/** Runs a command and presses Ctrl-C at its first output. */
const interrupted = (args: ReadonlyArray<string>, cwd: string) =>
  connector(args, { cwd, watch: (_, { interrupt }) => interrupt() })

describe("Ctrl-C", () => {
  it.live("during a plan reports that nothing was sent and nothing was written", function* () {
    const cwd = yield* folder
    const before = readdirSync(cwd)
    const plan = ["plan", "sales", "--book", "historical-invoices.book.json"]
    const { code, err, out } = yield* interrupted(plan, cwd)
    assert.deepStrictEqual([code, out], [130, ""], err)
    assert.include(err, "\nInterrupted. Nothing was sent, and nothing was written.\n")
    assert.deepStrictEqual(readdirSync(cwd), before)
  })

  it.live("during the planning of an import reports that no document of the files was sent", function* () {
    const cwd = yield* folder
    const importing = ["import", "sales", "--book", "historical-invoices.book.json", "--sandbox"]
    const { code, err, out } = yield* interrupted(importing, cwd)
    assert.deepStrictEqual([code, out], [130, ""], err)
    assert.include(err, "\nInterrupted before anything of the files was accepted: nothing of them is sent.")
  })
})
