import { assert, describe, it } from "@effect/vitest"
import {
  type DamagedRecord,
  type Envelope,
  JsonScanner,
  type ScanFailure,
  type ScannedRecord
} from "../src/json/JsonScanner.ts"

const encode = (text: string) => new TextEncoder().encode(text)

const envelope: Envelope = {
  isList: (name) => ["Invoices", "CreditNotes"].includes(name),
  isOfRecord: (name) => ["Type", "InvoiceID"].includes(name)
}

const scan = (bytes: Uint8Array, chunk = bytes.length, scanner = new JsonScanner([""], envelope)) => {
  const records: Array<ScannedRecord | DamagedRecord> = []
  for (let i = 0; i < bytes.length; i += chunk) records.push(...scanner.push(bytes.slice(i, i + chunk)))
  records.push(...scanner.finish())
  return { records, failure: scanner.failure }
}

const brief = ({
  failure,
  records
}: {
  records: ReadonlyArray<ScannedRecord | DamagedRecord>
  failure: ScanFailure | undefined
}) => [
  ...records.map((record) =>
    "problem" in record
      ? `${record.line} ! ${record.problem}`
      : `${record.line} ${record.pointer} ${record.list || "-"} ${record.text}`
  ),
  ...(failure === undefined ? [] : [`${failure.line} X ${failure.text}`])
]

const cases: ReadonlyArray<readonly [name: string, text: string, expected: ReadonlyArray<string>]> = [
  [
    "an envelope, list after list, its other members left out",
    '{"Id":"x","Status":"OK","Invoices":[{"a":1},{"b":[2]}],\n"CreditNotes" : [ {"c":"}]"} ],"pagination":{"page":1}}',
    ['1 /Invoices/0 /Invoices {"a":1}', '1 /Invoices/1 /Invoices {"b":[2]}', '2 /CreditNotes/0 /CreditNotes {"c":"}]"}']
  ],
  ["an array", '[{"a":1}\n, {"b":2} ]', ['1 /0 - {"a":1}', '2 /1 - {"b":2}']],
  ["an empty array and an empty envelope", '[] {"Invoices":[]}', []],
  [
    "a single document with lists of its own",
    '{"Type":"ACCREC","CreditNotes":[{"x":1}],"Payments":[]}',
    ['1  - {"Type":"ACCREC","CreditNotes":[{"x":1}],"Payments":[]}']
  ],
  ["an object without lists", ' {"Name":"x"} ', ['1  - {"Name":"x"}']],
  ["JSON lines", '{"a":1}\n{"b":"\\"\\\\"}\r\n\n{"c":3}', ['1  - {"a":1}', '2  - {"b":"\\"\\\\"}', '4  - {"c":3}']],
  [
    "JSON lines with a line cut short, a line of text and brackets that do not match",
    '{"a":1}\n{"b":[2}\n{"c":"3\nINFO done\n{"d":4}\n{"e":{"f":[5]\n{"g":6}\n',
    [
      '1  - {"a":1}',
      "2 ! a bracket does not close the one that is open",
      "3 ! the line ends before its value does",
      "4 ! something else than JSON",
      '5  - {"d":4}',
      "6 ! the line ends before its value does",
      '7  - {"g":6}'
    ]
  ],
  [
    "an envelope on each line",
    '{"Invoices":[{"a":1}]}\n{"Invoices":[{"b":1}]}',
    ['1 /Invoices/0 /Invoices {"a":1}', '2 /Invoices/0 /Invoices {"b":1}']
  ],
  ["a byte order mark", '\uFEFF[{"a":1}]', ['1 /0 - {"a":1}']],
  ["scalars in an array", '[1,"a,]",null]', ["1 /0 - 1", '1 /1 - "a,]"', "1 /2 - null"]],
  [
    "a file that is cut off",
    '{"Invoices":[{"a":1},{"b":',
    ['1 /Invoices/0 /Invoices {"a":1}', "1 X the file ends inside the value that begins on line 1"]
  ],
  ["a file that is no JSON", "<html>", ["1 X it is not JSON"]],
  ["a comma too many", '[{"a":1},\n]', ['1 /0 - {"a":1}', "2 X a value is expected"]],
  ["an element without its comma", '[{"a":1} {"b":2}]', ['1 /0 - {"a":1}', "1 X a comma or ] is expected"]],
  [
    "an object that is an envelope and a document",
    '{"CreditNotes":[{"x":1}],"InvoiceID":"1"}',
    ['1 /CreditNotes/0 /CreditNotes {"x":1}', "1 X one object holds both a list of records and the fields of one"]
  ]
]

