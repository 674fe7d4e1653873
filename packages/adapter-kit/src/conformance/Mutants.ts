/**
 * Typical mistakes of adapters, injected into the author's adapter. Fixtures that miss one would
 * miss it in a later change.
 */
import { type Adapter, CivilDate, MapConcat, Money, type SourceDocument } from "@fiscal-connector/core/adapter"
import { BigDecimal, DateTime, Option, Stream } from "effect"

export interface Mutant {
  /**
   * Name of the mistake, as the end of a sentence: the fixtures would not notice
   * `ids by the row's number`.
   */
  readonly name: string
  /** Addition to the fixtures that would reveal the mistake. */
  readonly advice: string
  /** `where-stated`: the system may have no value that the mistake changes. */
  readonly matters: "always" | "where-stated"
  /**
   * For a value taken from another document: returns true if a document states the value. If
   * several documents state a value, two of the values must differ.
   */
  readonly states?: (document: SourceDocument.SourceDocument) => boolean
  apply<Options>(adapter: Adapter.Adapter<Options>): Adapter.Adapter<Options>
}

type ReadingChange = (
  reading: Adapter.Reading,
  index: number
) => Adapter.Reading | ReadonlyArray<Adapter.Reading> | undefined

/** Original of a changed document; the adapter can write back only the original. */
const given = new WeakMap<SourceDocument.SourceDocument, SourceDocument.SourceDocument>()

const changed = (
  document: SourceDocument.SourceDocument,
  changes: Partial<SourceDocument.SourceDocument>
): SourceDocument.SourceDocument => {
  const copy = Object.create(
    Object.getPrototypeOf(document) as object,
    Object.getOwnPropertyDescriptors(document)
  ) as SourceDocument.SourceDocument
  const all = {
    where: (path: Parameters<SourceDocument.SourceDocument["where"]>[0]) => document.where(path),
    ...changes
  }
  for (const [field, value] of Object.entries(all))
    Object.defineProperty(copy, field, { value, enumerable: true, configurable: true, writable: true })
  given.set(copy, given.get(document) ?? document)
  return copy
}

const rewriting = <Options>(
  adapter: Adapter.Adapter<Options>,
  read: Adapter.Adapter<Options>["read"]
): Adapter.Adapter<Options> => ({
  ...adapter,
  read,
  ...(adapter.writeRefused !== undefined && {
    writeRefused: (refused) =>
      adapter.writeRefused!(
        Stream.map(refused, ({ findings, reading }) => ({
          findings,
          reading: reading._tag === "SourceDocument" ? (given.get(reading) ?? reading) : reading
        }))
      )
  })
})

const readings =
  (change: () => ReadingChange) =>
  <Options>(adapter: Adapter.Adapter<Options>): Adapter.Adapter<Options> =>
    rewriting(adapter, (input, options) =>
      Stream.suspend(() => {
        const changing = change()
        let index = 0
        return adapter.read(input, options).pipe(
          MapConcat.mapConcat((reading) => {
            const result = changing(reading, index++)
            return result === undefined
              ? []
              : Array.isArray(result)
                ? (result as ReadonlyArray<Adapter.Reading>)
                : [result as Adapter.Reading]
          })
        )
      })
    )

const documents = (
  change: (
    document: SourceDocument.SourceDocument,
    index: number
  ) => SourceDocument.SourceDocument | ReadonlyArray<Adapter.Reading> | undefined
) =>
  readings(() => {
    let count = 0
    return (reading) => (reading._tag === "SourceDocument" ? change(reading, count++) : reading)
  })

const fields = (
  change: (document: SourceDocument.SourceDocument, index: number) => Partial<SourceDocument.SourceDocument>
) => documents((document, index) => changed(document, change(document, index)))

const lines = (change: (line: SourceDocument.SourceLine) => SourceDocument.SourceLine) =>
  fields(({ lines }) => ({ lines: lines.map(change) }))

const inputs =
  (change: (input: Adapter.Input) => Adapter.Input) =>
  <Options>(adapter: Adapter.Adapter<Options>): Adapter.Adapter<Options> =>
    rewriting(adapter, (input, options) => adapter.read(change(input), options))

const bytes = (change: (bytes: Adapter.Input["files"][number]["bytes"]) => Adapter.Input["files"][number]["bytes"]) =>
  inputs(({ files }) => ({ files: files.map((file) => ({ name: file.name, bytes: change(file.bytes) })) }))

