/**
 * Full use of the connector in a shop, from the first call to the PDFs, in a folder whose name
 * needs quotes. Every command after the first was printed by an earlier one.
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect, Schedule } from "effect"
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, type Ended, examples, folderWith, gatewayFor } from "../../packages/cli/test/RunningConnector.ts"
import { commandsIn, pasted, pastedWithReason } from "../../packages/cli/test/PrintedCommands.ts"

const shop = "My Shop (2026)"

const columns =
  "Kind,InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,OriginalInvoice,Reason"

// Day in the zone of the device: after midnight there, UTC is still on the day before.
const today = new Date(Date.now() + 2 * 3_600_000).toISOString().slice(0, 10)

/** The last invoice has an unknown tax. */
const sales = [
  columns,
  `invoice,INV-1,${today},USD,inclusive,Lamp,1,10.00,Standard,85131000,,`,
  `invoice,INV-2,${today},USD,inclusive,Bread,2,1.20,Zero,19059090,,`,
  `credit-note,CN-1,${today},USD,inclusive,Lamp,1,10.00,Standard,85131000,INV-1,broken`,
  `invoice,INV-3,${today},USD,inclusive,Lamp,3,10.00,Luxury,85131000,,`
].join("\n")

/** Returns the only printed command that matches. */
const printedBy = ({ err, out }: Ended, pattern: RegExp): string => {
  const found = commandsIn(`${out}\n${err}`).filter((line) => pattern.test(line))
  assert.lengthOf(found, 1, `${pattern} in\n${out}\n${err}`)
  return found[0]!
}

describe("the life of a shop, from the first call to the PDFs", () => {
  it.live("uses only commands that earlier commands printed", function* () {
    const cwd = yield* folderWith()
    const folder = join(cwd, shop)
    mkdirSync(folder)
    const sandbox = yield* gatewayFor(folder, { account: { taxMappings: [], currencyMappings: [] } })
    writeFileSync(join(folder, "sales.csv"), sales)
    const run = Effect.fnUntraced(function* (line: string, code: number) {
      const ended = yield* pastedWithReason(line, cwd)
      assert.strictEqual(ended.code, code, `${line}\n${ended.out}\n${ended.err}`)
      return ended
    })

    const answers = ["--base-url", sandbox.url, "--application", "test", "--station", "test", "--zone", "+02:00"]
    const secrets = ["--key-file", `${shop}/key`, "--secret-file", `${shop}/secret`]
    const begun = yield* connector(["init", `${shop}/sales.csv`, ...answers, ...secrets], { cwd })
    assert.strictEqual(begun.code, 0, begun.err)
    const plan = printedBy(begun, /^connector plan csv/)

    // The book is filled in; the gateway has no mappings yet.
    copyFileSync(join(examples, "historical-invoices.book.json"), join(folder, "sales.book.json"))
    const examined = yield* run(printedBy(begun, /^connector doctor/), 1)
    const compared = yield* run(printedBy(examined, /^connector mappings plan/), 3)
    yield* run(printedBy(compared, /^connector mappings apply/), 0)

    const planned = yield* run(plan, 2)
    assert.match(planned.out, /TAX_UNMAPPED[^]*INV-3/)
    const import_ = printedBy(planned, /^connector import csv/)

    // The answer to the first document is lost after the document was taken.
    yield* sandbox.control.addFault({ kind: "drop", stage: "after", times: 1, operations: ["submitInvoice"] })
    const cut = yield* run(import_, 3)
    assert.match(cut.out, /INV-1 .*Unknown/)
    const explained = yield* run(printedBy(cut, /^connector explain/), 0)
    assert.include(explained.out, "invoice INV-1: Unknown")

    const [{ requestIds } = { requestIds: [] }] = yield* sandbox.control.accepted
    const accepted = printedBy(cut, /^connector resolve .*--accepted/).replace("REQUEST_ID", requestIds[0]!)
    const resolved = yield* run(accepted, 0)
    const resumed = yield* run(printedBy(resolved, /^connector resume/), 3)
    assert.match(resumed.out, /INV-1 +Fiscalised[^]*IMPORT_REFUSED[^]*INV-3/)

    yield* sandbox.control.closeDay()
    const days = yield* run(printedBy(resumed, /^connector z-reports/), 0)
    const day = yield* run(printedBy(days, /^connector z-reports .*--day 1/), 0)
    assert.include(day.out, "Beside 3 documents that the store has for this day.")

    // The user corrects the refused row in its file.
    const refused = join(folder, "sales.refused.csv")
    writeFileSync(refused, readFileSync(refused, "utf8").replace("Luxury", "Standard"))
    // All documents are of today and each needs a separate second, so a refusal tells the user to
    // import again later.
    const corrected = yield* Effect.repeat(pasted(printedBy(cut, /^connector import csv .*refused\.csv/), cwd), {
      while: ({ out }) => out.includes("DATE_HAS_NO_ROOM"),
      schedule: Schedule.spaced("200 millis")
    })
    assert.strictEqual(corrected.code, 0, corrected.out)
    assert.include(corrected.out, "1 document: 1 fiscalised")
    writeFileSync(join(folder, "sales.csv"), sales.replace("Luxury", "Standard"))
    const again = yield* run(import_, 0)
    assert.include(again.out, "4 documents: 4 already fiscalised")
    assert.match(again.out, /INV-1 +walk-in +USD 10\.00 +Fiscalised/)
    assert.match(again.out, /Fiscalised +USD +3 invoices +37\.03 +5\.37 +42\.40/)

    const open = yield* run(printedBy(resolved, /^connector resume/), 0)
    assert.match(open.out, /Nothing is open/)

    yield* run(printedBy(corrected, /^connector pdf/), 0)
    assert.deepStrictEqual(readdirSync(join(cwd, "pdf")).toSorted(), [
      "CN-1.credit-note.pdf",
      "INV-1.pdf",
      "INV-2.pdf",
      "INV-3.pdf"
    ])
    const counts = (yield* sandbox.control.accepted).map(({ accepted }) => accepted)
    assert.deepStrictEqual(counts, [1, 1, 1, 1])
  })
})