describe("JsonScanner of an envelope", () => {
  for (const [name, text, expected] of cases) {
    it(`reads ${name}, however the bytes are split`, () => {
      const bytes = encode(text)
      for (let chunk = bytes.length; chunk > 0; chunk = chunk > 9 ? 9 : chunk - 1) {
        assert.deepStrictEqual(brief(scan(bytes, chunk)), expected, `chunks of ${chunk} bytes`)
      }
    })
  }

  it("reads UTF-16 as some shells write it", () => {
    const text = '\uFEFF[{"Name":"Thandié"}]'
    const bytes = new Uint8Array(text.length * 2)
    for (let i = 0; i < text.length; i++) new DataView(bytes.buffer).setUint16(2 * i, text.charCodeAt(i), true)
    for (const chunk of [1, 3, bytes.length]) {
      assert.deepStrictEqual(brief(scan(bytes, chunk)), ['1 /0 - {"Name":"Thandié"}'])
    }
  })

  it("reports a record that is not UTF-8, and reads the others", () => {
    const bytes = encode('[{"a":"x"},{"a":"y"}]')
    bytes[7] = 0xff
    assert.deepStrictEqual(brief(scan(bytes)), ["1 ! it is not UTF-8", '1 /1 - {"a":"y"}'])
  })

  it("keeps at most one record in memory, however long the file is", () => {
    const scanner = new JsonScanner([""], envelope)
    const record = encode(`{"Description":"${"x".repeat(1000)}"},`)
    scanner.push(encode('{"Invoices":['))
    let count = 0
    for (let i = 0; i < 20_000; i++) count += scanner.push(record).length
    assert.strictEqual(count, 20_000)
    assert.isAtMost(scanner.held, 1 << 17)
  })

  it("keeps no list of open brackets without limit", () => {
    const { failure } = scan(encode("[" + "[".repeat(100_000)), 4096)
    assert.strictEqual(failure?.text, "values are nested too deeply")
  })

  it("stops at a record that is too large for memory", () => {
    const scanner = new JsonScanner([""], envelope)
    const chunk = encode("x".repeat(1 << 20))
    scanner.push(encode('[{"a":"'))
    for (let i = 0; i < 70 && scanner.failure === undefined; i++) scanner.push(chunk)
    assert.strictEqual(scanner.failure?.text, "one record is longer than 64 MiB")
  })

  it("leaves a malformed key to the parser of the record", () => {
    const malformed = String.raw`{"t\in":1}`
    assert.deepStrictEqual(brief(scan(encode(malformed))), [`1  - ${malformed}`])
  })

  it("reads a key with escapes as its unescaped text", () => {
    assert.deepStrictEqual(brief(scan(encode('{"Invo\\u0069ces":[{"a":1}]}'))), ['1 /Invoices/0 /Invoices {"a":1}'])
  })
})

describe("JsonScanner without an envelope", () => {
  const plain = (text: string, ...pointers: ReadonlyArray<string>) =>
    brief(scan(encode(text), 5, new JsonScanner(pointers.length === 0 ? [""] : pointers)))

  it("reads an object as the record, whatever lists it contains", () => {
    assert.deepStrictEqual(plain('{"Invoices":[{"a":1}]}'), ['1  - {"Invoices":[{"a":1}]}'])
  })

  it("leaves brackets that do not match to the parser of the record", () => {
    assert.deepStrictEqual(plain('[{"a":[1}],{"b":2}]'), ['1 /0 - {"a":[1}]', '1 /1 - {"b":2}'])
  })

  it("fails for a record that is not UTF-8", () => {
    const bytes = encode('[{"a":"x"},{"a":"y"}]')
    bytes[7] = 0xff
    assert.strictEqual(scan(bytes, 5, new JsonScanner([""])).failure?.text, "it is not UTF-8")
  })

  it("ends a word that is not JSON only at a comma, a bracket or a blank", () => {
    assert.deepStrictEqual(plain('[1,nu"l,l"x,{"b":2}]'), ["1 /0 - 1", '1 /1 - nu"l', '1 /2 - l"x', '1 /3 - {"b":2}'])
  })

  it("does not end a record at the end of a line", () => {
    assert.deepStrictEqual(plain('{"a":1}\n{"b":\n2}'), ['1  - {"a":1}', '2  - {"b":\n2}'])
  })
})
