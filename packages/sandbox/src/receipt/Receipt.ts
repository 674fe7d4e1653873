/** The gateway passes a document with its codes replaced by the mapped ones. */
import * as Result from "effect/Result"
import type { Document, Line } from "../wire/Document.ts"

export interface ReceiptLine extends Line {
  readonly taxId: number
}

export interface Receipt extends Omit<Document, "lines"> {
  readonly currency: string
  readonly lines: ReadonlyArray<ReceiptLine>
}

/** Mapped codes of the account. For a code mapped twice, the first mapping counts. */
export interface Codes {
  readonly taxIdOf: (taxCode: string) => number | undefined
  readonly currencyOf: (currencyCode: string) => string | undefined
  readonly supportedCurrencies: ReadonlyArray<string>
}

const unmappedTaxes = (document: Document, codes: Codes): string | undefined => {
  const missing = new Set<string>()
  for (const { taxCode } of document.lines) {
    if (taxCode === null) missing.add("a line without TaxCode")
    else if (codes.taxIdOf(taxCode) === undefined) missing.add(`TaxCode ${taxCode} is not mapped`)
  }
  return missing.size === 0 ? undefined : `RCPT017: ${[...missing].join("; ")}`
}

/**
 * Translates a document. Fails with the text that the gateway reports: RCPT010 for a currency that
 * is not mapped or not supported by the device, RCPT017 for a line whose tax is not mapped.
 */
export const fromDocument = (document: Document, codes: Codes): Result.Result<Receipt, string> => {
  const currency = codes.currencyOf(document.currencyCode)
  if (currency === undefined) return Result.fail(`RCPT010: currency ${document.currencyCode} is not mapped`)
  if (!codes.supportedCurrencies.includes(currency)) {
    return Result.fail(`RCPT010: currency ${currency} is not supported by the device`)
  }
  const unmapped = unmappedTaxes(document, codes)
  if (unmapped !== undefined) return Result.fail(unmapped)
  return Result.succeed({
    ...document,
    currency,
    lines: document.lines.map((line) => ({ ...line, taxId: codes.taxIdOf(line.taxCode ?? "") ?? 0 }))
  })
}
