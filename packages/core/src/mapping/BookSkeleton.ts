/** A mapping book to complete: `""` for unknown values, so that it does not load before. */
import { escaped } from "../document/EscapedText.ts"
import type { Money } from "../document/Money.ts"
import { formatPlain } from "../document/Money.ts"
import { known } from "../document/PaymentMethod.ts"

export const entry = (fields: Readonly<Record<string, unknown>>): string =>
  `{ ${Object.entries(fields)
    .map(([name, value]) => escaped(`${JSON.stringify(name)}: ${JSON.stringify(value)}`))
    .join(", ")} }`

/**
 * Writes text from exports and gateways as a comment; line breaks in the text cannot end the
 * comment.
 */
export const comment = (text: string): string => `// ${escaped(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " "))}`

export interface Skeleton {
  readonly about: ReadonlyArray<string>
  readonly zone: { readonly known: string } | { readonly unknown: string }
  readonly aboutTaxes: ReadonlyArray<string>
  readonly taxes: ReadonlyArray<DraftedEntry>
  readonly afterTaxes: ReadonlyArray<string>
  readonly currencies: ReadonlyArray<DraftedEntry>
  readonly payments: ReadonlyArray<DraftedEntry>
}

export interface DraftedEntry {
  readonly about?: string
  readonly entry: string
}

export const write = ({ about, aboutTaxes, afterTaxes, currencies, payments, taxes, zone }: Skeleton): string => {
  const comments = (texts: ReadonlyArray<string>) => texts.map((text) => `  ${comment(text)}`)
  return [
    "{",
    ...comments(about),
    '  "version": 1,',
    "known" in zone ? `  "zone": ${escaped(JSON.stringify(zone.known))},` : `  "zone": "", ${comment(zone.unknown)}`,
    ...comments(aboutTaxes),
    `  "taxes": ${list(taxes)},`,
    ...comments(afterTaxes),
    `  "currencies": ${list(currencies)}${payments.length > 0 ? "," : ""}`,
    ...(payments.length > 0 ? [`  "payments": ${list(payments)}`] : []),
    "}",
    ""
  ].join("\n")
}

const list = (entries: ReadonlyArray<DraftedEntry>): string => {
  const lines = entries.flatMap(({ about, entry }, i) => [
    ...(about === undefined ? [] : [comment(about)]),
    i < entries.length - 1 ? `${entry},` : entry
  ])
  return lines.length === 0 ? "[]" : `[\n    ${lines.join("\n    ")}\n  ]`
}

export interface FoundSpelling {
  readonly spelling: string
  readonly count: number
  readonly examples: ReadonlyArray<string>
  readonly percents?: ReadonlyArray<Money>
}

/** Spellings of an export that a book must know, as found by an adapter's `draftBook`. */
export interface FoundInExport {
  readonly taxes: ReadonlyArray<FoundSpelling>
  readonly currencies: ReadonlyArray<FoundSpelling>
  readonly payments: ReadonlyArray<FoundSpelling>
}

/**
 * Values that the export does not state are left to the operator: the device's taxes, percents, the
 * zone.
 */
export const ofExport = ({ currencies, payments, taxes }: FoundInExport, zone: string | undefined): string =>
  write({
    about: [
      'Drafted from an export. Fill in every "", then have it checked',
      ...(payments.length > 0 ? [`"method" of a payment: one of ${known.join(", ")}`] : [])
    ],
    zone:
      zone === undefined ? { unknown: "the business time zone, for example +02:00 or Africa/Harare" } : { known: zone },
    aboutTaxes: [
      '"code": your own code for the tax. Never reuse a code for another tax: a new rate is a new entry with "since", and the old entry gets "until"',
      '"device": the device\'s tax id; "percent": as "15", or null for exempt, which is not 0'
    ],
    taxes: taxes.map(taxEntry),
    afterTaxes: [],
    currencies: currencies.map(currencyEntry),
    payments: payments.map(paymentEntry)
  })

const taxEntry = (found: FoundSpelling): DraftedEntry => {
  const { percents = [], spelling } = found
  const [percent] = percents
  const several = percents.length > 1 ? `; ${percents.map(formatPlain).join(" % and ")} %, each a separate tax` : ""
  const isOne = percent !== undefined && percents.length === 1
  return {
    about: `${occurrence(found, "line")}${several}`,
    entry: entry({ from: [spelling], code: spelling, device: "", percent: isOne ? formatPlain(percent) : "" })
  }
}

const currencyEntry = (found: FoundSpelling): DraftedEntry => {
  const code = /^[A-Z]{3}$/.test(found.spelling) ? found.spelling : ""
  return {
    about: occurrence(found, "document"),
    entry: entry({ from: [found.spelling], code, device: code })
  }
}

const paymentEntry = (found: FoundSpelling): DraftedEntry => ({
  about: occurrence(found, "document"),
  entry: entry({ from: [found.spelling], method: methodNamed(found.spelling) })
})

export const methodNamed = (spelling: string): string =>
  known.find((method) => folded(method) === folded(spelling)) ?? ""

const folded = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, "")

const occurrence = ({ count, examples, spelling }: FoundSpelling, unit: "line" | "document"): string =>
  `${spelling}: ${count} ${unit}${count === 1 ? "" : "s"}, as in ${examples.join(", ")}`
