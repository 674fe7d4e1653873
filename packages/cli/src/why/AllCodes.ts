/** Every code that this command can show: the codes of core and of the adapters. */
import { CsvFinding } from "@fiscal-connector/adapter-csv/CsvFinding"
import { XlsxFinding } from "@fiscal-connector/adapter-xlsx/XlsxFinding"
import { KitFinding } from "@fiscal-connector/adapter-kit/KitFinding"
import { XeroFinding } from "@fiscal-connector/adapter-xero-like/XeroFinding"
import type { CodeEntry } from "@fiscal-connector/core/unstable/codes/CodeEntry"
import { coreCodes, ofCatalogue } from "@fiscal-connector/core/unstable/codes/KnownCodes"
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import { systemCodes } from "./SystemCodes.ts"
import { flagOf } from "../output/AnswerFlag.ts"

/** Adds the deciding flags to the fix, if any. */
const withFlags = (catalogue: Readonly<Record<string, FindingCode>>): Readonly<Record<string, FindingCode>> =>
  Object.fromEntries(
    Object.entries(catalogue).map(([code, entry]) => {
      const flags = (entry.answers ?? []).map((answer) => `\`${flagOf(answer)}\``)
      return [code, flags.length === 0 ? entry : { ...entry, fix: `${entry.fix} Flags: ${flags.join(", ")}.` }]
    })
  )

export const allCodes: ReadonlyArray<CodeEntry> = [
  ...coreCodes,
  ...ofCatalogue("Findings about a CSV export", withFlags(CsvFinding)),
  ...ofCatalogue("Findings about an Excel workbook", withFlags(XlsxFinding)),
  ...ofCatalogue("Findings about an export that an adapter of the kit reads", withFlags(KitFinding)),
  ...ofCatalogue("Findings about a Xero-shaped export", withFlags(XeroFinding)),
  ...systemCodes
]
