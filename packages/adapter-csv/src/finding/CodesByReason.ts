/**
 * Finding codes that only the reason column shows when refused rows are imported again: this
 * adapter's codes, and the table's.
 */
import { withEvidenceElsewhere } from "@fiscal-connector/core/finding/FindingCode"
import { AmountFinding } from "@fiscal-connector/core/source/StatedAmounts"
import type { RowOrigin } from "../scan/Row.ts"
import { CsvFinding } from "./CsvFinding.ts"

export const codesByReason = (troubles: RowOrigin["troubles"]) =>
  withEvidenceElsewhere([
    ...Object.values(CsvFinding),
    ...Object.values(AmountFinding),
    ...Object.values(troubles ?? {})
  ])
