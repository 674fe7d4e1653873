/** Reasons why a source document cannot become a fiscal document. Device rules are in preflight. */
import { catalogue } from "../finding/FindingCode.ts"

const refused = "The document is refused; nothing of it is sent."
const contradicted =
  "A stated value would be overruled, and no stated total proves the translation: the document is refused. If a stated total proves the translation, this is a warning."

export const TranslateFinding = catalogue({
  NUMBER_MISSING: {
    severity: "error",
    meaning: "The document has no number",
    consequence: refused,
    fix: "Give it its number in the source and export again."
  },
  DATE_MISSING: {
    severity: "error",
    meaning: "The document states no date that could be read",
    consequence: "No receipt date and no tax period could be found without guessing. " + refused,
    fix: "State the date in the export."
  },
  DUE_BEFORE_ISSUED: {
    severity: "warning",
    meaning: "The document is due before it is dated",
    consequence: "The document is sent with its date. Day and month of one of the two may be swapped.",
    fix: "Check both dates in the source, and the order of day and month with which the export is read."
  },
  DATE_ZONE: {
    severity: "warning",
    meaning: "The document is dated in another zone than the mapping book's, and is of another day there",
    consequence:
      "The document is sent at the point in time that it states. Its receipt has the day of the mapping book's zone.",
    fix: "Check the zone of the mapping book, and the zone in which the adapter reads local times."
  },
  CURRENCY_MISSING: {
    severity: "error",
    meaning: "The document states no currency",
    consequence: refused,
    fix: "Export the currency, or settle one for the whole export (the adapter's option `currency`).",
    answers: [{ ask: "currency" }]
  },
  CURRENCY_UNMAPPED: {
    severity: "error",
    meaning: "The mapping book does not know the currency",
    consequence: refused,
    fix: "Add the spelling to `currencies` of the mapping book."
  },
  TAX_UNMAPPED: {
    severity: "error",
    meaning: "The mapping book does not know the tax code",
    consequence: "A line without a tax is refused by the device (RCPT017). " + refused,
    fix: "Add the spelling to `taxes` of the mapping book."
  },
  TAX_OUT_OF_PERIOD: {
    severity: "error",
    meaning: "The mapping book knows the tax code, but not on this date",
    consequence: refused,
    fix: "Extend the entry's period, or add the entry of that time. For a credit note the date of its original counts."
  },
  TAX_SEVERAL: {
    severity: "error",
    meaning: "A line states several taxes",
    consequence: "The wire carries one tax code per line; choosing one of them would be a guess. " + refused,
    fix: "Map the combination to one code in the source, or split the line there."
  },
  TAX_PERCENT_DIFFERS: {
    severity: "error",
    meaning: "The source states another percent than the mapping book",
    consequence: contradicted,
    fix: "Check which of them is right on the document's date: correct the source, or give the spelling another entry in `taxes` of the mapping book. Export the document's total and tax as well: where they come out with the book's percent, it is sent."
  },
  TAX_AMOUNT_DIFFERS: {
    severity: "error",
    meaning: "The source states another tax on a line than the mapping book's percent gives",
    consequence: contradicted,
    fix: "Check the line's tax code and its tax in the source, and whether amounts include tax. Export the document's total and tax as well: where they come out with the book's percent, it is sent."
  },
  TAX_ON_UNTAXED: {
    severity: "error",
    meaning: "The document is stated as untaxed, but a line's tax code has a percent above 0",
    consequence: refused,
    fix: "Correct the tax code or the document's tax setting in the source."
  },
  WORD_CONTRADICTS: {
    severity: "error",
    meaning: "A column or field that is not read contradicts the document",
    consequence: refused,
    fix: "Find out which of the two is right. Correct the other in the source and export again, or take the column or field out of the file. In CSV and Excel files a column map can also read the column, or list it in `unread`."
  },
  DEFAULT_OVERRULES: {
    severity: "error",
    meaning:
      "A default of the mapping book, or a cash sale, would replace a value that the export states and that is not mapped",
    consequence: refused,
    fix: "Say what the column or field is, or that it is to be left unread."
  },
  AMOUNTS_UNSTATED: {
    severity: "error",
    meaning: "The export does not say whether amounts include tax",
    consequence: "The same figures mean two different totals. " + refused,
    fix: "Settle it for the whole export (the adapter's option `amounts`), or in the column map: inclusive or exclusive.",
    answers: [{ settings: { amounts: "inclusive" } }, { settings: { amounts: "exclusive" } }]
  },
  LINE_INCOMPLETE: {
    severity: "error",
    meaning: "A line lacks a figure",
    consequence: refused,
    fix: "State quantity and unit price. Of a line that states its amount, `policies.quantities` and `policies.unitPrices` of the mapping book may supply the one that is missing."
  },
  LINE_TEXT_ONLY: {
    severity: "error",
    meaning: "A line has a description and no amount",
    consequence: "The device refuses a line without a price. " + refused,
    fix: "Set `policies.textLines` of the mapping book to `drop` or `append`."
  },
  LINE_NEGATIVE: {
    severity: "error",
    meaning: "A line has a negative amount",
    consequence: "The device takes discounts only as discounts. " + refused,
    fix: "Set `policies.negativeLines` of the mapping book to `as-discount`."
  },
  LINE_AMOUNT_MISMATCH: {
    severity: "error",
    meaning: "The line amount is not quantity × unit price − discount",
    consequence: "The device would mark the receipt (RCPT024). " + refused,
    fix: "Export unit prices with all their places, or set `policies.unitPrices` of the mapping book to `from-line-amount`."
  },
  LINE_TOTAL_DIFFERS: {
    severity: "error",
    meaning: "The stated amount of a line with or without tax differs from the amount to send",
    consequence: contradicted,
    fix: "Check the line's tax code and amounts in the source, and whether amounts include tax. Export the document's total and tax as well: where they come out, the document is sent."
  },
  UNIT_PRICE_DIFFERS: {
    severity: "error",
    meaning: "The stated unit price is not a rounding of the price that gives the line amount",
    consequence: contradicted,
    fix: "Correct the unit price, the quantity or the line amount in the source. Export the document's total as well: where it comes out with the line amounts, the document is sent."
  },
  PRECISION_EXCEEDED: {
    severity: "error",
    meaning: "A number has more decimal places than the gateway takes",
    consequence: "It would have to be rounded, and no rounding is set. " + refused,
    fix: "Round it in the source: amounts to 2 places, quantities and unit prices to 6 (DOC-8)."
  },
  LENGTH_EXCEEDED: {
    severity: "error",
    meaning: "A text is longer than the device takes",
    consequence: refused,
    fix: "Shorten it in the source (DOC-11). Descriptions may be cut: set `policies.longDescriptions` of the mapping book to `cut`."
  },
  DESCRIPTION_CUT: {
    severity: "warning",
    meaning: "A line's description is longer than the device takes and is cut",
    consequence: "The receipt shows its beginning.",
    fix: "No action needed if the beginning says what was sold."
  },
  KEY_UNSEEN: {
    severity: "error",
    meaning: "An identifier has an invisible character",
    consequence:
      "Two documents whose numbers look the same would be two, and a corrected export would send one twice. " + refused,
    fix: "Take the character out in the source, or in the export."
  },
  TEXT_CONTROL: {
    severity: "error",
    meaning: "A text that is sent has a control character",
    consequence: refused,
    fix: "Take it out in the source, or set `policies.controlCharacters` of the mapping book to `remove`."
  },
  TEXT_CLEANED: {
    severity: "warning",
    meaning: "Control characters of a text are left out",
    consequence: "The receipt shows a space for them.",
    fix: "No action needed if the text is right without them."
  },
  BUYER_LEFT_OUT: {
    severity: "warning",
    meaning: "The buyer has no name and is left out",
    consequence: "The document is sent as one to a walk-in, without the contact details.",
    fix: "State the buyer's name in the source, if it is known."
  },
  BUYER_NUMBER_SPACED: {
    severity: "error",
    meaning: "A buyer's number is written with spaces",
    consequence: refused,
    fix: "Write it without, or set `policies.numberSpaces` of the mapping book to `remove`."
  },
  BUYER_NUMBER_SHORT: {
    severity: "error",
    meaning: "A buyer's number lacks one digit",
    consequence: "A spreadsheet may have dropped a leading zero, or a digit is missing elsewhere. " + refused,
    fix: "Correct it in the source, or set `policies.numberZeros` of the mapping book to `restore` where it is the leading zero."
  },
  CHARGE_UNDECIDED: {
    severity: "error",
    meaning: "The document has a charge or discount that is not on a line",
    consequence: "Without it the lines do not add up to the total. " + refused,
    fix: "Set `policies.charges` of the mapping book to `as-line` or `as-line-taxed-like-lines`."
  },
  CHARGE_UNTAXED: {
    severity: "error",
    meaning: "A charge states no tax, and does not take that of the lines",
    consequence: "No default tax code exists. " + refused,
    fix: "State the charge as a line with its tax in the source."
  },
  DISCOUNT_UNPLACED: {
    severity: "error",
    meaning: "A discount is larger than the lines it belongs to",
    consequence: refused,
    fix: "State it on the lines it was given for."
  },
  DISCOUNT_NOWHERE: {
    severity: "error",
    meaning: "The export states a discount of the document that neither a line nor a charge has",
    consequence: "The lines may be at their prices before the discount. " + refused,
    fix: "Say what the column or field is: a discount of the whole document, or one that the prices have already. A stated total would show it."
  },
  TOTAL_MISMATCH: {
    severity: "error",
    meaning: "The stated total is not what the lines and taxes add up to",
    consequence: "The device would mark the receipt (RCPT019, RCPT037). " + refused,
    fix: "Correct the document in the source; a stated total is never altered."
  },
  LINES_TOTAL_MISMATCH: {
    severity: "error",
    meaning: "The lines' stated amounts with tax add up to another total than would be sent",
    consequence: "The document states no total, so its lines state what the customer was charged. " + refused,
    fix: "Export the document's total as well, or correct the lines in the source."
  },
  TAX_TOTAL_MISMATCH: {
    severity: "error",
    meaning: "The stated tax or net amount is not what the device computes",
    consequence: refused,
    fix: "If the source rounds tax per line, set `rounding` of the mapping book to `as-inclusive`."
  },
  TAX_RESTATED: {
    severity: "warning",
    meaning: "The tax on the receipt differs from the source's by a rounding",
    consequence: "The total is the source's; tax and net amount are the device's.",
    fix: "No action needed if the difference shown is a rounding."
  },
  BUYER_FORM: {
    severity: "error",
    meaning: "A buyer's number does not have its form",
    consequence: refused,
    fix: "Correct it in the source: a TIN has 10 digits, a VAT number 9 (DOC-3)."
  },
  ADDRESS_INCOMPLETE: {
    severity: "warning",
    meaning: "The buyer's address is incomplete and is left out",
    consequence: "The receipt shows the buyer without an address; the device takes all four parts or none (DOC-11).",
    fix: "State province, street, house number and city, or say in `address` of the mapping book what to put for the parts that are missing."
  },
  CONTACT_LEFT_OUT: {
    severity: "warning",
    meaning: "A contact detail of the buyer is longer than the device takes and is left out",
    consequence: "The receipt names the buyer without it.",
    fix: "Shorten it in the source (DOC-11): a phone number to 20 characters, an e-mail address or a part of the address to 100."
  },
  PAYMENT_UNMAPPED: {
    severity: "error",
    meaning: "The mapping book does not know the payment method",
    consequence: refused,
    fix: "Add the spelling to `payments` of the mapping book."
  },
  ORIGINAL_SEVERAL: {
    severity: "error",
    meaning: "A credit note credits several invoices",
    consequence: "A credit note names one original and is never split. " + refused,
    fix: "Settle by hand which of them it credits, or set `policies.allocations` of the mapping book to `largest`.",
    answers: [{ ask: "original" }]
  }
})
