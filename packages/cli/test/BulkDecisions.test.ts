/**
 * One decision for many documents: shown first, confirmed by the number of documents, recorded with
 * the reason for each.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { commandsIn, pasted, pastedWithReason } from "./PrintedCommands.ts"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const config = ["--config", "account.json"]
const importing = ["import", "csv", "historical-invoices.csv", ...config]

/** Returns a folder with 46 planned documents, and a lane stopped before all of them. */
const planned = Effect.gen(function* () {
  const cwd = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
  const { control } = yield* gatewayFor(cwd)
  yield* control.addFault({ kind: "error", status: 401, operations: ["submitInvoice"] })
  yield* connector(importing, { cwd })
  return { cwd, control }
})

const states = (cwd: string) =>
  Effect.map(connector(["list", ...config, "--json"], { cwd }), ({ out }) => {
    const counts: Record<string, number> = {}
    for (const { state } of lines(out)) counts[String(state)] = (counts[String(state)] ?? 0) + 1
    return counts
  })

describe("a decision about many documents", () => {
  it.live("is shown first, changes nothing until its count is confirmed, and is one command for all documents", () =>
    Effect.gen(function* () {
      const { cwd } = yield* planned
      const because = `sent by hand in the portal ${"because the till was away ".repeat(10)}`.trim()
      const { code, out } = yield* connector(["withdraw", "--import", "1", ...config, "--because", because], { cwd })
      assert.strictEqual(code, 3)
      assert.isTrue(
        out.startsWith(`46 documents would be decided about (Withdrawn), with the reason: ${because}\n`),
        out.slice(0, 500)
      )
      assert.deepStrictEqual(yield* states(cwd), { Planned: 46 })
      const [command = ""] = commandsIn(out)
      assert.match(command, /--confirm 46/)
      const done = yield* pasted(command, cwd)
      assert.strictEqual(done.code, 0, done.err)
      assert.deepStrictEqual(yield* states(cwd), { Withdrawn: 46 })
      const { out: explained } = yield* connector(["explain", "INV-0007", ...config], { cwd })
      assert.include(explained, because)
      // A reason is not shortened if the output is not a terminal.
      assert.include((yield* connector(["audit", ...config], { cwd })).out, because)
    }).pipe(Effect.scoped)
  )

  it.live("reads numbers from standard input, and refuses an unknown number or an outdated count", () =>
    Effect.gen(function* () {
      const { cwd } = yield* planned
      const args = ["withdraw", "-", ...config, "--because", "not ours"]
      const unknown = yield* connector(args, { cwd, input: "INV-0001\nINV-9999\n" })
      assert.deepStrictEqual([unknown.code, unknown.err.includes("INV-9999")], [1, true])
      const input = "INV-0001\nINV-0002\n\nINV-0002\n"
      const other = yield* connector([...args, "--confirm", "3"], { cwd, input })
      assert.strictEqual(other.code, 3)
      assert.include(other.err, "2 documents are meant now, and 3 were confirmed")
      assert.deepStrictEqual(yield* states(cwd), { Planned: 46 })
      assert.strictEqual((yield* connector([...args, "--confirm", "2"], { cwd, input })).code, 0)
      assert.deepStrictEqual(yield* states(cwd), { Planned: 44, Withdrawn: 2 })
      const fit = yield* connector(["resolve", "--state", "Planned", ...config, "--not-processed", "--because", "x"], {
        cwd
      })
      assert.include(fit.err, "the decision fits none of the 44 documents as they are now")
    }).pipe(Effect.scoped)
  )

  it.live("sends documents that failed for one cause again, by the command that health prints", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
      const { control } = yield* gatewayFor(cwd)
      yield* control.addFault({ kind: "reject", documents: ["INV-0007", "INV-0011"] })
      yield* connector(importing, { cwd })
      assert.deepStrictEqual(yield* states(cwd), { Fiscalised: 44, Rejected: 2 })
      const health = yield* connector(["health", ...config], { cwd })
      const printed = commandsIn(health.out).find((command) => command.includes("--resend"))
      assert.match(printed!, /--state Rejected --cause/)
      const shown = yield* pastedWithReason(printed!, cwd)
      assert.include(shown.out, "2 documents would be decided about (Resend)", shown.err)
      const confirmed = commandsIn(shown.out).find((command) => command.includes("--confirm 2"))
      const done = yield* pasted(confirmed!, cwd)
      assert.include(done.out, "Rejected → Planned", done.err)
    }).pipe(Effect.scoped)
  )
})
