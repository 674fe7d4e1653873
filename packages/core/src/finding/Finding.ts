/** One thing found wrong in an export, a document, a batch or a mapping book, said so that a person can act on it. */
import type { Answer } from "./Answer.ts"
import type { FindingCode, Severity } from "./FindingCode.ts"
import type { Provenance } from "./Provenance.ts"
import type { Step } from "./Step.ts"

/** Where in a document: field names and indices from its root, as `["lines", 2, "quantity"]`. */
export type Path = ReadonlyArray<string | number>

/** A spelling of the export for which the mapping book has no entry. */
export interface Unmapped {
  readonly what: "tax" | "currency" | "payment method"
  readonly spelling: string
  /** Of a blank tax: what an entry for it would be limited to. */
  readonly account?: string
  readonly product?: string
  /** Of a tax: the day it is looked up on, and the percent that the export states for it. */
  readonly day?: string
  readonly percent?: string
}

/** Something to know about a document or an export, with its code and its place. */
export interface Finding {
  readonly _tag: "Finding"
  readonly code: string
  readonly severity: Severity
  /** What happened. Findings with the same code and message have the same cause and are shown as one. */
  readonly message: string
  /** The figures of this one case, e.g. the arithmetic that does not come out. */
  readonly detail: string | undefined
  readonly consequence: string
  readonly fix: string
  /** Any of these settles it without a change to the export. */
  readonly answers?: ReadonlyArray<Answer>
  /** What the connector can do about it, in this order. */
  readonly steps?: ReadonlyArray<Step>
  readonly path: Path
  readonly at: Provenance | undefined
  readonly unmapped?: Unmapped
}

/** What one finding says beyond its code. */
export interface Particulars {
  readonly message?: string
  readonly detail?: string
  readonly fix?: string
  readonly answers?: ReadonlyArray<Answer>
  readonly steps?: ReadonlyArray<Step>
  readonly path?: Path
  readonly at?: Provenance | undefined
  readonly unmapped?: Unmapped
}

/** A finding of the catalogue's code; what is not said in particular is said by the catalogue. */
export const make = (code: FindingCode, particulars: Particulars = {}): Finding => {
  const answers = particulars.answers ?? code.answers
  const steps = particulars.steps ?? code.steps
  return {
    _tag: "Finding",
    code: code.code,
    severity: code.severity,
    message: particulars.message ?? code.meaning,
    detail: particulars.detail,
    consequence: code.consequence,
    fix: particulars.fix ?? code.fix,
    path: particulars.path ?? [],
    at: particulars.at,
    ...(answers && { answers }),
    ...(steps && { steps }),
    ...(particulars.unmapped && { unmapped: particulars.unmapped })
  }
}

/**
 * A finding for a reason that a file of refused rows still states, and that its rows cannot show again. `release`: how the operator takes the
 * reason out.
 */
export const stillStated = (code: FindingCode, release: string, particulars: Particulars = {}): Finding =>
  make(code, {
    message: `${code.meaning}: an earlier import found it, and this file does not show whether it is corrected`,
    fix: `${code.fix} If the document is correct in this file, ${release}.`,
    ...particulars
  })

/** Whether the finding refuses what it is about. */
export const refuses = (finding: Finding): boolean => finding.severity === "error"
