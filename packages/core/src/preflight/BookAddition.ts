/** Suggests book entries for unknown spellings; never writes the book. Pure. */
import { formatPlain } from "../document/Money.ts"
import * as BookSkeleton from "../mapping/BookSkeleton.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { DeviceFacts, DeviceTax } from "./DeviceFacts.ts"
import { candidates, overlap, type UnmappedCode } from "./Unmapped.ts"

export interface BookAddition {
  readonly list: "taxes" | "currencies" | "payments"
  /**
   * An entry in the book's syntax, with `""` for values that only the operator knows; or an
   * instruction to extend an existing entry.
   */
  readonly text: string
}

type BookCodes = Pick<MappingBook, "taxes" | "currencies">
type DeviceCodes = Pick<DeviceFacts, "taxes" | "currencies">

/**
 * Returns the suggested additions. Several if a tax of the export corresponds to several taxes of
 * the device, in successive periods.
 */
export const of = (code: UnmappedCode, book: BookCodes, device: DeviceCodes): ReadonlyArray<BookAddition> => {
  switch (code.what) {
    case "tax":
      return taxAdditions(code, book, device.taxes ?? [])
    case "currency":
      return [currencyAddition(code.spelling, book, device.currencies)]
    case "payment method": {
      const method = BookSkeleton.methodNamed(code.spelling)
      return [{ list: "payments", text: BookSkeleton.entry({ from: [code.spelling], method }) }]
    }
  }
}

const taxAdditions = (
  code: UnmappedCode,
  book: BookCodes,
  taxes: ReadonlyArray<DeviceTax>
): ReadonlyArray<BookAddition> => {
  const { account, percents, product, spelling } = code
  const limits = { ...(account && { accounts: [account] }), ...(product && { products: [product] }) }
  // without a percent the tax is ambiguous; of two taxes valid on one day, only the operator can
  // choose
  const meant = percents.length === 0 ? [] : candidates(code, taxes)
  const isSettled = meant.length > 0 && !overlap(meant)
  const isKnown = book.taxes.some((tax) => tax.code === spelling || tax.from.includes(spelling))
  // a code belongs to one device tax forever
  const own = isKnown || (isSettled ? meant : percents).length > 1 ? "" : spelling
  if (!isSettled) {
    const [only, ...others] = percents
    // 0 is ambiguous: an export also states 0 for exempt
    const percent = only === undefined || only === "0" || others.length > 0 ? "" : only
    const period = isKnown ? { since: "", until: "" } : {}
    const text = BookSkeleton.entry({ from: [spelling], ...limits, ...period, code: own, device: "", percent })
    return [{ list: "taxes", text }]
  }
  return meant.map(({ id, name, percent, since, until }): BookAddition => {
    const entry = book.taxes.find((tax) => tax.device === id)
    const text =
      entry === undefined || spelling === ""
        ? BookSkeleton.entry({
            from: [spelling],
            ...limits,
            ...(since !== null && { since }),
            ...(until !== null && { until }),
            code: entry?.code ?? own,
            ...(entry === undefined && name !== null && name !== "" && { name }),
            device: id,
            percent: percent === null ? null : formatPlain(percent)
          })
        : entry.code === spelling || entry.from.includes(spelling)
          ? `the days ${code.since ?? ""} to ${code.until ?? ""} into the period of the entry ${entry.code}`
          : intoFrom(spelling, entry.code)
    return { list: "taxes", text }
  })
}

const currencyAddition = (spelling: string, book: BookCodes, supported: DeviceCodes["currencies"]): BookAddition => {
  const upper = spelling.toUpperCase()
  if (book.currencies.some(({ code }) => code === upper)) return { list: "currencies", text: intoFrom(spelling, upper) }
  const code = /^[A-Z]{3}$/.test(upper) ? upper : ""
  const device = supported === null || supported.has(code) ? code : ""
  return { list: "currencies", text: BookSkeleton.entry({ from: [spelling], code, device }) }
}

const intoFrom = (spelling: string, code: string): string =>
  `${JSON.stringify(spelling)} into "from" of the entry ${code}`
