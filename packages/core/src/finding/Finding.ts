/**
 * A problem in an export, a document, a batch or a mapping book, with the information needed to
 * act.
 */
import type { Answer } from "./Answer.ts"
import type { FindingCode, Severity } from "./FindingCode.ts"
import type { Provenance } from "./Provenance.ts"
import type { Statement } from "./Statement.ts"
import type { Step } from "./Step.ts"

/**
 * Place within a document: field names and indices from its root, as `["lines", 2, "quantity"]`.
 */
export type Path = ReadonlyArray<string | number>

/** A spelling of the export without an entry in the mapping book. */
export interface Unmapped {
  readonly what: "tax" | "currency" | "payment method"
  readonly spelling: string
  /** For a blank tax: the limit of a new entry. */
  readonly account?: string
  readonly product?: string
  /** For a tax: the day of the lookup, and the percent that the export states. */
  readonly day?: string
  readonly percent?: string
}

/** A problem of a document or an export, with code and place. */
export interface Finding {
  readonly _tag: "Finding"
  readonly code: string
  readonly severity: Severity
  /**
   * Description of the problem. Findings with the same code and message have the same cause and are
   * shown as one.
   */
  readonly message: string
  /** Figures of this case, such as arithmetic that does not add up. */
  readonly detail: string | undefined
  readonly consequence: string
  readonly fix: string
  /** Answers, each of which settles the finding without a change to the export. */
  readonly answers?: ReadonlyArray<Answer>
  /** Actions of the connector, in order. */
  readonly steps?: ReadonlyArray<Step>
  readonly path: Path
  readonly at: Provenance | undefined
  readonly unmapped?: Unmapped
  /** Statements of a file, for the finding that names those that are not read. */
  readonly statements?: ReadonlyArray<Statement>
  /** Subject of the operator's answer that the finding follows from. */
  readonly becauseOf?: string
}

/** Details of one finding in addition to its code. */
export interface Particulars {
  readonly message?: string
  readonly detail?: string
  readonly fix?: string
  readonly answers?: ReadonlyArray<Answer>
  readonly steps?: ReadonlyArray<Step>
  readonly path?: Path
  readonly at?: Provenance | undefined
  readonly unmapped?: Unmapped
  readonly statements?: ReadonlyArray<Statement>
}

/** Builds a finding. Details not given come from the catalog entry. */
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
    ...(particulars.unmapped && { unmapped: particulars.unmapped }),
    ...(particulars.statements && { statements: particulars.statements })
  }
}

/**
 * Builds a finding for a reason that a file of refused rows still states but that its rows cannot
 * show again. `release`: instruction for removing the reason.
 */
export const stillStated = (code: FindingCode, release: string, particulars: Particulars = {}): Finding =>
  make(code, {
    message: `${code.meaning}: an earlier import found it, and this file does not show whether it is corrected`,
    fix: `${code.fix} If the document is correct in this file, ${release}.`,
    ...particulars
  })

/** True if the finding is an error, which refuses its document or rows. */
export const refuses = (finding: Finding): boolean => finding.severity === "error"
