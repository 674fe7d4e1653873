/**
 * Adapter for an unknown system: a till that writes one sale per text line,
 * `number|day|currency|item|quantity|unit price|tax|HS code`. An adapter states the contents and
 * places of the export; core decides, with the same rules for every adapter.
 */
import {
  type Adapter,
  CivilDate,
  Finding,
  FindingCode,
  FiscalDocument,
  Money,
  type SourceDocument,
  WireCodec
} from "@fiscal-connector/core/adapter"
import { BookFile, Translate } from "@fiscal-connector/core/book"
import { Console, Effect, Option, Stream } from "effect"

const TillFinding = FindingCode.catalogue({
  TILL_NUMBER_UNREADABLE: {
    severity: "error",
    meaning: "A figure cannot be read",
    consequence: "The sale is refused and not sent.",
    fix: "Correct the figure in the till's file; it is written as 10.50."
  }
})

const readLine = (file: string, line: number, text: string): SourceDocument.SourceDocument => {
  const [
    number = "",
    day = "",
    currency = "",
    description = "",
    quantity = "",
    unitPrice = "",
    tax = "",
    productCode = ""
  ] = text.split("|")
  const fields: Record<string, string> = { number, date: day, currency, quantity, unitPrice }
  const where = (path: Finding.Path) => ({ file, line, text: fields[String(path.at(-1))] ?? text })
  // unreadable values are omitted and reported; core still checks the rest, so that all problems of
  // a sale appear at once
  const findings: Array<Finding.Finding> = []
  const figure = (name: "quantity" | "unitPrice", written: string) => {
    const read = Money.parse(written)
    if (Option.isNone(read)) {
      const path = ["lines", 0, name]
      findings.push(Finding.make(TillFinding.TILL_NUMBER_UNREADABLE, { path, at: where(path) }))
    }
    return Option.match(read, { onNone: () => ({}), onSome: (value) => ({ [name]: value }) })
  }
  const date = Option.getOrUndefined(CivilDate.parse(day))
  return {
    _tag: "SourceDocument",
    kind: "invoice",
    id: number,
    number,
    order: line,
    ...(date !== undefined && { date }),
    currency,
    taxMode: "inclusive",
    lines: [
      {
        description,
        ...figure("quantity", quantity),
        ...figure("unitPrice", unitPrice),
        taxes: [{ code: tax }],
        productCode
      }
    ],
    charges: [],
    totals: {},
    originals: [],
    findings,
    where
  }
}

export const till: Adapter.Adapter<Record<string, never>> = {
  name: "till",
  read: ({ files }) =>
    Stream.fromIterable(files).pipe(
      Stream.flatMap(({ bytes, name }) =>
        bytes.pipe(
          Stream.decodeText(),
          Stream.splitLines,
          Stream.map((text, index) => readLine(name, index + 1, text))
        )
      )
    )
}

const sales = `T-1001|2026-03-02|USD|Solar lamp|2|9.99|Standard|85131000
T-1002|2026-03-02|USD|Hinge|three|3.50|Luxury|83021000`

export const input: Adapter.Input = {
  files: [{ name: "till.txt", bytes: Stream.make(new TextEncoder().encode(sales)) }]
}

const program = Effect.gen(function* () {
  const book = yield* BookFile.load(
    "till.book.json",
    `{ "version": 1, "zone": "+02:00",
       "taxes": [{ "from": ["Standard"], "code": "VAT155", "device": 515, "percent": "15.5" }],
       "currencies": [{ "code": "USD", "device": "USD" }] }`
  )
  yield* Stream.runForEach(till.read(input, {}), (reading) =>
    Effect.gen(function* () {
      if (reading._tag !== "SourceDocument") return
      const { findings, translated } = Translate.translate(reading, book)
      for (const { at, code, message } of findings)
        yield* Console.log(`${reading.number} ${code} line ${at?.line}: ${message}`)
      if (translated?.completeness !== "complete") return
      const midnight = CivilDate.at(translated.taxDate, 0, book.zone)
      yield* Console.log(WireCodec.encode(FiscalDocument.stamp(translated.document, midnight, "first")))
    })
  )
})

if (process.argv[1] === import.meta.filename) await Effect.runPromise(program)
