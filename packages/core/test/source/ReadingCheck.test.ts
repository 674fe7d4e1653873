/**
 * Readings that no type checker saw: no error is thrown, no value is changed silently, and every
 * problem names its document.
 */
import { assert, describe, it } from "@effect/vitest"
import { Data, DateTime } from "effect"
import type { Finding } from "../../src/finding/Finding.ts"
import { refuses } from "../../src/finding/Finding.ts"
import type { Reading } from "../../src/source/Adapter.ts"
import { checked } from "../../src/source/ReadingCheck.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { invoice, money } from "../import/SampleSources.ts"
import { at, drawing, mutated, whole } from "./MutatedSources.ts"

/** Returns the document with a value set or removed, by path. */
const withValue = (path: ReadonlyArray<string | number>, value: unknown): Record<string, unknown> => {
  const set = (node: unknown, [head, ...rest]: ReadonlyArray<string | number>): unknown => {
    const inner = rest.length === 0 ? value : set((node as Record<string, unknown>)[head!], rest)
    return Array.isArray(node) ? node.with(Number(head), inner) : { ...(node as object), [head!]: inner }
  }
  return set(whole(), path) as Record<string, unknown>
}

const documentOf = (given: unknown): SourceDocument => {
  const reading = checked(given, 3) as Reading
  assert.strictEqual(reading._tag, "SourceDocument")
  return reading as SourceDocument
}

const said = (findings: ReadonlyArray<Finding>) => findings.map(({ message }) => message)