const figures = (
  line: SourceDocument.SourceLine,
  change: (figure: Money.Money) => Money.Money
): SourceDocument.SourceLine => ({
  ...line,
  ...(line.quantity !== undefined && { quantity: change(line.quantity) }),
  ...(line.unitPrice !== undefined && { unitPrice: change(line.unitPrice) }),
  ...(line.lineAmount !== undefined && { lineAmount: change(line.lineAmount) })
})

const throughDouble = (figure: Money.Money): Money.Money =>
  Option.getOrElse(Money.parse(String(BigDecimal.toNumberUnsafe(figure))), () => figure)

const dayBefore = (date: SourceDocument.SourceDocument["date"]): SourceDocument.SourceDocument["date"] =>
  typeof date !== "string"
    ? date && DateTime.subtract(date, { days: 1 })
    : CivilDate.parse(new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)).pipe(Option.getOrUndefined)

const bare = <Shape extends object>(shape: Shape): Shape =>
  Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Shape

const without = <Shape extends object>(shape: Shape, ...names: ReadonlyArray<keyof Shape>): Shape =>
  Object.fromEntries(Object.entries(shape).filter(([name]) => !names.includes(name as keyof Shape))) as Shape

const dropping = (...names: ReadonlyArray<keyof SourceDocument.SourceDocument>) =>
  documents((document) => {
    const copy = changed(document, {})
    for (const name of names) delete (copy as { [Field in keyof SourceDocument.SourceDocument]?: unknown })[name]
    return copy
  })

const negative = (figure: Money.Money | undefined) => figure && BigDecimal.negate(figure)

const mutant = (
  name: string,
  advice: string,
  apply: Mutant["apply"],
  matters: Mutant["matters"] = "always"
): Mutant => ({ name, advice, apply, matters })

const neighbor = (
  what: string,
  advice: string,
  states: NonNullable<Mutant["states"]>,
  take: (
    document: SourceDocument.SourceDocument,
    before: SourceDocument.SourceDocument
  ) => Partial<SourceDocument.SourceDocument>
): Mutant => ({
  name: `${what} of another document`,
  advice,
  matters: "where-stated",
  states,
  apply: readings(() => {
    let before: SourceDocument.SourceDocument | undefined
    return (reading) => {
      if (reading._tag !== "SourceDocument" || !states(reading)) return reading
      const from = before
      before = reading
      return from === undefined ? reading : changed(reading, take(reading, from))
    }
  })
})

const neighboring = (
  what: string,
  advice: string,
  field: "buyer" | "currency" | "date" | "modified" | "paymentMethod"
): Mutant =>
  neighbor(
    what,
    advice,
    (document) => document[field] !== undefined,
    (_, before) => ({ [field]: before[field] })
  )

const linesOf = (
  { lines }: SourceDocument.SourceDocument,
  before: SourceDocument.SourceDocument,
  change: (line: SourceDocument.SourceLine, other: SourceDocument.SourceLine) => SourceDocument.SourceLine
): Partial<SourceDocument.SourceDocument> => ({
  lines: lines.map((line, i) => change(line, before.lines[Math.min(i, before.lines.length - 1)] ?? line))
})

const prices = (line: SourceDocument.SourceLine, { unitPrice }: SourceDocument.SourceLine): SourceDocument.SourceLine =>
  unitPrice === undefined || line.unitPrice === undefined ? line : { ...line, unitPrice }

const neighbors: ReadonlyArray<Mutant> = [
  neighboring("the buyer", "add a document of another buyer", "buyer"),
  neighboring("the currency", "add a document in another currency", "currency"),
  neighboring("the date", "add a document of another day", "date"),
  neighbor(
    "the prices",
    "add a document with other prices",
    ({ lines }) => lines.some(({ unitPrice }) => unitPrice !== undefined),
    (document, before) => linesOf(document, before, prices)
  ),
  neighbor(
    "the tax codes",
    "add a document with another tax",
    ({ lines }) => lines.some(({ taxes }) => taxes.length > 0),
    (document, before) => linesOf(document, before, (line, { taxes }) => ({ ...line, taxes }))
  ),
  neighbor(
    "the product codes",
    "add a document with another product",
    ({ lines }) => lines.some(({ productCode }) => productCode !== undefined),
    (document, before) =>
      linesOf(document, before, (line, { productCode }) =>
        productCode === undefined ? line : { ...line, productCode }
      )
  ),
  neighbor(
    "the original",
    "add a credit note of another invoice",
    ({ originals }) => originals.length > 0,
    (_, { originals }) => ({ originals })
  ),
  neighbor(
    "the totals",
    "add a document with another total",
    ({ totals }) => totals.total !== undefined || totals.net !== undefined,
    (_, { totals }) => ({ totals })
  ),
  neighboring("the time of the last change", "add a document that was changed at another time", "modified"),
  neighboring("the payment method", "add a document that was paid otherwise", "paymentMethod"),
  mutant(
    "voids given as mere drafts",
    "add a sale that was voided",
    readings(() => (reading) => {
      if (reading._tag !== "Skipped") return reading
      const { cancelled: _, ...others } = reading
      return others
    }),
    "where-stated"
  )
]

