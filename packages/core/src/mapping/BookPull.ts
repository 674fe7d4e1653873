/**
 * Turns the gateway's mappings into entries of a mapping book: a draft for the operator to
 * complete, or additions to an existing book.
 */
import type { ApplicableTax } from "../gateway/operation/FiscalDevice.ts"
import { formatPlain } from "../document/Money.ts"
import * as BookSkeleton from "./BookSkeleton.ts"
import * as BookText from "./BookText.ts"
import type { GatewayMappings } from "./GatewayMappings.ts"
import type { MappingBook } from "./MappingBook.ts"

export interface PulledEntries {
  readonly taxes: ReadonlyArray<string>
  readonly currencies: ReadonlyArray<string>
  readonly comments: ReadonlyArray<string>
}

export const entries = (
  { currencies, deviceTaxes, taxes }: GatewayMappings,
  book: Pick<MappingBook, "taxes" | "currencies"> | undefined
): PulledEntries => {
  const knownTaxes = new Set<string>(book?.taxes.map(({ code }) => code))
  const knownCurrencies = new Set<string>(book?.currencies.map(({ code }) => code))
  const named = new Set([
    ...taxes.map(({ destinationTaxId }) => destinationTaxId),
    ...(book?.taxes ?? []).map(({ device }) => device)
  ])
  const pulled = taxes
    .filter(({ taxCode }) => !knownTaxes.has(taxCode) && knownTaxes.add(taxCode))
    .map((mapping) => ({ mapping, device: onlyOne(deviceTaxes ?? [], mapping.destinationTaxId) }))
  return {
    taxes: pulled.flatMap(({ device, mapping }) =>
      device === undefined ? [] : [taxEntry({ from: [], code: mapping.taxCode, name: mapping.taxName }, device)]
    ),
    currencies: currencies
      .filter(({ sourceCurrency }) => !knownCurrencies.has(sourceCurrency) && knownCurrencies.add(sourceCurrency))
      .map(({ destinationCurrency, sourceCurrency }) =>
        BookSkeleton.entry({ from: [], code: sourceCurrency, device: destinationCurrency })
      ),
    comments: [
      ...pulled.flatMap(({ device, mapping: { destinationTaxId, taxCode } }) =>
        device === undefined
          ? [`tax code ${taxCode} is mapped to device tax ${destinationTaxId}; its percent is not known`]
          : []
      ),
      ...(deviceTaxes ?? [])
        .filter(({ taxId }) => !named.has(taxId))
        .map((tax) => `not mapped yet: ${taxEntry({ from: [], code: "", name: tax.taxName }, tax)}`)
    ]
  }
}

const onlyOne = (deviceTaxes: ReadonlyArray<ApplicableTax>, id: number): ApplicableTax | undefined => {
  const ofId = deviceTaxes.filter(({ taxId }) => taxId === id)
  return ofId.length === 1 ? ofId[0] : undefined
}

const taxEntry = (
  head: { readonly from: ReadonlyArray<string>; readonly code: string; readonly name: string | null },
  { taxId, taxPercent, taxValidFrom, taxValidTill }: ApplicableTax
): string =>
  BookSkeleton.entry({
    from: head.from,
    ...(taxValidFrom !== null && { since: taxValidFrom }),
    ...(taxValidTill !== null && { until: taxValidTill }),
    code: head.code,
    ...(head.name !== null && { name: head.name }),
    device: taxId,
    percent: taxPercent === null ? null : formatPlain(taxPercent)
  })

/**
 * Returns the text of a whole book. The gateway does not state `zone`; without a zone, the draft
 * does not load until the operator has filled it in.
 */
export const draft = ({ comments, currencies, taxes }: PulledEntries, zone: string | undefined): string =>
  BookSkeleton.write({
    about: [],
    zone:
      zone === undefined
        ? { unknown: "the business zone, as +02:00 or Africa/Harare: the gateway does not say it" }
        : { known: zone },
    aboutTaxes: ['"from": the spellings of your export, as ["Standard", "15%"]; the code itself always is one'],
    taxes: taxes.map((entry) => ({ entry })),
    afterTaxes: comments,
    currencies: currencies.map((entry) => ({ entry })),
    payments: []
  })

/**
 * Returns a book's text with the entries added at the end of its lists. All other text stays,
 * including comments.
 */
export const addTo = (text: string, { comments, currencies, taxes }: PulledEntries): string =>
  BookText.append(BookText.append(text, "currencies", currencies), "taxes", taxes, comments)
