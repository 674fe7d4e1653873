/** Amount of output of a run: -q, --verbose, and the ambiguous -v. */
import { assert, describe, it } from "../../core/test/It.ts"
import { connector, folderWith, gatewayFor } from "./RunningConnector.ts"

const files = ["historical-invoices.csv", "historical-invoices.book.json"] as const
const [sales] = files

describe("the amount of output", () => {
  it.live("is only the result with -q: no progress, no notes, no list of documents", function* () {
    const cwd = yield* folderWith(...files)
    const usual = yield* connector(["plan", sales], { cwd })
    assert.include(usual.out, "INV-0001  ")
    assert.include(usual.err, "Checked against the mapping book alone")
    for (const args of [
      ["plan", sales, "-q"],
      ["plan", "-q", sales],
      ["-q", "plan", sales],
      ["plan", "csv", "--quiet", sales]
    ]) {
      const { code, err, out } = yield* connector(args, { cwd })
      assert.deepStrictEqual([code, err], [0, ""], args.join(" "))
      assert.notInclude(out, "INV-0001  ")
      assert.include(out, "Sums:")
      assert.include(out, "Plan, nothing sent: 46 documents: 46 Planned")
    }
    yield* gatewayFor(cwd)
    const sent = yield* connector(["import", sales, "--config", "account.json", "--quiet"], { cwd })
    assert.strictEqual(sent.code, 0, sent.err)
    assert.notInclude(sent.err, "have their outcome")
    assert.include(sent.out, "46 documents: 46 fiscalised")
  })

  it.live("includes errors and refusals even with -q", function* () {
    const cwd = yield* folderWith("historical-invoices-with-faults.csv", "historical-invoices-with-faults.book.json")
    const faulty = yield* connector(["plan", "historical-invoices-with-faults.csv", "-q"], { cwd })
    assert.strictEqual(faulty.code, 2)
    assert.include(faulty.out, "Refused, by cause:")
    const missing = yield* connector(["plan", "nowhere.csv", "-q"], { cwd })
    assert.deepStrictEqual([missing.code, missing.err], [1, "There is no file nowhere.csv.\n"])
  })

  it.live("includes a line for every change with --verbose", function* () {
    const cwd = yield* folderWith(...files)
    const importing = ["import", sales, "--sandbox"]
    assert.notInclude((yield* connector(importing, { cwd })).err, "is fiscalised")
    const verbose = yield* connector([...importing, "--verbose"], { cwd })
    assert.strictEqual(verbose.code, 0, verbose.err)
    assert.match(verbose.err, /invoice INV-0001 is fiscalised/)
  })

  it.live("is set by one of the two flags, not both", function* () {
    const { code, err } = yield* connector(["list", "-q", "--verbose"])
    assert.deepStrictEqual([code, err], [1, "--quiet says less and --verbose says more: one of them.\n"])
  })

  it.live("is not set by -v, which does not mean version next to a command either", function* () {
    const cwd = yield* folderWith(...files)
    for (const args of [
      ["plan", sales, "-v"],
      ["import", sales, "--sandbox", "-v"],
      ["-v", "health"]
    ]) {
      const { code, err, out } = yield* connector(args, { cwd })
      assert.deepStrictEqual([code, out], [1, ""], args.join(" "))
      assert.strictEqual(
        err,
        "-v can mean two things: --verbose says what is done, --version which version this is. Nothing was done.\n"
      )
    }
    assert.match((yield* connector(["-v"])).out, /^connector v/)
  })
})
