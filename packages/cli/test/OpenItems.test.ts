/**
 * Proves that an import or a resume with open documents states the reason and the action for each
 * cause.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { DateTime } from "effect"
import type { LaneEnd } from "../../core/src/sending/LaneRun.ts"
import * as Call from "../src/output/Call.ts"
import * as OpenItems from "../src/import/OpenItems.ts"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const importing = ["import", "csv", "historical-invoices.csv", "--config", "account.json"]
const key = { account: "main", kind: "invoice", id: "INV-1" } as never
const at = DateTime.makeUnsafe("2026-01-10T13:00:00Z")
const call = Call.make(importing)

const ends: Readonly<Record<string, { readonly end: LaneEnd; readonly next: ReadonlyArray<string> }>> = {
  ...Object.fromEntries(
    (["credentials", "device-refuses"] as const).map((cause) => [
      cause,
      { end: { _tag: "Stopped", stop: { cause, text: "said", retryAt: at } }, next: ["doctor", "resume"] }
    ])
  ),
  ...Object.fromEntries(
    (["not-found", "misdirected", "limited", "not-sent", "clock"] as const).map((cause) => [
      cause,
      { end: { _tag: "Stopped", stop: { cause, text: "said", retryAt: at } }, next: ["resume"] }
    ])
  ),
  "mark-in-future": {
    end: { _tag: "Stopped", stop: { cause: "mark-in-future", text: "said", retryAt: at } },
    next: ["doctor"]
  },
  busy: { end: { _tag: "Busy", holder: "worker", until: at }, next: ["health", "resume"] },
  outcome: { end: { _tag: "Waiting", wait: { for: "outcome", key } }, next: ["resume"] },
  sending: { end: { _tag: "Waiting", wait: { for: "sending", key } }, next: ["resume"] },
  clock: { end: { _tag: "Waiting", wait: { for: "clock", key, until: at } }, next: ["resume"] },
  unknown: { end: { _tag: "Waiting", wait: { for: "unknown", key } }, next: ["explain INV-1", "resume"] },
  original: {
    end: { _tag: "Waiting", wait: { for: "original", key, original: key } },
    next: ["explain INV-1", "resume"]
  }
}

describe("an open item", () => {
  for (const [name, { end, next }] of Object.entries(ends)) {
    it(`is printed with its next command: ${name}`, () => {
      const said = OpenItems.report({ lanes: [{ lane: "test/1001", attempts: 0, end }], problems: [] }, call)
      assert.match(said, /^Not every document was fiscalised:\n {2}lane test\/1001 .+\n {4}→ ./)
      assert.deepStrictEqual(
        said.split("\n").flatMap((line) => /^ {6}(connector .*)$/.exec(line)?.[1] ?? []),
        next.map((command) => `connector ${command} --config account.json`)
      )
    })
  }

  it("is not printed for a drained lane", () =>
    assert.strictEqual(
      OpenItems.report({ lanes: [{ lane: "test/1001", attempts: 3, end: { _tag: "Drained" } }], problems: [] }, call),
      ""
    ))

  it("names the account if its outcomes could not be requested", () => {
    const said = OpenItems.report({ lanes: [], problems: [{ account: "main", what: "not-asked", text: "503" }] }, call)
    assert.include(said, "the outcomes of the account main could not be asked for: 503")
    assert.include(said, "connector doctor --config account.json")
  })

  it("names the account and the mismatch if its outcomes could not be read", () => {
    const problem = "Check Status: a result could not be read: Success: expected a boolean"
    const said = OpenItems.report({ lanes: [], problems: [{ account: "main", what: "not-read", text: problem }] }, call)
    assert.include(said, `outcomes of the account main could not be read: ${problem} (ANSWER_MISFIT)`)
    assert.include(said, "connector resume --config account.json")
  })

  it.live("for a key refused halfway is printed by this import, the next import and resume", function* () {
    const cwd = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
    const { control } = yield* gatewayFor(cwd)
    yield* control.addFault({ kind: "error", status: 401, skip: 2, operations: ["submitInvoice"] })
    const because =
      /Not every document was fiscalised:\n {2}lane test\/1001 is stopped \(credentials\): .*\(401\).*\n {4}→ Correct the key, the secret, the application or the station, then resume sending\.\n {6}connector doctor --config account\.json\n {6}connector resume --config account\.json\n/
    for (const command of [importing, importing]) {
      const { code, err, out } = yield* connector(command, { cwd })
      assert.strictEqual(code, 3, out + err)
      assert.match(out, because)
    }
    const resumed = yield* connector(["resume", "--config", "account.json"], { cwd })
    assert.strictEqual(resumed.code, 3)
    assert.match(
      resumed.out,
      /What needs attention:\n\nSTOPPED test\/1001: device 1001 is stopped \(credentials\): .*\n {4}since .*\n {4}connector doctor --config account\.json --account main\n {4}connector resume --config account\.json\n/
    )
    // A planned document states the reason for the blocked lane, and does not promise to
    // continue.
    const [planned] = lines(
      (yield* connector(["list", "--config", "account.json", "--state", "Planned", "--json"], { cwd })).out
    )
    const explained = yield* connector(["explain", String(planned!["number"]), "--config", "account.json"], { cwd })
    assert.match(
      explained.out,
      /\nNext\n {2}connector doctor --config account\.json --account main\n {2}connector resume --config account\.json\n/
    )
    const { out } = yield* connector([...importing, "--json"], { cwd })
    const summary = lines(out).at(-1)!
    assert.deepInclude((summary["lanes"] as ReadonlyArray<object>)[0], {
      lane: "test/1001",
      end: "stopped",
      for: "credentials"
    })
  })
})
