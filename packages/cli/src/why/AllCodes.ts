/** Every code that this command can show: core's, and those of the adapters it composes. */
import { CsvFinding } from "@fiscal-connector/adapter-csv/CsvFinding"
import { XeroFinding } from "@fiscal-connector/adapter-xero-like/XeroFinding"
import type { CodeEntry } from "@fiscal-connector/core/connector/CodeEntry"
import { coreCodes, ofCatalogue } from "@fiscal-connector/core/connector/KnownCodes"

export const allCodes: ReadonlyArray<CodeEntry> = [
  ...coreCodes,
  ...ofCatalogue("Findings about a CSV export", CsvFinding),
  ...ofCatalogue("Findings about a Xero-shaped export", XeroFinding)
]
