/**
 * Proves that every hold that needs an operator has a working action: through the real command,
 * against a real gateway.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Fiber } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, examples, folderWith, gatewayFor } from "./RunningConnector.ts"

const importing = ["import", "csv", "small.csv", "--config", "account.json"]
const resuming = ["resume", "--config", "account.json"]
const because = ["--because", "seen in the portal"]

const header = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"

/** Writes an export with one invoice per entry, `number date price`. */
const export_ = (cwd: string, ...invoices: ReadonlyArray<string>) => {
  const rows = invoices.map((invoice) => {
    const [number, date, price = "10.00"] = invoice.split(" ")
    return `${number},${date},USD,inclusive,Lamp,1,${price},Standard,85131000`
  })
  writeFileSync(join(cwd, "small.csv"), [header, ...rows].join("\n"))
}

const started = Effect.gen(function* () {
  const cwd = yield* folderWith()
  writeFileSync(join(cwd, "small.book.json"), readFileSync(join(examples, "historical-invoices.book.json")))
  const sandbox = yield* gatewayFor(cwd)
  const run = (...args: ReadonlyArray<string>) => connector(args, { cwd })
  const receipts = Effect.map(sandbox.control.accepted, (all) =>
    all.map(({ number, receipts }) => `${number} ${receipts}`)
  )
  // Without RCPT041, the length of the day: the imported documents are months old.
  const marks = Effect.map(
    sandbox.control.coloured,
    (all) => new Set(all.flatMap(({ marks }) => marks.map(({ code }) => code)))
  )
  return { cwd, run, sandbox, receipts, marks }
})

const cut = { kind: "drop", stage: "before", times: 1, operations: ["submitInvoice"] } as const

describe("a document", () => {
  it.live("that an operator settled as not processed is sent by the next import", function* () {
    const { cwd, receipts, run, sandbox } = yield* started
    export_(cwd, "INV-1 2026-03-02")
    yield* sandbox.control.addFault(cut)
    assert.strictEqual((yield* run(...importing)).code, 3)
    const settled = yield* run("resolve", "INV-1", "--not-processed", "--although-recent", ...because)
    assert.strictEqual(settled.code, 0, settled.err)
    const again = yield* run(...importing)
    assert.strictEqual(again.code, 0, again.out + again.err)
    assert.deepStrictEqual(yield* receipts, ["INV-1 1"])
  })

  it.live("rejected as the last one is corrected in the source, and sent by the next import", function* () {
    const { cwd, marks, receipts, run, sandbox } = yield* started
    export_(cwd, "INV-1 2026-03-02", "INV-2 2026-03-03")
    yield* sandbox.control.addFault({ kind: "reject", times: 1, documents: ["INV-2"] })
    assert.strictEqual((yield* run(...importing)).code, 2)
    export_(cwd, "INV-1 2026-03-02", "INV-2 2026-03-03 11.00")
    const again = yield* run(...importing)
    assert.strictEqual(again.code, 0, again.out + again.err)
    assert.deepStrictEqual(yield* receipts, ["INV-1 1", "INV-2 1"])
    assert.deepStrictEqual([...(yield* marks)], ["RCPT041"])
  })

  it.live(
    "that an operator sends although it is late gets a new date, even if it is imported several times before its turn",
    function* () {
      const { cwd, marks, receipts, run, sandbox } = yield* started
      export_(cwd, "INV-8 2026-03-08")
      assert.strictEqual((yield* run(...importing)).code, 0)
      export_(cwd, "INV-1 2026-03-02", "INV-9 2026-03-09")
      yield* sandbox.control.addFault(cut)
      const held = yield* run(...importing)
      assert.include(held.out, "another receipt that may have reached the device: INV-8")
      const released = yield* run("resolve", "INV-1", "--resend", ...because)
      assert.strictEqual(released.code, 0, released.err)
      assert.strictEqual((yield* run(...importing)).code, 3)
      const settled = yield* run("resolve", "INV-9", "--not-processed", "--although-recent", ...because)
      assert.strictEqual(settled.code, 0, settled.err)
      const again = yield* run(...importing)
      assert.strictEqual(again.code, 0, again.out + again.err)
      assert.deepStrictEqual(yield* receipts, ["INV-8 1", "INV-9 1", "INV-1 1"])
      assert.deepStrictEqual([...(yield* marks)], ["RCPT041"])
    }
  )

  it.live("with a wrong request id is reported by explain and health, and can be corrected", function* () {
    const { cwd, run, sandbox } = yield* started
    export_(cwd, "INV-1 2026-03-02")
    yield* sandbox.control.addFault({ ...cut, stage: "after" })
    assert.strictEqual((yield* run(...importing)).code, 3)
    const named = yield* run("resolve", "INV-1", "--accepted", "wrong-1", ...because)
    assert.strictEqual(named.code, 0, named.err)
    let interrupt = () => {}
    const asking = yield* Effect.forkChild(
      connector(resuming, { cwd, watch: (_, child) => (interrupt = child.interrupt) })
    )
    const health = yield* Effect.repeat(run("health"), { until: ({ out }) => out.includes("UNANSWERED") })
    interrupt()
    assert.strictEqual((yield* Fiber.join(asking)).code, 130)
    assert.strictEqual(health.code, 3)
    assert.match(health.out, /UNANSWERED .*INV-1 \(request id wrong-1, entered by an operator; asked for/)
    assert.include(
      (yield* run("explain", "INV-1")).out,
      "request id wrong-1, entered by an operator; no status has mentioned it yet"
    )
    const [{ requestIds } = { requestIds: [] }] = yield* sandbox.control.accepted
    const corrected = yield* run("resolve", "INV-1", "--accepted", requestIds[0]!, ...because)
    assert.strictEqual(corrected.code, 0, corrected.err)
    const resumed = yield* run(...resuming)
    assert.strictEqual(resumed.code, 0, resumed.out + resumed.err)
    assert.include((yield* run("explain", "INV-1")).out, "invoice INV-1: Fiscalised")
  })
})
