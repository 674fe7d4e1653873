import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const book = "historical-invoices.book.json"
const run = (mode: string, ...more: ReadonlyArray<string>) => [
  mode,
  "csv",
  "historical-invoices.csv",
  "--config",
  "account.json",
  ...more
]

/** Removes a tax, a currency and a payment method from the example's book. */
const lackingBook = (cwd: string) => {
  const text = readFileSync(join(cwd, book), "utf8")
    .replace('"Reduced", "TAX001"', '"TAX001"')
    .replace('"from": ["R"], "code": "ZAR"', '"from": ["R"], "code": "RAND"')
    .replace('"from": ["cash"]', '"from": ["money"]')
  writeFileSync(join(cwd, book), text)
}

describe("a spelling missing from the mapping book", () => {
  it.live(
    "is shown once with its documents, the taxes of the device, and the entry to write into the book",
    function* () {
      const cwd = yield* folderWith(book, "historical-invoices.csv")
      yield* gatewayFor(cwd)
      lackingBook(cwd)
      const { code, out } = yield* connector(run("plan"), { cwd })
      assert.strictEqual(code, 2)
      assert.match(out, /tax +Reduced +2025-11-22 to 2026-02-05 +20 +INV-0002, INV-0005, INV-0006, …/)
      assert.match(out, /currency +ZAR +16 +INV-0004/)
      assert.match(out, /payment method +cash +10 +INV-0001/)
      assert.match(out, /515 +VAT 15\.5 % +15\.5 % +2026-01-01 +VAT155\n/)
      assert.include(out, "The device's currencies: USD, ZAR")
      assert.include(out, '  taxes       { "from": ["Reduced"], "code": "Reduced", "device": "", "percent": "" }')
      assert.include(out, '  currencies  { "from": ["ZAR"], "code": "ZAR", "device": "ZAR" }')
      assert.include(out, '  payments    { "from": ["cash"], "method": "Cash" }')
    }
  )

  it.live("is in the JSON summary, without the sandbox's taxes if there is no device yet", function* () {
    const cwd = yield* folderWith(book, "historical-invoices.csv")
    yield* gatewayFor(cwd)
    lackingBook(cwd)
    const unmappedOf = (out: string) => lines(out).at(-1)!["unmapped"] as ReadonlyArray<Record<string, unknown>>
    const unmapped = unmappedOf((yield* connector(run("plan", "--json"), { cwd })).out)
    const tax = unmapped.find(({ what }) => what === "tax")
    assert.deepInclude(tax, { spelling: "Reduced", documents: 20, percents: [], since: "2025-11-22" })
    const candidates = tax!["candidates"] as ReadonlyArray<{ readonly id: number }>
    assert.deepStrictEqual(
      candidates.map(({ id }) => id),
      [1, 515, 5, 2, 3]
    )
    assert.deepInclude(
      unmapped.find(({ what }) => what === "currency"),
      { candidates: ["USD", "ZAR"] }
    )
    const trial = ["plan", "csv", "historical-invoices.csv", "--sandbox"]
    assert.notInclude((yield* connector(trial, { cwd })).out, "to choose from")
    const inSandbox = unmappedOf((yield* connector([...trial, "--json"], { cwd })).out)
    assert.deepInclude(
      inSandbox.find(({ what }) => what === "tax"),
      { documents: 20, candidates: null }
    )
  })
})