const asFacts = "let facts.json say it of a document in the fixtures"

export const mutants: ReadonlyArray<Mutant> = [
  ...neighbors,
  mutant(
    "ids by the row's number",
    asFacts,
    fields((_, index) => ({ id: String(index + 1) }))
  ),
  mutant(
    "empty ids",
    asFacts,
    fields(() => ({ id: "" }))
  ),
  mutant(
    "one id for all documents",
    "add a second document of the kind",
    fields(() => ({ id: "1" }))
  ),
  mutant(
    "credit notes as invoices",
    "add a credit note",
    fields(() => ({ kind: "invoice" }))
  ),
  mutant(
    "unreadable values left out without a finding",
    "add a document with a quantity of `three`",
    fields(() => ({ findings: [] }))
  ),
  mutant(
    "every second document left out",
    "add a second document",
    documents((document, index) => (index % 2 === 1 ? [] : document))
  ),
  mutant(
    "drafts and other skipped records left out without a reading",
    "add a draft",
    readings(() => (reading) => (reading._tag === "Skipped" ? undefined : reading))
  ),
  mutant(
    "figures through floating-point numbers",
    "add a figure of more than 17 digits",
    lines((line) => figures(line, throughDouble))
  ),
  mutant(
    "dates a day early",
    asFacts,
    fields(({ date }) => bare({ date: dayBefore(date) }) as Partial<SourceDocument.SourceDocument>)
  ),
  mutant(
    "amounts stated as inclusive that are exclusive, and the reverse",
    asFacts,
    fields(({ taxMode }) => ({ taxMode: taxMode === "inclusive" ? "exclusive" : "inclusive" }))
  ),
  mutant(
    "the last line of a document left out",
    "add a document of several lines",
    fields(({ lines }) => ({ lines: lines.slice(0, -1) }))
  ),
  mutant(
    "the whole file as the place of every value",
    "add a second document",
    fields((document) => ({ where: (path) => ({ file: document.where(path).file }) }))
  ),
  // further mistakes, beyond the twelve found in adapters
  mutant(
    "each document twice",
    asFacts,
    documents((document) => [document, document])
  ),
  mutant(
    "only the first file read",
    "add an export of two files",
    inputs(({ files }) => ({ files: files.slice(0, 1) }))
  ),
  mutant(
    "only the first document read",
    "add a second document",
    documents((document, index) => (index === 0 ? document : []))
  ),
  mutant(
    "the rest of a file lost after its first piece",
    "add a longer export",
    bytes((all) => Stream.take(all, 1))
  ),
  mutant(
    "letters beyond ASCII broken where two pieces of the file meet",
    "add a name with a letter beyond ASCII, as Söhne",
    bytes((all) => Stream.map(all, (piece) => new TextEncoder().encode(new TextDecoder().decode(piece))))
  ),
  mutant("nothing when it is read a second time", asFacts, (adapter) => {
    let isRead = false
    return rewriting(adapter, (input, options) =>
      Stream.suspend(() => {
        if (isRead) return Stream.empty
        isRead = true
        return adapter.read(input, options)
      })
    )
  }),
  mutant(
    "numbers given as ids",
    "add a document whose id is not its number",
    fields(({ id, number }) => ({ id: number || id })),
    "where-stated"
  ),
  mutant(
    "ids given as numbers",
    "add a document whose number is not its id",
    fields(({ id }) => ({ number: id })),
    "where-stated"
  ),
  mutant(
    "the file's name in the ids",
    asFacts,
    fields((document) => ({ id: `${document.where([]).file}-${document.id}` }))
  ),
  mutant(
    "leading noughts of numbers cut off",
    "add a number that begins with a nought, if the system has such",
    fields(({ number }) => ({ number: number.replace(/^0+(?=\d)/, "") })),
    "where-stated"
  ),
  mutant(
    "quantity and unit price exchanged",
    asFacts,
    lines((line) => bare({ ...line, quantity: line.unitPrice, unitPrice: line.quantity } as SourceDocument.SourceLine))
  ),
  mutant(
    "unit prices rounded to cents",
    "add a price of three places",
    lines((line) =>
      bare({ ...line, unitPrice: line.unitPrice && Money.round(line.unitPrice, 2) } as SourceDocument.SourceLine)
    ),
    "where-stated"
  ),
  mutant(
    "figures negative in credit notes that are positive, and the reverse",
    "add a credit note with lines",
    fields(({ kind, lines }) =>
      kind === "invoice"
        ? {}
        : {
            lines: lines.map((line) =>
              bare({ ...line, quantity: negative(line.quantity) } as SourceDocument.SourceLine)
            )
          }
    )
  ),
  mutant(
    "tax codes left out",
    asFacts,
    lines((line) => ({ ...line, taxes: [] }))
  ),
  mutant(
    "one tax code for all lines",
    "add a line of another tax",
    lines((line) => ({ ...line, taxes: line.taxes.map((tax) => ({ ...tax, code: "STANDARD-RATE" })) }))
  ),
  mutant(
    "only the first of a line's taxes",
    "add a line of two taxes",
    lines((line) => ({ ...line, taxes: line.taxes.slice(0, 1) })),
    "where-stated"
  ),
  mutant(
    "percents as fractions",
    "state a tax percent",
    lines((line) => ({
      ...line,
      taxes: line.taxes.map((tax) =>
        tax.percent === undefined ? tax : { ...tax, percent: BigDecimal.multiply(tax.percent, Money.cent) }
      )
    })),
    "where-stated"
  ),
  mutant(
    "descriptions left out",
    asFacts,
    lines((line) => without(line, "description"))
  ),
  mutant(
    "line discounts left out",
    "add a line with a discount",
    lines((line) => without(line, "discount")),
    "where-stated"
  ),
  mutant(
    "product codes left out",
    "add a line with a product code",
    lines((line) => without(line, "productCode")),
    "where-stated"
  ),
  mutant(
    "line amounts left out",
    "add a line with its amount",
    lines((line) => without(line, "lineAmount")),
    "where-stated"
  ),
  mutant(
    "lines in reverse",
    "add a document of several lines",
    fields(({ lines }) => ({ lines: lines.toReversed() }))
  ),
  mutant("buyers left out", "add a document with a buyer", dropping("buyer"), "where-stated"),
  mutant(
    "a buyer's tax numbers left out",
    "add a buyer with a tax number",
    fields(({ buyer }) => (buyer === undefined ? {} : { buyer: without(buyer, "tin", "vatNumber") })),
    "where-stated"
  ),
  mutant(
    "a credit note's originals left out",
    "add a credit note that names what it credits",
    fields(() => ({ originals: [] })),
    "where-stated"
  ),
  mutant(
    "charges left out: shipping, discounts of the whole document",
    "add a document with a charge",
    fields(() => ({ charges: [] })),
    "where-stated"
  ),
  mutant(
    "totals left out",
    "add a document with totals",
    fields(() => ({ totals: {} })),
    "where-stated"
  ),
  mutant(
    "the total without tax given as the total",
    "add a document with both totals",
    fields(({ totals }) => ({ totals: totals.net === undefined ? totals : { ...totals, total: totals.net } })),
    "where-stated"
  ),
  mutant("currencies left out", asFacts, dropping("currency"), "where-stated"),
  mutant(
    "today for a date that cannot be read",
    "add a document with a date of `soon`",
    fields(({ date, findings }) =>
      date === undefined
        ? { date: CivilDate.CivilDate.make("2026-01-01"), findings: findings.filter(({ path }) => path[0] !== "date") }
        : {}
    ),
    "where-stated"
  ),
  mutant("drafts sent as documents", "add a draft", (adapter) =>
    readings(() => {
      let last: SourceDocument.SourceDocument | undefined
      return (reading) => {
        if (reading._tag === "SourceDocument") last = reading
        return reading._tag === "Skipped" && last !== undefined
          ? changed(last, { id: reading.key, number: reading.key })
          : reading
      }
    })(adapter)
  ),
  mutant(
    "findings without a place",
    "add a document with a quantity of `three`",
    fields(({ findings }) => ({ findings: findings.map((finding) => ({ ...finding, at: undefined })) }))
  ),
  mutant(
    "an exception on bytes that are no export",
    asFacts,
    bytes((all) =>
      Stream.tap(all, (piece) => {
        if (piece.includes(0)) throw new TypeError("unexpected nought")
        return Stream.runDrain(Stream.empty)
      })
    )
  )
]
