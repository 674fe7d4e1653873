/**
 * Every rule of the device (docs/gateway.md#rules) with its color, the consequence of a breach, and
 * the fix.
 */
import type { Color, Rule } from "./Rule.ts"

const consequences: Record<Color, string> = {
  red: "The device would accept the receipt, and the fiscal day could then not be closed until an employee of the authority repairs it. The document is not sent.",
  yellow: "The device would mark the receipt.",
  refuse: "The device would not take it. Nothing is sent to this device until the cause is gone."
}

export const rule = <const Code extends string>(
  code: Code,
  color: Color,
  meaning: string,
  fix: string
): Rule & { readonly code: Code } => ({
  code,
  color,
  severity: color === "yellow" ? "warning" : "error",
  meaning,
  consequence: consequences[color],
  fix
})

export const RCPT010 = rule(
  "RCPT010",
  "red",
  "The currency is unknown to the device",
  "Map it to a currency that the gateway lists as supported."
)
export const RCPT013 = rule(
  "RCPT013",
  "red",
  "The number has been used before",
  "Numbers are unique for a taxpayer for ever, invoices and credit notes together: give the document another in the source."
)
export const RCPT014 = rule(
  "RCPT014",
  "yellow",
  "The date is not after the opening of the fiscal day",
  "Send it as a historical batch, or date it after the last day's close."
)
export const RCPT015 = {
  ...rule(
    "RCPT015",
    "red",
    "The credit note names no original invoice",
    "State the invoice it credits, in the export, or settle it by hand."
  ),
  answers: [{ ask: "original" }, { ask: "originals" }]
} as const
export const RCPT016 = rule("RCPT016", "red", "The document has no lines", "Export the document with its lines.")
export const RCPT017 = rule("RCPT017", "red", "A line has no mapped tax", "Add its tax code to the mapping book.")
export const RCPT019 = rule(
  "RCPT019",
  "red",
  "The total of an inclusive document is not the sum of its lines",
  "Correct the lines or the total in the source."
)
export const RCPT021 = rule(
  "RCPT021",
  "red",
  "Tax above 0 % by a taxpayer not registered for VAT",
  "Use a code without tax, or register the device's taxpayer for VAT."
)
export const RCPT022 = rule(
  "RCPT022",
  "red",
  "A unit price is not above 0",
  "State discounts as discounts; leave lines without a price out."
)
export const RCPT023 = rule(
  "RCPT023",
  "red",
  "A quantity is not above 0",
  "State the quantity in the source; returns belong on a credit note."
)
export const RCPT024 = rule(
  "RCPT024",
  "red",
  "A line's total is not price × quantity − discount",
  "Export unit prices with all their places, up to 6."
)
export const RCPT025 = rule(
  "RCPT025",
  "red",
  "The device does not apply this tax on the document's date",
  "Compare the mapping book with the device's taxes; a new rate is a new code with `since`."
)
export const RCPT026 = rule(
  "RCPT026",
  "red",
  "The tax is not what the device computes",
  "Tax is computed per tax code on the sum of its lines; see `rounding` of the mapping book."
)
export const RCPT027 = rule(
  "RCPT027",
  "red",
  "The taxed amount is not total less tax",
  "SubTotal is Total − TotalTax, in inclusive documents too."
)
export const RCPT030 = rule(
  "RCPT030",
  "red",
  "The receipt date is not later than the previous receipt's",
  "Send documents in the order of their dates; a late one can be restamped."
)
/**
 * Yellow on the device, but refused here: a receipt dated in the future puts every later receipt
 * before it (RCPT030).
 */
export const RCPT031 = {
  ...rule(
    "RCPT031",
    "yellow",
    "The receipt date is in the future",
    "Wait until its date, or correct it in the source."
  ),
  severity: "error",
  consequence:
    "The device would mark the receipt, and refuse every other one until that date. The document is not sent."
} as const
export const RCPT032 = rule(
  "RCPT032",
  "red",
  "The original invoice is not known to be fiscalised",
  "Import the invoice first, or register it among the originals fiscalised elsewhere."
)
export const RCPT033 = rule(
  "RCPT033",
  "red",
  "The original invoice is older than 12 months",
  "Ask the authority how to credit it."
)
export const RCPT034 = rule(
  "RCPT034",
  "red",
  "The credit note states no reason",
  "State it in the source, or set `defaults.creditReason` of the mapping book."
)
export const RCPT035 = rule(
  "RCPT035",
  "red",
  "Credits exceed the original invoice",
  "Credit at most the remaining amount; credit notes being sent count."
)
export const RCPT036 = rule(
  "RCPT036",
  "red",
  "The credit note has a tax that is not on its original",
  "Use the original's tax codes, those of its date."
)
export const RCPT037 = rule(
  "RCPT037",
  "red",
  "The total of an exclusive document is not its lines plus taxes",
  "Correct the lines or the total in the source."
)
export const RCPT038 = rule(
  "RCPT038",
  "red",
  "The total is not the sum of the tax groups",
  "Correct the lines or the total in the source."
)
export const RCPT040 = rule(
  "RCPT040",
  "red",
  "The total is below 0",
  "A return is a credit note with positive amounts."
)
export const RCPT041 = {
  ...rule(
    "RCPT041",
    "yellow",
    "The receipt is dated later than the longest fiscal day allows (taxPayerDayMaxHrs of the device)",
    "If the marks are acceptable, do nothing. Else close the fiscal day, and import the documents of one fiscal day at a time, with a close between them."
  ),
  consequence:
    "The device marks the receipt. The plan of an import says how many receipts its own dates prove; more can be marked, since the opening of the running day cannot be seen from here."
}
export const RCPT042 = rule(
  "RCPT042",
  "red",
  "The currency is not the original's",
  "A credit note has the currency of the invoice it credits."
)
export const RCPT043 = rule(
  "RCPT043",
  "red",
  "The buyer has no name or no TIN",
  "State both, and say which field of the export is the buyer's TIN; or set `defaults.cashBuyer` of the mapping book, e.g. `Cash sale {name}`."
)
export const RCPT047 = rule(
  "RCPT047",
  "red",
  "A line has no HS code",
  "Export a product code, or set `defaults.productCode` of the mapping book."
)
export const RCPT048 = rule(
  "RCPT048",
  "red",
  "An HS code has the wrong length",
  "8 digits; 4 are enough only where the tax is above 0 %. For a SKU or an item name, state its HS code in `productCodes` of the mapping book."
)

/** All receipt rules, in the order of their codes. */
export const receiptRules: ReadonlyArray<Rule> = [
  RCPT010,
  RCPT013,
  RCPT014,
  RCPT015,
  RCPT016,
  RCPT017,
  RCPT019,
  RCPT021,
  RCPT022,
  RCPT023,
  RCPT024,
  RCPT025,
  RCPT026,
  RCPT027,
  RCPT030,
  RCPT031,
  RCPT032,
  RCPT033,
  RCPT034,
  RCPT035,
  RCPT036,
  RCPT037,
  RCPT038,
  RCPT040,
  RCPT041,
  RCPT042,
  RCPT043,
  RCPT047,
  RCPT048
]