describe("the authority's codes in an error", () => {
  it.live("are explained after an import, by explain and by list, and are in the JSON", function* () {
    const cwd = yield* folderWith(book, "historical-invoices.csv")
    yield* gatewayFor(cwd, {
      gateway: {
        faults: [
          { kind: "reject", error: "RCPT026: tax wrong; RCPT099", documents: ["INV-0003"] },
          { kind: "reject", error: "refused (RCPT026)", documents: ["INV-0014"] }
        ]
      }
    })
    const imported = yield* connector(run("import"), { cwd })
    assert.strictEqual(imported.code, 2, imported.err)
    const meaning =
      "RCPT026 (2 documents): The tax differs from the tax that the device computes\n    → Check `rounding` of the mapping book"
    assert.include(imported.out, meaning)
    assert.include(imported.out, "RCPT099: a code of the authority that this program does not know")
    const list = yield* connector(["list", "--state", "Rejected"], { cwd })
    assert.include(list.out, meaning)
    // The search matches the same as on the page: numbers and buyers.
    const ofBuyer = yield* connector(["list", "--search", "café zoë", "--json"], { cwd })
    assert.include(
      lines(ofBuyer.out).map(({ number }) => number),
      "INV-0002"
    )
    const none = yield* connector(["list", "--search", "no such"], { cwd })
    assert.strictEqual(none.out, "Nothing fits --search 'no such'. All that the store has:\n  connector list\n")
    const numbersOf = (...filters: ReadonlyArray<string>) =>
      Effect.map(connector(["list", ...filters, "--json"], { cwd }), ({ out }) =>
        lines(out).map(({ number }) => number)
      )
    const all = yield* numbersOf()
    const byKind = [yield* numbersOf("--kind", "invoice"), yield* numbersOf("--kind", "credit-note")]
    assert.deepStrictEqual(byKind.flat().toSorted(), all.toSorted())
    assert.isTrue(byKind.every((numbers) => numbers.length > 0))
    assert.deepStrictEqual(yield* numbersOf("--since", "2020-01-01"), all)
    assert.deepStrictEqual(yield* numbersOf("--since", "9000-01-01"), [])
    const explained = yield* connector(["explain", "INV-0014"], { cwd })
    assert.include(
      explained.out,
      "  RCPT026: The tax differs from the tax that the device computes\n    → Check `rounding`"
    )
    assert.notInclude((yield* connector(["explain", "INV-0001"], { cwd })).out, "authority")
    const listed = lines((yield* connector(["list", "--state", "Rejected", "--json"], { cwd })).out)
    assert.deepStrictEqual(
      listed.map(({ codes }) => codes),
      ["RCPT026 RCPT099", "RCPT026"]
    )
    const again = lines((yield* connector(run("import", "--json"), { cwd })).out)
    const rejected = again.find(({ number }) => number === "INV-0014") as {
      readonly codes: ReadonlyArray<Record<string, string>>
    }
    assert.deepStrictEqual(
      rejected.codes.map(({ code, meaning }) => [code, meaning]),
      [["RCPT026", "The tax differs from the tax that the device computes"]]
    )
  })
})

describe("a problem of several documents after an import", () => {
  it.live("is printed once with the next step for all of them, without control characters", function* () {
    const cwd = yield* folderWith(book, "historical-invoices.csv")
    const sandbox = yield* gatewayFor(cwd, {
      gateway: { faults: [{ kind: "reject", error: "RCPT026: no \u001b[2J good", documents: ["INV-0003"] }] }
    })
    const imported = yield* connector(run("import"), { cwd })
    assert.include(imported.out, "  INV-0003  Rejected: RCPT026: no [2J good\n")
    assert.notInclude(imported.out, "\u001b")
    yield* sandbox.control.closeDay()
    rmSync(join(cwd, "fiscal-connector.db"))
    const late = yield* connector(run("plan"), { cwd })
    assert.strictEqual(late.code, 3)
    assert.match(
      late.out,
      /46 documents {2}Held: is dated at or before the close of the last fiscal day [^\n]*\n {4}INV-0001, INV-0002, INV-0003, INV-0004, INV-0005 and 41 more\n {2}→ Held \(historical\): Import the document as a historical batch[^\n]*\n {6}connector plan csv historical-invoices.csv --config account.json --historical/
    )
    const [first] = lines((yield* connector(run("plan", "--json"), { cwd })).out)
    assert.deepInclude(first, { state: "Held", cause: "historical" })
  })
})
