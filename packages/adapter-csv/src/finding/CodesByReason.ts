/** The codes of which only the reason is evidence when refused rows come again: ours, and those of the table that is read. */
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
