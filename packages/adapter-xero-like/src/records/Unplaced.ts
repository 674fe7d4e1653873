/** A finding about a record that is no document, with the record, so that it can be written back. */
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import type { Kept } from "./Kept.ts"

export class Unplaced implements Finding {
  readonly _tag = "Finding"
  readonly code: Finding["code"]
  readonly severity: Finding["severity"]
  readonly message: Finding["message"]
  readonly detail: Finding["detail"]
  readonly consequence: Finding["consequence"]
  readonly fix: Finding["fix"]
  readonly path: Finding["path"]
  readonly at: Finding["at"]
  readonly kept: Kept

  constructor(finding: Finding, kept: Kept) {
    this.code = finding.code
    this.severity = finding.severity
    this.message = finding.message
    this.detail = finding.detail
    this.consequence = finding.consequence
    this.fix = finding.fix
    this.path = finding.path
    this.at = finding.at
    this.kept = kept
  }
}
