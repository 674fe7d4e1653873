/**
 * A device that states no taxes: nothing is sent until an operator accepts the gap, and the
 * acceptance ends once the taxes are back.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { connector, folderWith, gatewayFor, lines, taxes } from "./RunningConnector.ts"

const files = ["historical-invoices.csv", "historical-invoices.book.json"]
const importing = ["import", "csv", "historical-invoices.csv", "--config", "account.json"]
const accepting = ["account", "accept-unknown", "taxes", "--config", "account.json"]

// slow: imports while a fact is missing, present and missing again
describe("a fact that the gateway does not state", () => {
  it.live(
    "holds the documents that need it until the operator accepts it as unknown, and the acceptance ends when the fact returns",
    function* () {
      const cwd = yield* folderWith(...files)
      const sandbox = yield* gatewayFor(cwd, { device: { taxes: [] } })
      const refused = yield* connector(importing, { cwd })
      assert.strictEqual(refused.code, 2, refused.err)
      assert.include(refused.out, "FACT_MISSING")
      assert.include(refused.out, "connector account accept-unknown taxes")
      assert.strictEqual((yield* sandbox.control.accepted).length, 0)

      const silent = yield* connector([...accepting, "--because", " "], { cwd })
      assert.strictEqual(silent.code, 1)
      const accepted = yield* connector([...accepting, "--because", "the portal shows them"], { cwd })
      assert.strictEqual(accepted.code, 0, accepted.err)
      const { out: audit } = yield* connector(["audit", "--config", "account.json", "--json"], { cwd })
      const decisions = lines(audit).map(({ act, because, subject }) => [act, subject, because])
      assert.deepInclude(decisions, ["accept-unknown", "taxes", "the portal shows them"])

      const planned = yield* connector(["plan", ...importing.slice(1)], { cwd })
      assert.match(planned.err, /FACT_ACCEPTED[^]*the portal shows them/)
      assert.notInclude(planned.out, "FACT_MISSING")

      yield* sandbox.control.changeDevice({ taxes })
      const sent = yield* connector(importing, { cwd })
      assert.strictEqual(sent.code, 0, sent.err)
      assert.notInclude(sent.err, "FACT_ACCEPTED")

      yield* sandbox.control.changeDevice({ taxes: [] })
      const again = yield* connector(["plan", ...importing.slice(1)], { cwd })
      assert.notInclude(again.err, "FACT_ACCEPTED")
    }
  )
})

describe("a batch that spans more than one fiscal day", () => {
  it.live("shows before sending how many receipts the device will mark", function* () {
    const cwd = yield* folderWith(...files)
    const sandbox = yield* gatewayFor(cwd)
    const planned = yield* connector(["plan", ...importing.slice(1)], { cwd })
    const foretold = Number(/will mark (\d+) receipts/.exec(planned.err)?.[1])
    assert.strictEqual((yield* connector(importing, { cwd })).code, 0)
    const marks = (yield* sandbox.control.coloured).filter(({ marks }) => marks.some(({ code }) => code === "RCPT041"))
    assert.isAbove(foretold, 0)
    assert.strictEqual(foretold, marks.length)
  })
})
