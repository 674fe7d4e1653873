import type { CivilDate } from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import type { Translated } from "../translate/Translated.ts"
import { type CreditedInvoice, creditRules } from "../credit/creditRules.ts"
import type { DeviceFacts } from "./DeviceFacts.ts"
import { deviceRules } from "./deviceRules.ts"
import { documentRules, type Tolerances } from "./documentRules.ts"
import { relax } from "../mapping/Relaxation.ts"
import type { Violation } from "../finding/Rule.ts"

/** Default of assumption DOC-7: sums exact, a line's product within a cent. */
export const strict: Tolerances = { sums: Money.zero, lineProduct: Money.cent }

type DocumentOrigin = Pick<SourceDocument, "where">

const findingOf = (source: DocumentOrigin, rule: FindingCode, violation: Violation) =>
  Finding.make(rule, { ...violation, at: source.where(violation.path) })

const findingsOf = (source: DocumentOrigin, rule: FindingCode, violations: Iterable<Violation>) =>
  Array.from(violations, (violation) => findingOf(source, rule, violation))

export interface CheckOptions {
  readonly device?: DeviceFacts | undefined
  readonly tolerances?: Tolerances | undefined
  readonly book?: Pick<MappingBook, "relaxed"> | undefined
}

export const check = (
  source: DocumentOrigin,
  translated: Translated,
  { book, device, tolerances = strict }: CheckOptions = {}
): ReadonlyArray<Finding.Finding> => {
  const found: Array<Finding.Finding> = []
  for (const { check, rule, scope } of documentRules) {
    if (scope === "totals" && translated.completeness === "partial") continue
    for (const violation of check(translated, tolerances)) found.push(findingOf(source, rule, violation))
  }
  if (device !== undefined) {
    for (const { check, rule } of deviceRules) {
      for (const violation of check(translated, device)) found.push(findingOf(source, rule, violation))
    }
  }
  return relax(found, book)
}

export const checkCredit = (
  source: DocumentOrigin,
  note: Translated,
  original: CreditedInvoice,
  day: CivilDate,
  book?: CheckOptions["book"]
): ReadonlyArray<Finding.Finding> =>
  relax(
    creditRules.flatMap(({ check, rule }) => findingsOf(source, rule, check(note, original, day))),
    book
  )
