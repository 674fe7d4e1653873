/**
 * An operator has settled the differences in the source: the same files imported again end with 0.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor } from "./RunningConnector.ts"

const header = "InvoiceNumber,InvoiceDate,Status,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
const row = (number: string, price: string, status = "issued") =>
  `${number},2026-02-03,${status},USD,inclusive,Lamp,1,${price},Standard,94052090`

describe("a difference between the export and a sent document", () => {
  it.live("is shown and ends an import with 2 until an operator has settled this exact difference", function* () {
    const cwd = yield* folderWith("historical-invoices.book.json")
    yield* gatewayFor(cwd)
    const write = (...rows: ReadonlyArray<string>) =>
      writeFileSync(join(cwd, "sales.csv"), `${[header, ...rows].join("\n")}\n`)
    const account = ["--config", "account.json"]
    const book = ["--book", "historical-invoices.book.json"]
    const run = (command: string) => connector([command, "sales.csv", ...account, ...book], { cwd })
    const acknowledge = (number: string) =>
      connector(["resolve", number, "--acknowledged", "--because", "credited", ...account], { cwd })
    write(row("S-1", "10.00"), row("S-2", "20.00"), row("S-3", "30.00"))
    const first = yield* run("import")
    assert.strictEqual(first.code, 0, first.err + first.out)

    write(row("S-1", "12.00"), row("S-2", "20.00", "void"), row("S-3", "30.00"))
    for (const command of ["plan", "import"]) {
      const { code, out } = yield* run(command)
      assert.strictEqual(code, 2, out)
      assert.include(out, "DIFFERS_FROM_SENT")
      assert.include(out, "CANCELLED_AFTER_SENDING")
    }
    assert.strictEqual((yield* acknowledge("S-1")).code, 0)
    assert.strictEqual((yield* acknowledge("S-2")).code, 0)
    for (const command of ["plan", "import", "import"]) {
      const { code, err, out } = yield* run(command)
      assert.strictEqual(code, 0, err + out)
      for (const finding of ["DIFFERS_FROM_SENT", "CANCELLED_AFTER_SENDING"]) assert.notInclude(out, finding)
    }

    // Another difference needs another decision.
    write(row("S-1", "13.00"), row("S-2", "20.00", "void"), row("S-3", "30.00"))
    const other = yield* run("import")
    assert.strictEqual(other.code, 2, other.out)
    assert.include(other.out, "DIFFERS_FROM_SENT")
    assert.notInclude(other.out, "CANCELLED_AFTER_SENDING")
  })
})
