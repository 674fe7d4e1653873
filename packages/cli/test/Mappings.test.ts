import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, connectorProcess, folderWith, gatewayFor, secret } from "./RunningConnector.ts"

const book = "historical-invoices.book.json"
const flagsIn = (cwd: string) => ["--config", join(cwd, "account.json"), "--book", join(cwd, book)]
const planFile = "historical-invoices.book.mappings-plan.json"
const nothing = { account: { taxMappings: [], currencyMappings: [] } }

const start = (options: Parameters<typeof gatewayFor>[1] = nothing) =>
  Effect.gen(function* () {
    const cwd = yield* folderWith(book)
    const sandbox = yield* gatewayFor(cwd, options)
    const mappings = Effect.map(
      Effect.promise(async () => {
        const headers = { "X-Api-Key": "test-key-planted-1f8a", "X-Application": "test", "X-App-Station": "test" }
        const answer = await fetch(`${sandbox.url}/taxmapping`, { headers })
        return (await answer.json()) as ReadonlyArray<{ readonly TaxCode: string; readonly DestinationTaxId: number }>
      }),
      (all) => all.map(({ DestinationTaxId, TaxCode }) => `${TaxCode} ${DestinationTaxId}`)
    )
    return {
      cwd,
      sandbox,
      mappings,
      run: (...args: ReadonlyArray<string>) => connector(["mappings", ...args, ...flagsIn(cwd)])
    }
  })

const all = ["VAT15 1", "VAT155 515", "VAT5 5", "ZERO 2", "EXEMPT 3"]

// slow: a process is started, killed and repeated
describe("connector mappings", () => {
  it.live("plans changes, applies exactly the printed changes, and then finds no changes left", function* () {
    const { cwd, mappings, run } = yield* start()
    const planned = yield* run("plan")
    assert.strictEqual(planned.code, 3, planned.err)
    assert.include(planned.out, "1. map tax code VAT15 (VAT 15 %) to device tax 1")
    assert.strictEqual(statSync(join(cwd, planFile)).mode & 0o777, 0o600)
    assert.notInclude(readFileSync(join(cwd, planFile), "utf8"), secret)
    assert.deepStrictEqual(yield* mappings, [])
    const applied = yield* run("apply")
    assert.strictEqual(applied.code, 0, applied.err)
    assert.deepStrictEqual(yield* mappings, all)
    assert.isFalse(existsSync(join(cwd, planFile)))
    const again = yield* run("plan")
    assert.strictEqual(again.code, 0)
    assert.include(again.out, "Nothing to change for account main.")
    assert.match((yield* run("apply")).err, /connector mappings plan --config \S+account\.json --book \S+book\.json/)
  })

  it.live("continues after a kill during apply, and creates no mapping twice", function* () {
    const { cwd, mappings, run, sandbox } = yield* start()
    yield* run("plan")
    const fault = {
      kind: "latency",
      stage: "after",
      millis: 2000,
      operations: ["addTaxMapping"],
      skip: 2,
      times: 1
    } as const
    yield* sandbox.control.addFault(fault)
    const killed = yield* connectorProcess(["mappings", "apply", ...flagsIn(cwd)], {
      cwd,
      watch: (printed, child) => {
        if (printed.split("done").length > 2) child.kill()
      }
    })
    assert.isNull(killed.code)
    const resumed = yield* run("apply")
    assert.strictEqual(resumed.code, 0, resumed.err)
    assert.include(resumed.out, "already  map tax code VAT15")
    assert.deepStrictEqual(yield* mappings, all)
  })

  it.live("applies nothing if the gateway or the book has changed since the printed plan", function* () {
    const { cwd, mappings, run } = yield* start()
    yield* run("plan")
    const added = ["gateway", "add-tax-mapping", "VAT15", "Other", "2", "--config", join(cwd, "account.json")]
    assert.strictEqual((yield* connector(added)).code, 0)
    const stale = yield* run("apply")
    assert.strictEqual(stale.code, 1)
    assert.include(stale.err, "MAPPING_PLAN_STALE")
    assert.include(stale.err, "tax code VAT15 has been mapped to 2")
    const text = readFileSync(join(cwd, book), "utf8")
    writeFileSync(join(cwd, book), text.replace('"device": 5', '"device": 3'))
    assert.include((yield* run("apply")).err, "says something else than when the plan was made")
    assert.deepStrictEqual(yield* mappings, ["VAT15 2"])
  })

  it.live("refuses to change the target of a code, prints the way out, and applies the other changes", function* () {
    const { mappings, run } = yield* start({ account: { taxMappings: [{ taxCode: "VAT15", destinationTaxId: 2 }] } })
    const planned = yield* run("plan")
    assert.strictEqual(planned.code, 2)
    assert.include(planned.out, "tax code VAT15 is mapped to device tax 2, the book says 1")
    assert.include(planned.out, "Give the new rate a new code")
    assert.strictEqual((yield* run("apply")).code, 0)
    assert.deepStrictEqual(yield* mappings, ["VAT15 2", ...all.slice(1)])
  })

  it.live("deletes mappings missing from the book only on request, and never mappings used by documents", function* () {
    const cwd = yield* folderWith(book, "historical-invoices.csv")
    yield* gatewayFor(cwd)
    const run = (...args: ReadonlyArray<string>) => connector([...args, ...flagsIn(cwd)])
    assert.strictEqual((yield* run("import", "csv", join(cwd, "historical-invoices.csv"))).code, 0)
    const shorter = readFileSync(join(cwd, book), "utf8").replace(/.*"code": "ZERO".*\n/, "")
    writeFileSync(join(cwd, book), shorter)
    const kept = yield* run("mappings", "plan")
    assert.include(kept.out, "MAPPING_EXTRA: tax code ZERO, mapped to device tax 2, is not in the book")
    const told = yield* run("mappings", "plan", "--delete")
    assert.strictEqual(told.code, 2)
    assert.include(told.out, "MAPPING_IN_USE: tax code ZERO is in use")
    assert.notInclude(told.out, "delete mapping")
  })

  it.live(
    "pulls a book that loads after its zone is set, and extends a book without changing its entries",
    function* () {
      const { cwd, run } = yield* start({})
      const fresh = ["mappings", "pull", "--config", join(cwd, "account.json"), "--book", join(cwd, "new.book.json")]
      assert.strictEqual((yield* connector([...fresh, "--zone", "+02:00"])).code, 0)
      const checked = yield* connector(["book", "check", join(cwd, "new.book.json")])
      assert.include(
        checked.out,
        "new.book.json: in order; tax codes VAT15, VAT155, VAT5, ZERO, EXEMPT; currencies USD, ZAR"
      )
      const before = readFileSync(join(cwd, book), "utf8")
      assert.include((yield* run("pull")).out, "it was not changed")
      assert.strictEqual(readFileSync(join(cwd, book), "utf8"), before)
    }
  )
})
