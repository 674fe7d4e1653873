import { FindingCode, StatedAmounts } from "@fiscal-connector/core/adapter"
import type { RowOrigin } from "../scan/Row.ts"
import { CsvFinding } from "./CsvFinding.ts"

export const codesByReason = (troubles: RowOrigin["troubles"]) =>
  FindingCode.withEvidenceElsewhere([
    ...Object.values(CsvFinding),
    ...Object.values(StatedAmounts.AmountFinding),
    ...Object.values(troubles ?? {})
  ])
