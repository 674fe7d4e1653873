/** Choices for an unknown spelling, each with its edits of the mapping book. Pure. */
import { formatPlain } from "../document/Money.ts"
import { known } from "../document/PaymentMethod.ts"
import type { SpellingEdit } from "../mapping/BookEditing.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { DeviceFacts, DeviceTax } from "./DeviceFacts.ts"
import { candidates, overlap, type UnmappedCode } from "./Unmapped.ts"

export interface BookChoice {
  readonly id: string
  readonly words: string
  /** `fits`: the export's statements about the spelling support the choice. */
  readonly standing: "fits" | "possible"
  readonly edits: ReadonlyArray<SpellingEdit>
}

type ChoiceBook = Pick<MappingBook, "taxes" | "currencies">
type ChoiceDevice = Pick<DeviceFacts, "taxes" | "currencies">

export interface MappedTax {
  readonly taxCode: string
  readonly taxName: string | null
  readonly destinationTaxId: number
}

/**
 * Returns the choices, fitting ones first; empty if the device does not state its taxes or
 * currencies.
 *
 * `mapped`: codes that the gateway maps already. Mapped codes are preferred to new codes, since a
 * mapping at the gateway is permanent.
 */
export const of = (
  code: UnmappedCode,
  book: ChoiceBook,
  device: ChoiceDevice,
  mapped: ReadonlyArray<MappedTax> = []
): ReadonlyArray<BookChoice> => {
  switch (code.what) {
    case "tax":
      return taxChoices(code, book, device.taxes ?? [], mapped)
    case "currency":
      return currencyChoices(code, book, device.currencies)
    case "payment method":
      return known.map((method) => ({
        id: method,
        words: method,
        standing: folded(method) === folded(code.spelling) ? "fits" : "possible",
        edits: [{ what: "payment method", spelling: code.spelling, method }]
      }))
  }
}

const folded = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, "")

const taxChoices = (
  code: UnmappedCode,
  book: ChoiceBook,
  taxes: ReadonlyArray<DeviceTax>,
  mapped: ReadonlyArray<MappedTax>
): ReadonlyArray<BookChoice> => {
  // no choices for a spelling with entries for other days: the operator must check the periods
  if (book.taxes.some((tax) => hasSpelling(tax, code))) return []
  const meant = code.percents.length === 0 ? [] : candidates(code, taxes)
  const usable = candidates({ ...code, percents: [] }, taxes)
  const each = usable.map((tax): BookChoice => ({
    id: String(tax.id),
    words: taxText(tax),
    standing: meant.includes(tax) ? "fits" : "possible",
    edits: [editOf(code, tax, book, mapped, "only")]
  }))
  const inTurn = meant.length > 1 && !overlap(meant) ? [together(code, meant, book, mapped)] : []
  return [...inTurn, ...each.filter(isFitting), ...each.filter((choice) => !isFitting(choice))]
}

/** The entries of a blank are for an account, a product or a kind of lines. */
const hasSpelling = (
  { accounts = [], code, from, products = [] }: MappingBook["taxes"][number],
  { account = "", product = "", spelling }: UnmappedCode
): boolean =>
  spelling === ""
    ? accounts.includes(account) || products.includes(product)
    : code === spelling || from.includes(spelling)

const isFitting = ({ standing }: BookChoice): boolean => standing === "fits"

const together = (
  code: UnmappedCode,
  taxes: ReadonlyArray<DeviceTax>,
  book: ChoiceBook,
  mapped: ReadonlyArray<MappedTax>
): BookChoice => ({
  id: taxes.map(({ id }) => id).join("+"),
  words: taxes.map(taxText).join(", then "),
  standing: "fits",
  edits: taxes.map((tax) => editOf(code, tax, book, mapped, "one-of-several"))
})

const taxText = ({ id, name, percent, since, until }: DeviceTax): string => {
  const rate = percent === null ? "exempt" : `${formatPlain(percent)} %`
  const days = [...(since === null ? [] : [`from ${since}`]), ...(until === null ? [] : [`until ${until}`])].join(" ")
  return `${rate}${days === "" ? "" : ` ${days}`} (device tax ${id}${name === null || name === "" ? "" : `, ${name}`})`
}

/**
 * A code belongs to one device tax forever: the book's code for the tax, else a code that the
 * gateway maps to the tax, else a new code named after the spelling.
 */
const editOf = (
  code: UnmappedCode,
  tax: DeviceTax,
  book: ChoiceBook,
  mapped: ReadonlyArray<MappedTax>,
  among: "only" | "one-of-several"
): SpellingEdit => {
  const { account, product, spelling } = code
  const entry = book.taxes.find(({ device }) => device === tax.id)
  const own = mapped.filter(
    ({ destinationTaxId, taxCode }) => destinationTaxId === tax.id && !book.taxes.some((one) => one.code === taxCode)
  )
  const known = own.find(({ taxCode }) => taxCode === spelling.trim()) ?? own[0]
  return {
    what: "tax",
    spelling,
    code: entry?.code ?? known?.taxCode ?? newCode(spelling, tax.id, book, mapped, among),
    device: tax.id,
    name: (entry === undefined ? known?.taxName : undefined) ?? tax.name,
    percent: tax.percent === null ? null : formatPlain(tax.percent),
    since: tax.since,
    until: tax.until,
    account,
    product
  }
}

const newCode = (
  spelling: string,
  id: number,
  { taxes }: ChoiceBook,
  mapped: ReadonlyArray<MappedTax>,
  among: "only" | "one-of-several"
): string => {
  // a code of the gateway means its tax for ever
  const isTaken = (code: string) =>
    taxes.some((tax) => tax.code === code || tax.from.includes(code)) ||
    mapped.some(({ destinationTaxId, taxCode }) => taxCode === code && destinationTaxId !== id)
  const plain = spelling.trim()
  if (among === "only" && plain !== "" && !isTaken(plain)) return plain
  return `${plain === "" ? "TAX" : plain}-${id}`
}

const currencyChoices = (
  { spelling }: UnmappedCode,
  { currencies }: ChoiceBook,
  supported: ChoiceDevice["currencies"]
): ReadonlyArray<BookChoice> => {
  const own = spelling.toUpperCase()
  const codes = [...new Set([...(supported ?? []), ...currencies.map(({ code }) => code as string)])]
  const choices = codes.map((code): BookChoice => {
    const device = currencies.find((currency) => currency.code === code)?.device ?? code
    return {
      id: code,
      words: code,
      standing: code === own ? "fits" : "possible",
      edits: [{ what: "currency", spelling, code, device }]
    }
  })
  return [...choices.filter(isFitting), ...choices.filter((choice) => !isFitting(choice))]
}
