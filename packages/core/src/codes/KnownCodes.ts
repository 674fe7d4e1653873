import type { FindingCode } from "../finding/FindingCode.ts"
import { ImportFinding } from "../import/ImportFinding.ts"
import { BookFinding } from "../mapping/BookFinding.ts"
import { NotTakenFinding } from "../submission/KeptImport.ts"
import { MappingFinding } from "../mapping/MappingFinding.ts"
import { AllocationFinding, CreditFinding } from "../credit/CreditFinding.ts"
import { DateFinding } from "../dating/DateFinding.ts"
import { deviceCodes } from "../preflight/DeviceReadiness.ts"
import { FactFinding } from "../preflight/deviceRules.ts"
import { receiptRules } from "../finding/ReceiptRule.ts"
import type { Rule } from "../finding/Rule.ts"
import { InputFinding } from "../source/InputFinding.ts"
import { AmountFinding } from "../source/StatedAmounts.ts"
import { LiveSourceFinding } from "../source/LiveSourceFinding.ts"
import { SourceFinding } from "../source/SourceFinding.ts"
import { TranslateFinding } from "../translate/TranslateFinding.ts"
import type { CodeEntry } from "./CodeEntry.ts"
import { ConfigFinding } from "../configuration/ConfigFinding.ts"
import { DoctorFinding } from "../attention/DoctorFinding.ts"
import { eventCodes } from "./EventCodes.ts"
import { AccountFinding } from "../account/AccountFinding.ts"
import { ZReportFinding } from "../day/ZReportFinding.ts"

export const ofCatalogue = (
  group: string,
  catalogue: Readonly<Record<string, FindingCode>>
): ReadonlyArray<CodeEntry> =>
  Object.values(catalogue).map(({ code, consequence, fix, meaning, severity, steps }) => ({
    code,
    group,
    severity,
    meaning,
    consequence,
    fix,
    ...(steps && { steps })
  }))

const ofRules = (rules: ReadonlyArray<Rule>): ReadonlyArray<CodeEntry> =>
  rules.flatMap((rule) => ofCatalogue(`Rules of the fiscal device (${colors[rule.color]})`, { [rule.code]: rule }))

const colors: Readonly<Record<Rule["color"], string>> = {
  red: "red: the day cannot be closed",
  yellow: "yellow: the receipt is marked",
  refuse: "the device takes nothing"
}

/** Codes of earlier versions, which stored imports may still have. */
const formerlyNotRead = ["AMOUNTS_NOT_READ", "WORDS_NOT_READ", "CSV_COLUMNS_IGNORED", "CSV_FIGURES_UNREAD"]

const former = Object.fromEntries(
  formerlyNotRead.map((code) => [
    code,
    { ...SourceFinding.STATEMENTS_NOT_READ, code, meaning: "Earlier code of STATEMENTS_NOT_READ" }
  ])
)

export const coreCodes: ReadonlyArray<CodeEntry> = [
  ...ofRules([...receiptRules, ...deviceCodes].toSorted((a, b) => a.color.localeCompare(b.color))),
  ...ofCatalogue("Findings about a reading of an adapter", { ...SourceFinding, ...AmountFinding }),
  ...ofCatalogue("Findings about a document handed over by a program", InputFinding),
  ...ofCatalogue("Findings about a source that is read live", LiveSourceFinding),
  ...ofCatalogue("Findings of translating a document", TranslateFinding),
  ...ofCatalogue("Findings about a receipt date", DateFinding),
  ...ofCatalogue("Findings about a credit note beside its original", CreditFinding),
  ...ofCatalogue("Findings about a fact that the gateway does not state as documented", FactFinding),
  ...ofCatalogue("Findings about a whole import", { ...ImportFinding, ...AllocationFinding, ...NotTakenFinding }),
  ...ofCatalogue("Findings about a mapping book", BookFinding),
  ...ofCatalogue("Findings between book, gateway and device", MappingFinding),
  ...ofCatalogue("Findings about a configuration", ConfigFinding),
  ...ofCatalogue("Findings about an account, before anything is sent", AccountFinding),
  ...ofCatalogue("Findings of the doctor", DoctorFinding),
  ...ofCatalogue("Findings about a Z-report", ZReportFinding),
  ...ofCatalogue("Findings of earlier versions", former),
  ...eventCodes
]
