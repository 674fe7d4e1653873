/** A mapping book as text for you to complete: JSON with comments, in which what nobody knows yet is `""`, so that it does not load before. */
import { escaped } from "../document/EscapedText.ts"
import type { Money } from "../document/Money.ts"
import { formatPlain } from "../document/Money.ts"
import { known } from "../document/PaymentMethod.ts"

/** An entry of one of the book's lists on a line of its own. */
export const entry = (fields: Readonly<Record<string, unknown>>): string =>
  `{ ${Object.entries(fields)
    .map(([name, value]) => escaped(`${JSON.stringify(name)}: ${JSON.stringify(value)}`))
    .join(", ")} }`

/** Text from exports and gateways as a comment, which ends with its line whatever the text has in it. */
export const comment = (text: string): string => `// ${escaped(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " "))}`

/** The parts of a book as lines of text. */
export interface Skeleton {
  /** Comments at the head. */
  readonly about: ReadonlyArray<string>
  /** The business zone, or why it is not known. */
  readonly zone: { readonly known: string } | { readonly unknown: string }
  /** What a person should know before they complete the taxes. */
  readonly aboutTaxes: ReadonlyArray<string>
  readonly taxes: ReadonlyArray<DraftedEntry>
  /** Comments after the taxes. */
  readonly afterTaxes: ReadonlyArray<string>
  readonly currencies: ReadonlyArray<DraftedEntry>
  readonly payments: ReadonlyArray<DraftedEntry>
}

export interface DraftedEntry {
  /** What the entry is drafted from; shown above it. */
  readonly about?: string
  readonly entry: string
}

/** The text of a whole book; a list of payments stands only where there are some. */
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

/** A spelling of the export: how often it occurs, up to three documents that have it and, of a tax, the percents the export states for it. */
export interface Found {
  readonly spelling: string
  readonly count: number
  readonly examples: ReadonlyArray<string>
  readonly percents?: ReadonlyArray<Money>
}

/** What of an export a book must know, as an adapter's `draftBook` finds it. */
export interface FoundInExport {
  readonly taxes: ReadonlyArray<Found>
  readonly currencies: ReadonlyArray<Found>
  readonly payments: ReadonlyArray<Found>
}

/** A draft from what occurs in an export. What the export does not say is left to the person: the device's taxes, percents, the zone. */
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

const taxEntry = (found: Found): DraftedEntry => {
  const { percents = [], spelling } = found
  const [percent] = percents
  const several = percents.length > 1 ? `; ${percents.map(formatPlain).join(" % and ")} %, each a separate tax` : ""
  const isOne = percent !== undefined && percents.length === 1
  return {
    about: `${occurrence(found, "line")}${several}`,
    entry: entry({ from: [spelling], code: spelling, device: "", percent: isOne ? formatPlain(percent) : "" })
  }
}

const currencyEntry = (found: Found): DraftedEntry => {
  const code = /^[A-Z]{3}$/.test(found.spelling) ? found.spelling : ""
  return {
    about: occurrence(found, "document"),
    entry: entry({ from: [found.spelling], code, device: code })
  }
}

const paymentEntry = (found: Found): DraftedEntry => ({
  about: occurrence(found, "document"),
  entry: entry({ from: [found.spelling], method: methodNamed(found.spelling) })
})

/** The payment method that a spelling names, whatever its case and spaces; `""` where only a person can say. */
export const methodNamed = (spelling: string): string =>
  known.find((method) => folded(method) === folded(spelling)) ?? ""

const folded = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, "")

const occurrence = ({ count, examples, spelling }: Found, unit: "line" | "document"): string =>
  `${spelling}: ${count} ${unit}${count === 1 ? "" : "s"}, as in ${examples.join(", ")}`
