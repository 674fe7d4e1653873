/** A finding about a row that belongs to no document, with the row, so that it comes back among the refused ones. */
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import type { Row } from "../scan/Row.ts"

export class RowFinding implements Finding {
  readonly _tag = "Finding"
  readonly code: string
  readonly severity: Finding["severity"]
  readonly message: string
  readonly detail: string | undefined
  readonly consequence: string
  readonly fix: string
  declare readonly answers?: NonNullable<Finding["answers"]>
  readonly path: Finding["path"]
  readonly at: Finding["at"]
  readonly row: Row

  constructor(finding: Finding, row: Row) {
    this.code = finding.code
    this.severity = finding.severity
    this.message = finding.message
    this.detail = finding.detail
    this.consequence = finding.consequence
    this.fix = finding.fix
    if (finding.answers !== undefined) this.answers = finding.answers
    this.path = finding.path
    this.at = finding.at
    this.row = row
  }
}
