/**
 * Generated source documents with consistent line amounts, with every kind of discount, charge and
 * tax, and books to translate them.
 */
import { Arbitrary, BigDecimal, Effect } from "effect"
import type { Money } from "../../src/document/Money.ts"
import * as CivilDate from "../../src/document/CivilDate.ts"
import * as BookFile from "../../src/mapping/BookFile.ts"
import type { MappingBook } from "../../src/mapping/MappingBook.ts"
import type { SourceCharge, SourceDocument, SourceLine } from "../../src/source/SourceDocument.ts"
import { int } from "../document/Numbers.ts"

const decimal = (value: number, scale: number): Money => BigDecimal.make(BigInt(value), scale)

/**
 * Spellings with the device's percent in hundredths; null is exempt. Standard and Services are one
 * device tax.
 */
export const percents: Readonly<Record<string, number | null>> = {
  Standard: 1500,
  Services: 1500,
  Reduced: 500,
  County: 825,
  Zero: 0,
  Exempt: null
}
export const deviceTaxes: Readonly<Record<string, number>> = {
  Standard: 1,
  Services: 1,
  Reduced: 5,
  County: 8,
  Zero: 2,
  Exempt: 3
}
const spellings = Object.keys(percents)

export const bookWith = (fields: object): MappingBook =>
  Effect.runSync(
    BookFile.load(
      "generated.book.json",
      JSON.stringify({
        version: 1,
        zone: "+02:00",
        taxes: spellings.map((spelling) => {
          const percent = percents[spelling]!
          const device = deviceTaxes[spelling]
          return { from: [spelling], code: `T-${spelling}`, device, percent: percent === null ? null : percent / 100 }
        }),
        currencies: [{ code: "USD", device: "USD" }],
        defaults: { productCode: "12345678", creditReason: "Returned" },
        ...fields
      })
    )
  )

export const lenient = {
  charges: "as-line",
  negativeLines: "as-discount",
  textLines: "append",
  quantities: "one-if-missing",
  unitPrices: "from-line-amount"
}

const taxes = Arbitrary.map(int(0, spellings.length - 1), (index) => [{ code: spellings[index]! }])

const line = Arbitrary.all({
  taxes,
  quantity: int(1, 400),
  unitPrice: int(1, 9_999_999),
  places: int(0, 4),
  discount: int(0, 12),
  share: int(0, 10_000)
}).pipe(
  Arbitrary.map(({ discount, places, quantity, share, taxes, unitPrice }): SourceLine => {
    const figures = { quantity: decimal(quantity, places > 2 ? 1 : 0), unitPrice: decimal(unitPrice, places), taxes }
    if (discount === 0) return { ...figures, discount: { percent: decimal(share, 2) } }
    if (discount > 1) return figures
    const cents = BigInt(Math.floor((quantity * unitPrice) / 10 ** (places + (places > 2 ? 1 : 0)))) * 100n
    return { ...figures, discount: { amount: BigDecimal.make((cents * BigInt(share)) / 10_000n, 2) } }
  })
)

const charge = Arbitrary.all({ taxes, cents: int(-2000, 9999), kind: int(0, 4) }).pipe(
  Arbitrary.map(({ cents, kind, taxes }): SourceCharge => {
    const kinds = ["shipping", "fee", "adjustment", "rounding", "discount"] as const
    return { kind: kinds[kind]!, amount: decimal(cents, 2), taxes: cents < 0 || kind === 4 ? [] : taxes }
  })
)

/**
 * Source document without totals: `translate` calculates them, and the laws compare them with an
 * oracle.
 */
export const source = Arbitrary.all({
  amounts: int(0, 1),
  lines: Arbitrary.array(line, { minLength: 1, maxLength: 8 }),
  charges: Arbitrary.array(charge, { maxLength: 2 })
}).pipe(
  Arbitrary.map(({ amounts, charges, lines }): SourceDocument => ({
    _tag: "SourceDocument",
    kind: "invoice",
    id: "inv-1",
    number: "INV-1",
    order: 0,
    date: CivilDate.CivilDate.make("2025-06-30"),
    currency: "USD",
    taxMode: amounts === 0 ? "inclusive" : "exclusive",
    lines,
    charges,
    totals: {},
    originals: [],
    findings: [],
    where: (path) => ({ file: "generated", pointer: path.join("/") })
  }))
)
