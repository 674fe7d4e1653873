/**
 * Known violations with their reasons: counted separately, and removed from here once fixed. A
 * reason excuses only violations about the documents that it concerns.
 */
import { type Law, otherTotals, type Violation } from "./Law.ts"

export interface KnownViolation {
  readonly because: string
}

/** Documents of a run about which a violation may be known. */
export interface Excuses {
  /** Documents with an attempt that an operator gave up with a newer store. */
  readonly givenUp: ReadonlySet<string>
  /** Documents with an attempt that an unnoticed older copy lacks. */
  readonly unnoticed: ReadonlySet<string>
  /**
   * Documents that were sent through an unnoticed copy before a closed day or a receipt number
   * could show it: only these may have a second receipt.
   */
  readonly unshown: ReadonlySet<string>
  /** Documents whose quiet period an operator overrode. */
  readonly overridden: ReadonlySet<string>
  /** Documents that an operator called not processed although the gateway worked on them. */
  readonly misstated: ReadonlySet<string>
  /** True if an operator executed listed actions without looking. */
  readonly isBlind: boolean
}

export const none: Excuses = {
  givenUp: new Set(),
  unnoticed: new Set(),
  unshown: new Set(),
  overridden: new Set(),
  misstated: new Set(),
  isBlind: false
}

const afterGivenUp: KnownViolation = {
  because: "an operator accepted an older copy of the store, and it lacks an attempt of the document"
}

const afterUnnoticed: KnownViolation = {
  because: "nothing told the older copy from the store, and it lacks an attempt of the document"
}

const afterOverride: KnownViolation = {
  because: "an operator overrode the quiet period of the document, and its last request arrived after all"
}

const afterMisstatement: KnownViolation = {
  because: "an operator called the document not processed, and its date does not count any more"
}

const afterCorrection: KnownViolation = {
  because:
    "an operator called the document not processed, and its correction has another total, which no gateway compares"
}

const afterBlindness: KnownViolation = {
  because: "an operator executed a listed action without looking"
}

/** Laws that hold even then. */
const alwaysHold: ReadonlySet<Law> = new Set<Law>([
  "store",
  "witness",
  "request-id",
  "defect",
  "leak",
  "spinning",
  "transition",
  "fence",
  "forgery",
  "attention",
  "attention-action"
])

/** Laws about the order of receipts. */
const ofOrder: ReadonlySet<Law> = new Set<Law>(["receipt-date", "chronological", "colored", "close"])

/** Returns the violations of a run without the known ones. */
export const unexplained = ({
  excuses,
  violations
}: {
  readonly excuses: Excuses
  readonly violations: ReadonlyArray<Violation>
}): ReadonlyArray<Violation> => violations.filter((violation) => knownViolationOf(excuses, violation) === undefined)

/** Returns true if each occurrence of the violation is about one of the documents. */
const isAbout = (documents: ReadonlySet<string>, { occurrences }: Violation): boolean =>
  documents.size > 0 && occurrences.every((about) => about.some((document) => documents.has(document)))

/**
 * Returns why the violation is known. After an acceptance, every planned document is held, and the
 * operator looks in the portal: no second receipt is known, and no document stays planned.
 */
export const knownViolationOf = (excuses: Excuses, violation: Violation): KnownViolation | undefined => {
  const { law, text } = violation
  const { givenUp, isBlind, misstated, overridden, unnoticed, unshown } = excuses
  if (alwaysHold.has(law)) return undefined
  if (isAbout(overridden, violation)) return afterOverride
  if (law === "stranded" && text.startsWith("Planned")) return undefined
  if (isAbout(law === "double" ? unshown : unnoticed, violation)) return afterUnnoticed
  if (law === "double") {
    return text.endsWith(otherTotals) && isAbout(misstated, violation) ? afterCorrection : undefined
  }
  if (isAbout(givenUp, violation)) return afterGivenUp
  // one occurrence may be about a document of one reason, and the next about one of another
  if (ofOrder.has(law) && isAbout(misstated.union(givenUp).union(unnoticed), violation)) return afterMisstatement
  return isBlind ? afterBlindness : undefined
}
