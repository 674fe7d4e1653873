/** Times for readers: each output has one zone, and names the zone. */
import { assert, describe, it } from "../../core/test/It.ts"
import { connector, folderWith, gatewayFor } from "./RunningConnector.ts"

const files = ["historical-invoices.csv", "historical-invoices.book.json"]
const account = ["--config", "account.json"]

/** Time of day beside its date. */
const times = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?<own>Z|[+-]\d\d:\d\d)?/g

describe("printed times", () => {
  it.live("are the times of the receipts in every output, in any time zone of the machine", function* () {
    const cwd = yield* folderWith(...files)
    const { control } = yield* gatewayFor(cwd)
    yield* control.addFault({ kind: "reject", documents: ["INV-0003"], error: "RCPT026: tax wrong" })
    const env = { COLUMNS: "200", TZ: "UTC" }
    const run = (...args: ReadonlyArray<string>) => connector([...args, ...account], { cwd, env })
    const imported = yield* run("import", files[0]!)
    assert.include(imported.out, "Date (+02:00)")
    yield* run("withdraw", "INV-0003", "--because", "a test")
    for (const [args, title] of [
      [["plan", files[0]!], "Date (+02:00)"],
      [["list"], "Since (+02:00)"],
      [["list"], "Receipt date (+02:00)"],
      [["explain", "INV-0003"], "Timeline (+02:00)"],
      [["imports"], "At (+02:00)"],
      [["audit"], "When (+02:00)"]
    ] as const) {
      const { out } = yield* run(...args)
      assert.include(out, title, args.join(" "))
      for (const [time, own] of out.matchAll(times)) assert.isUndefined(own, `${args[0]}: ${time}`)
    }
    const listed = yield* run("list", "--search", "INV-0021")
    assert.include(listed.out, "2026-01-01 08:00:01")
  })
})
