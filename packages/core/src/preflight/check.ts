/** Holds a document against the device's rules: pure, all findings at once. */
import type { CivilDate } from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import type { Translated } from "../translate/Translated.ts"
import { type CreditedInvoice, creditRules } from "./creditRules.ts"
import type { DeviceFacts } from "./DeviceFacts.ts"
import { deviceRules } from "./deviceRules.ts"
import { documentRules } from "./documentRules.ts"
import type { Rule, Tolerances, Violation } from "./Rule.ts"

/** Assumption DOC-7 unswitched: sums exact, a line's product within a cent. */
export const strict: Tolerances = { sums: Money.zero, lineProduct: Money.cent }

type Source = Pick<SourceDocument, "where">

const findingOf = (source: Source, rule: Rule) => (violation: Violation) =>
  Finding.make(rule, { ...violation, at: source.where(violation.path) })

/** Findings of the rules one document can be held against by itself, and of the device's where it is known. */
export const check = (
  source: Source,
  translated: Translated,
  {
    device,
    tolerances = strict
  }: { readonly device?: DeviceFacts | undefined; readonly tolerances?: Tolerances | undefined } = {}
): ReadonlyArray<Finding.Finding> => [
  ...documentRules.flatMap(({ check, rule, scope }) =>
    scope === "totals" && translated.completeness === "partial"
      ? []
      : Array.from(check(translated, tolerances), findingOf(source, rule))
  ),
  ...(device === undefined
    ? []
    : deviceRules.flatMap(({ check, rule }) => Array.from(check(translated, device), findingOf(source, rule))))
]

/** Findings of the rules a credit note is held against beside its original; `day` is the note's own. */
export const checkCredit = (
  source: Source,
  note: Translated,
  original: CreditedInvoice,
  day: CivilDate
): ReadonlyArray<Finding.Finding> =>
  creditRules.flatMap(({ check, rule }) => Array.from(check(note, original, day), findingOf(source, rule)))
