import { BigDecimal, Option } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import type { Path } from "../finding/Finding.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { CurrencyEntry, PaymentEntry, ProductCodeEntry, TaxEntry } from "./BookEntry.ts"
import { BookFinding } from "./BookFinding.ts"

export type Indexed<Entry> = Entry & { readonly index: number }

export interface Entries {
  readonly taxes: ReadonlyArray<Indexed<TaxEntry>>
  readonly currencies: ReadonlyArray<Indexed<CurrencyEntry>>
  readonly payments: ReadonlyArray<Indexed<PaymentEntry>>
  readonly productCodes: ReadonlyArray<Indexed<ProductCodeEntry>>
}

export interface BookProblem {
  readonly code: FindingCode
  readonly path: Path
  readonly message: string
}

export function* contradictions({ currencies, payments, productCodes, taxes }: Entries): Generator<BookProblem> {
  for (const { code, index, since, until } of taxes) {
    if (since === undefined || until === undefined || since <= until) continue
    const message = `${code} ends on ${until}, before ${since}`
    yield { code: BookFinding.BOOK_PERIOD_REVERSED, path: ["taxes", index, "until"], message }
  }
  for (const { accounts = [], from, index, lines, products = [] } of taxes) {
    const limits = accounts.length + products.length + (lines === undefined ? 0 : 1)
    if (from.includes("") ? limits > 0 && from.length === 1 : limits === 0) continue
    const message = from.includes("")
      ? '"" means every line without a tax code'
      : '"accounts", "products" and "lines" are limits of a blank'
    yield { code: BookFinding.BOOK_BLANK_UNLIMITED, path: ["taxes", index, "from"], message }
  }
  for (const [earlier, later] of pairs(taxes)) {
    if (later.code !== earlier.code || sameDeviceTax(later, earlier)) continue
    const message = `${later.code} is ${deviceTax(earlier)} and ${deviceTax(later)}`
    yield { code: BookFinding.BOOK_CODE_REUSED, path: ["taxes", later.index, "code"], message }
  }
  yield* ambiguities(
    "taxes",
    taxes.map((tax) => ({
      ...tax,
      spellings: [tax.code, ...tax.from.filter((spelling) => spelling !== ""), ...blanksOf(tax)],
      meaning: tax.code
    }))
  )
  yield* ambiguities(
    "currencies",
    currencies.map(({ code, device, from, index }) => {
      const meaning = code === device ? code : `${code} (${device})`
      return { index, spellings: [code, ...from], meaning }
    })
  )
  yield* ambiguities(
    "payments",
    payments.map(({ from, index, method }) => ({ index, spellings: from, meaning: method }))
  )
  for (const spellingsOf of [
    ({ from }: ProductCodeEntry) => from,
    ({ descriptions }: ProductCodeEntry) => descriptions
  ]) {
    yield* ambiguities(
      "productCodes",
      productCodes.map((entry) => ({ ...entry, spellings: spellingsOf(entry), meaning: entry.productCode }))
    )
  }
}

/**
 * One spelling for each limit (lines, account, product) of a blank, so that two entries with one
 * limit are found.
 */
const blanksOf = ({ accounts = [], lines, percent, products = [] }: TaxEntry): ReadonlyArray<string> => [
  ...(lines === undefined ? [] : [lines === "amounts" ? `" at ${percent} %` : `" of ${lines} lines`]),
  ...accounts.map((account) => `" of account "${account}`),
  ...products.map((product) => `" of product "${product}`)
]

const sameDeviceTax = (a: TaxEntry, b: TaxEntry): boolean => a.device === b.device && samePercent(a.percent, b.percent)

const samePercent = (a: TaxEntry["percent"], b: TaxEntry["percent"]): boolean =>
  a === null || b === null
    ? a === b
    : Option.makeEquivalence(BigDecimal.Equivalence)(Money.parse(String(a)), Money.parse(String(b)))

const deviceTax = ({ device, percent }: TaxEntry): string =>
  `device tax ${device} ${percent === null ? "as exempt" : `at ${percent} %`}`

interface SpellingMeaning {
  readonly index: number
  readonly spellings: ReadonlyArray<string>
  readonly meaning: string
  readonly since?: CivilDate
  readonly until?: CivilDate
}

/** Only entries that share a spelling: there may be thousands of product codes. */
function* ambiguities(list: keyof Entries, meanings: ReadonlyArray<SpellingMeaning>): Generator<BookProblem> {
  const bySpelling = new Map<string, Array<SpellingMeaning>>()
  for (const later of meanings) {
    for (const spelling of new Set(later.spellings)) {
      const others = bySpelling.get(spelling) ?? []
      for (const earlier of others) {
        if (earlier.meaning === later.meaning || !overlap(earlier, later)) continue
        const message = `"${spelling}" is both ${earlier.meaning} and ${later.meaning} at the same time`
        yield { code: BookFinding.BOOK_SPELLING_AMBIGUOUS, path: [list, later.index], message }
      }
      bySpelling.set(spelling, [...others, later])
    }
  }
}

const overlap = (a: SpellingMeaning, b: SpellingMeaning): boolean =>
  (a.since ?? "") <= (b.until ?? "9999-12-31") && (b.since ?? "") <= (a.until ?? "9999-12-31")

function* pairs<A>(entries: ReadonlyArray<A>): Generator<readonly [earlier: A, later: A]> {
  for (const [i, later] of entries.entries()) {
    for (const earlier of entries.slice(0, i)) yield [earlier, later]
  }
}