describe("an untyped document of an adapter", () => {
  it("is returned unchanged if it matches its interface, with any further fields", () => {
    for (const source of [whole(), invoice("INV-1", "2026-01-10"), { ...whole(), mine: new Map() }]) {
      assert.strictEqual(checked(source, 1), source)
    }
    const instant = { ...whole(), date: DateTime.makeZonedUnsafe(0, { timeZone: "+02:00" }) }
    assert.strictEqual(checked(instant, 1), instant)
  })

  const exact = "expected an exact decimal (Money), the adapter gave"
  const day = "date: expected a day that exists (CivilDate), or an instant with its offset (Instant), the adapter gave"

  const cases: ReadonlyArray<readonly [ReadonlyArray<string | number>, unknown, string]> = [
    [["kind"], "Invoice", 'kind: expected "invoice" or "credit-note", the adapter gave other text'],
    [
      ["taxMode"],
      "net",
      'taxMode: expected "inclusive", "exclusive", "untaxed" or "unstated", the adapter gave other text'
    ],
    [
      ["taxMode"],
      "EXCLUSIVE",
      'taxMode: expected "inclusive", "exclusive", "untaxed" or "unstated", the adapter gave other text'
    ],
    [["id"], 17, "id: expected text, the adapter gave a JavaScript number"],
    [["number"], undefined, "number: expected text, the adapter gave nothing"],
    [["order"], -1, "order: expected a whole number from 0, the adapter gave a JavaScript number"],
    [["date"], "2026-02-30", `${day} other text`],
    [["date"], "2026-01-10T12:00:00Z", `${day} other text`],
    [["date"], new Date(0), `${day} a JavaScript Date`],
    [["date"], DateTime.makeUnsafe(0), `${day} an object`],
    [["currency"], null, "currency: expected text, the adapter gave null"],
    [["buyer"], "Alice Buyer", "buyer: expected an object, the adapter gave other text"],
    [["buyer", "tin"], 2000123456, "buyer.tin: expected text, the adapter gave a JavaScript number"],
    [["buyer", "address", "city"], ["Harbour"], "buyer.address.city: expected text, the adapter gave a list"],
    [["lines"], undefined, "lines: expected a list, the adapter gave nothing"],
    [["lines"], { 0: {} }, "lines: expected a list, the adapter gave an object"],
    [["lines", 0], "Thing", "lines[]: expected an object, the adapter gave other text"],
    [["lines", 1], null, "lines[]: expected an object, the adapter gave null"],
    [["lines", 0, "quantity"], 1, `lines[].quantity: ${exact} a JavaScript number`],
    [["lines", 1, "unitPrice"], Number.NaN, `lines[].unitPrice: ${exact} NaN`],
    [["lines", 0, "lineAmount"], "90.00", `lines[].lineAmount: ${exact} other text`],
    [["lines", 0, "lineAmount"], { ...money("1"), scale: 1e9 }, `lines[].lineAmount: ${exact} an object`],
    [
      ["lines", 0, "discount"],
      { percent: 10 },
      "lines[].discount: expected an exact percent, or an exact amount, the adapter gave an object"
    ],
    [
      ["lines", 0, "discount"],
      { percent: money("1"), amount: money("1") },
      "lines[].discount: expected an exact percent, or an exact amount, the adapter gave an object"
    ],
    [
      ["lines", 0, "quantty"],
      money("1"),
      "lines[].quantty: expected no field of this name, the adapter gave an exact decimal"
    ],
    [["lines", 0, "taxes"], "Standard", "lines[].taxes: expected a list, the adapter gave other text"],
    [["lines", 0, "taxes", 0, "code"], 15, "lines[].taxes[].code: expected text, the adapter gave a JavaScript number"],
    [["lines", 0, "taxes", 0, "percent"], 0.15, `lines[].taxes[].percent: ${exact} a JavaScript number`],
    [
      ["charges", 0, "kind"],
      "tip",
      'charges[].kind: expected "shipping", "fee", "adjustment", "rounding" or "discount", the adapter gave other text'
    ],
    [["charges", 0, "amount"], undefined, `charges[].amount: ${exact} nothing`],
    [["totals"], undefined, "totals: expected an object, the adapter gave nothing"],
    [["totals", "total"], 95, `totals.total: ${exact} a JavaScript number`],
    [["originals", 0, "by"], "key", 'originals[].by: expected "id" or "number", the adapter gave other text'],
    [["findings"], null, "findings: expected a list, the adapter gave null"],
    [["where"], undefined, "where: expected a function from a path to a place in a file, the adapter gave nothing"]
  ]

  for (const [path, value, message] of cases) {
    it(`is refused, and the finding states ${message}`, () => {
      const source = documentOf(withValue(path, value))
      assert.deepStrictEqual(said(source.findings), [message])
      const [finding] = source.findings
      assert.deepInclude(finding, { code: "READING_MALFORMED", severity: "error", path: [...path] })
      if (path[0] !== "where") assert.deepStrictEqual(finding?.at, { ...at, column: path.length + 1 })
      assert.strictEqual(checked(source, 1), source, "what comes of it is sound")
    })
  }

  it("is refused if a text is too long, and the text is removed", () => {
    const [most, tooLong] = ["a".repeat(65_536), "a".repeat(65_537)]
    assert.deepStrictEqual(documentOf(withValue(["number"], most)).findings, [])
    for (const path of [["number"], ["buyer", "name"], ["lines", 0, "description"]]) {
      const source = documentOf(withValue(path, tooLong))
      assert.deepStrictEqual(
        source.findings.map(({ code, path: at }) => [code, at]),
        [["TEXT_TOO_LONG", path]]
      )
      assert.notInclude(JSON.stringify(source), "aaaa")
    }
  })

  it("is refused with all problems at once, without the buyer's name", () => {
    const { findings } = documentOf({
      ...whole(),
      taxMode: "Alice Buyer",
      buyer: { name: ["Alice Buyer"], tin: 2000123456 },
      lines: [{ taxes: [] }, "Alice Buyer", { quantity: 2000123456, taxes: null }]
    })
    assert.deepStrictEqual(
      findings.map(({ path }) => path.join(".")),
      ["taxMode", "lines.1", "lines.2.taxes", "lines.2.quantity", "buyer.name", "buyer.tin"]
    )
    assert.notMatch(JSON.stringify(findings), /Alice|2000123456/)
  })

  it("keeps its adapter's class, for writing refused rows", () => {
    class Own {
      readonly rows: ReadonlyArray<string>
      constructor(rows: ReadonlyArray<string>) {
        this.rows = rows
        Object.assign(this, whole(), { taxMode: "net" })
      }
      readonly _tag = "SourceDocument"
      get first() {
        return this.rows[0]
      }
    }
    assert.strictEqual((documentOf(new Own(["a;b"])) as unknown as Own).first, "a;b")
  })

  it("gets a name if it states none", () => {
    assert.include(documentOf({ _tag: "SourceDocument" }), { id: "document 3", number: "" })
  })

  it("is refused for a finding whose misspelled severity would not refuse it", () => {
    const odd = {
      ...whole().findings[0],
      _tag: "Finding",
      code: "X",
      severity: "Error",
      message: "m",
      fix: "f",
      consequence: "c",
      path: []
    }
    const { findings } = documentOf({ ...whole(), findings: [odd] })
    assert.isTrue(refuses(findings[0]!))
    assert.include(said(findings), 'findings[].severity: expected "error" or "warning", the adapter gave other text')
  })
})

