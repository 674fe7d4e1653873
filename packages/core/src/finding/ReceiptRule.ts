/**
 * Every rule of the device (docs/gateway.md#rules) with its color, the consequence of a breach, and
 * the fix.
 */
import type { Color, Rule } from "./Rule.ts"

const consequences: Record<Color, string> = {
  red: "The document is not sent: the device would accept the receipt, but the fiscal day could not be closed until an employee of the authority repairs the receipt.",
  yellow: "The device would mark the receipt.",
  refuse: "Nothing is sent to this device until the cause is removed, because the device would refuse every receipt."
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
  "The device does not know the currency",
  "Map the currency to one that the gateway lists as supported."
)
export const RCPT013 = rule(
  "RCPT013",
  "red",
  "The number was used before",
  "Give the document another number in the source: a number can be used only once per taxpayer, for invoices and credit notes together."
)
export const RCPT014 = rule(
  "RCPT014",
  "yellow",
  "The date is not after the opening of the fiscal day",
  "Send the document as a historical batch, or give it a date after the close of the last fiscal day."
)
export const RCPT015 = {
  ...rule(
    "RCPT015",
    "red",
    "The credit note names no original invoice",
    "State the credited invoice in the export, or name the original for the import."
  ),
  answers: [{ ask: "original" }, { ask: "originals" }]
} as const
export const RCPT016 = rule("RCPT016", "red", "The document has no lines", "Export the document with its lines.")
export const RCPT017 = rule(
  "RCPT017",
  "red",
  "A line has a tax code that is not mapped",
  "Add the tax code of the line to the mapping book."
)
export const RCPT019 = rule(
  "RCPT019",
  "red",
  "The document's prices include tax, and its total is not the sum of its lines",
  "Correct the lines or the total in the source."
)
export const RCPT021 = rule(
  "RCPT021",
  "red",
  "The document has a tax above 0 %, and the taxpayer is not registered for VAT",
  "Use a code without tax, or register the device's taxpayer for VAT."
)
export const RCPT022 = rule(
  "RCPT022",
  "red",
  "A unit price is not above 0",
  "State a discount as a discount, and leave out lines without a price."
)
export const RCPT023 = rule(
  "RCPT023",
  "red",
  "A quantity is not above 0",
  "Correct the quantity in the source; state a return as a credit note."
)
export const RCPT024 = rule(
  "RCPT024",
  "red",
  "A line's total is not price × quantity − discount",
  "Export unit prices with all their decimal places, up to 6."
)
export const RCPT025 = rule(
  "RCPT025",
  "red",
  "The device does not apply this tax on the document's date",
  "Compare the mapping book with the device's taxes; for a new rate, add a new code with `since`."
)
export const RCPT026 = rule(
  "RCPT026",
  "red",
  "The tax differs from the tax that the device computes",
  "Check `rounding` of the mapping book: the device computes tax per tax code, on the sum of the lines."
)
export const RCPT027 = rule(
  "RCPT027",
  "red",
  "The taxed amount is not the total less the tax",
  "Set SubTotal to Total − TotalTax, also if the prices include tax."
)
export const RCPT030 = rule(
  "RCPT030",
  "red",
  "The receipt date is not later than the date of the previous receipt",
  "Send documents in the order of their dates; a late document can get the current date (`late` of the mapping book)."
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
    "Wait until the date of the document, or correct the date in the source."
  ),
  severity: "error",
  consequence:
    "The document is not sent: the device would mark the receipt and refuse every other receipt until that date."
} as const
export const RCPT032 = rule(
  "RCPT032",
  "red",
  "It is not known whether the original invoice is fiscalised",
  "Import the original invoice first, or register it among the originals that were fiscalised elsewhere."
)
export const RCPT033 = rule(
  "RCPT033",
  "red",
  "The original invoice is older than 12 months",
  "Ask the authority how to credit the invoice."
)
export const RCPT034 = rule(
  "RCPT034",
  "red",
  "The credit note states no reason",
  "State the reason in the source, or set `defaults.creditReason` of the mapping book."
)
export const RCPT035 = rule(
  "RCPT035",
  "red",
  "The credit notes credit more than the total of the original invoice",
  "Credit at most the amount that remains; credit notes that are being sent count as well."
)
export const RCPT036 = rule(
  "RCPT036",
  "red",
  "The credit note has a tax that is not on its original",
  "Use the tax codes of the original invoice that were valid on its date."
)
export const RCPT037 = rule(
  "RCPT037",
  "red",
  "The document's prices exclude tax, and its total is not its lines plus taxes",
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
  "Issue a return as a credit note with positive amounts."
)
export const RCPT041 = {
  ...rule(
    "RCPT041",
    "yellow",
    "The receipt date is later than the longest fiscal day allows (taxPayerDayMaxHrs of the device)",
    "If the marks are acceptable, no action is needed. Otherwise close the fiscal day, then import the documents of one fiscal day at a time and close the day after each import."
  ),
  consequence:
    "The device marks the receipt. The plan of an import shows how many receipts are certain to be marked; more can be marked, because the opening time of the current day is not known."
}
export const RCPT042 = rule(
  "RCPT042",
  "red",
  "The currency of the credit note differs from the currency of its original",
  "Issue the credit note in the currency of the invoice that it credits."
)
export const RCPT043 = rule(
  "RCPT043",
  "red",
  "The buyer has no name or no TIN",
  "State both, and state which field of the export is the buyer's TIN; or set `defaults.cashBuyer` of the mapping book, e.g. `Cash sale {name}`."
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
  "Use 8 digits; 4 digits are enough only if the tax is above 0 %. For a SKU or an item name, add its HS code to `productCodes` of the mapping book."
)

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