/** `Data.Class` has `pipe` on the prototype: a method that is not a field. */
class OwnReading extends Data.Class<Record<string, unknown>> {}

describe("an untyped reading that is not a document", () => {
  const finding = {
    _tag: "Finding",
    code: "X",
    severity: "error",
    message: "m",
    detail: undefined,
    consequence: "c",
    fix: "f",
    path: [],
    at
  }
  const skipped = { _tag: "Skipped", key: "BILL-1", reason: "a bill", at }

  it("is returned unchanged if it matches its interface", () => {
    assert.strictEqual(checked(finding, 1), finding as never)
    assert.strictEqual(checked(skipped, 1), skipped as never)
  })

  it("is returned unchanged if it is an instance of an adapter's class, with any further fields", () => {
    for (const fields of [finding, skipped]) {
      const own = new OwnReading({ ...fields, row: ["INV-1", "7"] })
      assert.strictEqual(checked(own, 1), own as never)
    }
  })

  it("remains an instance of that class with its fields, even if a field is wrong", () => {
    const own = new OwnReading({ ...finding, severity: "fatal", row: ["INV-1", "7"] })
    const [kept, ...findings] = checked(own, 1) as ReadonlyArray<Reading>
    assert.instanceOf(kept, OwnReading)
    assert.deepInclude(kept, { severity: "error", row: ["INV-1", "7"] })
    assert.deepStrictEqual(said(findings as ReadonlyArray<Finding>), [
      'severity: expected "error" or "warning", the adapter gave other text'
    ])
  })

  it("is refused as a plain object with an unknown field", () => {
    const [kept, ...findings] = checked({ ...finding, fixx: "f" }, 1) as ReadonlyArray<Reading>
    assert.notProperty(kept, "fixx")
    assert.deepStrictEqual(said(findings as ReadonlyArray<Finding>), [
      "fixx: expected no field of this name, the adapter gave other text"
    ])
  })

  it("keeps its valid fields next to the wrong ones", () => {
    const [kept, ...findings] = checked({ ...skipped, reason: 7 }, 1) as ReadonlyArray<Reading>
    assert.deepInclude(kept, { _tag: "Skipped", key: "BILL-1", reason: "" })
    assert.deepStrictEqual(said(findings as ReadonlyArray<Finding>), [
      "reason: expected text, the adapter gave a JavaScript number"
    ])
    const [stray, odd] = checked({ ...finding, severity: "fatal" }, 1) as ReadonlyArray<Finding>
    assert.isTrue(refuses(stray!))
    assert.include(odd?.message, "severity")
  })

  for (const [value, kind] of [
    [undefined, "nothing"],
    [null, "null"],
    ["INV-1", "other text"],
    [[], "a list"],
    [{ _tag: "sourceDocument" }, "an object"],
    [{}, "an object"]
  ] as const) {
    it(`becomes a finding if it is ${kind}`, () => {
      assert.deepInclude(checked(value, 1), {
        code: "READING_UNKNOWN",
        message: `expected a reading, the adapter gave ${kind}`
      })
    })
  }
})

describe("a document mutated at random", () => {
  it("never throws, is never silently changed, and is valid after the check, in 5 000 cases", () => {
    const draw = drawing(20_261_122)
    const tally = { sound: 0, refused: 0 }
    for (let i = 0; i < 5000; i++) {
      const given = mutated(draw)
      const reading = checked(given, 1)
      if (reading === given) {
        tally.sound++
        continue
      }
      tally.refused++
      const source = reading as SourceDocument
      assert.isTrue(source.findings.some((one) => refuses(one) && one.code === "READING_MALFORMED"))
      assert.strictEqual(checked(source, 1), source)
      assert.isString(JSON.stringify(source.findings))
    }
    assert.isAbove(tally.sound, 25)
    assert.isAbove(tally.refused, 2500)
    assert.notProperty({}, "polluted")
  })
})
