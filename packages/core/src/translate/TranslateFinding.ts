import { catalogue } from "../finding/FindingCode.ts"

const refused = "The document is refused and not sent."
const contradicted =
  "The document is refused and not sent, because a stated value would be replaced and no stated total proves the translation. If a stated total proves the translation, this is a warning."

export const TranslateFinding = catalogue({
  NUMBER_MISSING: {
    severity: "error",
    meaning: "The document has no number",
    consequence: refused,
    fix: "Give the document its number in the source and export again."
  },
  DATE_MISSING: {
    severity: "error",
    meaning: "The date of the document is missing or cannot be read",
    consequence: `${refused} Without the date, the receipt date and the tax period are not known.`,
    fix: "State the date in the export."
  },
  DUE_BEFORE_ISSUED: {
    severity: "warning",
    meaning: "The due date of the document is before its date",
    consequence: "The document is sent with its date. Day and month of one of the two dates may be swapped.",
    fix: "Check both dates in the source, and check the order of day and month in which the export is read."
  },
  DATE_ZONE: {
    severity: "warning",
    meaning:
      "The date of the document has another time zone than the mapping book, and is another day in the mapping book's zone",
    consequence:
      "The document is sent with the point in time that it states; its receipt has the day of the mapping book's zone.",
    fix: "Check `zone` of the mapping book, and the zone in which the adapter reads local times."
  },
  CURRENCY_MISSING: {
    severity: "error",
    meaning: "The document states no currency",
    consequence: refused,
    fix: "Export the currency, or set one currency for the whole export (the adapter's option `currency`).",
    answers: [{ ask: "currency" }]
  },
  CURRENCY_UNMAPPED: {
    severity: "error",
    meaning: "The currency is not in the mapping book",
    consequence: refused,
    fix: "Add the spelling of the currency to `currencies` of the mapping book."
  },
  TAX_UNMAPPED: {
    severity: "error",
    meaning: "The tax code is not in the mapping book",
    consequence: `${refused} The device refuses a line without a tax (RCPT017).`,
    fix: "Add the spelling of the tax code to `taxes` of the mapping book."
  },
  TAX_OUT_OF_PERIOD: {
    severity: "error",
    meaning: "The tax code is in the mapping book, but not for this date",
    consequence: refused,
    fix: "Extend the period of the entry, or add an entry for the date. For a credit note, the date of its original counts."
  },
  TAX_SEVERAL: {
    severity: "error",
    meaning: "A line states several taxes",
    consequence: `${refused} A line can have only one tax code at the gateway.`,
    fix: "In the source, map the combination to one code or split the line."
  },
  TAX_PERCENT_DIFFERS: {
    severity: "error",
    meaning: "The source states another tax percent than the mapping book",
    consequence: contradicted,
    fix: "Check which percent is right on the document's date, then correct the source or `taxes` of the mapping book. Or export the document's total and tax: if they agree with the mapping book's percent, the document is sent."
  },
  TAX_AMOUNT_DIFFERS: {
    severity: "error",
    meaning: "The source states another tax amount for a line than the percent of the mapping book gives",
    consequence: contradicted,
    fix: "Check the line's tax code and tax in the source, and check whether amounts include tax. Or export the document's total and tax: if they agree with the mapping book's percent, the document is sent."
  },
  TAX_ON_UNTAXED: {
    severity: "error",
    meaning: "The source states that the document is untaxed, but the tax code of a line has a percent above 0",
    consequence: refused,
    fix: "Correct the tax code or the document's tax setting in the source."
  },
  DEFAULT_OVERRULES: {
    severity: "error",
    meaning:
      "A default of the mapping book, or a cash sale, would replace a value of a column or field that is not read",
    consequence: refused,
    fix: "State the meaning of the column or field, or list it as unread."
  },
  AMOUNTS_UNSTATED: {
    severity: "error",
    meaning: "The export does not state whether amounts include tax",
    consequence: `${refused} The same amounts can mean two different totals.`,
    fix: "Set inclusive or exclusive for the whole export (the adapter's option `amounts`), or in the column map.",
    answers: [{ settings: { amounts: "inclusive" } }, { settings: { amounts: "exclusive" } }]
  },
  LINE_INCOMPLETE: {
    severity: "error",
    meaning: "A line lacks its quantity or its unit price",
    consequence: refused,
    fix: "State quantity and unit price. If the line states its amount, set `policies.quantities` or `policies.unitPrices` of the mapping book to supply the missing one."
  },
  LINE_TEXT_ONLY: {
    severity: "error",
    meaning: "A line has a description and no amount",
    consequence: `${refused} The device refuses a line without a price.`,
    fix: "Set `policies.textLines` of the mapping book to `drop` or `append`."
  },
  LINE_NEGATIVE: {
    severity: "error",
    meaning: "A line has a negative amount",
    consequence: `${refused} The device accepts a negative amount only as a discount.`,
    fix: "Set `policies.negativeLines` of the mapping book to `as-discount`."
  },
  LINE_AMOUNT_MISMATCH: {
    severity: "error",
    meaning: "The amount of a line is not quantity × unit price − discount",
    consequence: `${refused} The device would mark the receipt (RCPT024).`,
    fix: "Export unit prices with all their decimal places, or set `policies.unitPrices` of the mapping book to `from-line-amount`."
  },
  LINE_TOTAL_DIFFERS: {
    severity: "error",
    meaning: "The stated amount of a line, with or without tax, differs from the amount to send",
    consequence: contradicted,
    fix: "Check the line's tax code and amounts in the source, and check whether amounts include tax. Or export the document's total and tax: if they agree, the document is sent."
  },
  UNIT_PRICE_DIFFERS: {
    severity: "error",
    meaning: "The stated unit price is not the rounded price that gives the line amount",
    consequence: contradicted,
    fix: "Correct the unit price, the quantity or the line amount in the source. Or export the document's total: if it agrees with the line amounts, the document is sent."
  },
  PRECISION_EXCEEDED: {
    severity: "error",
    meaning: "A number has more decimal places than the gateway accepts",
    consequence: `${refused} The number would have to be rounded, and no rounding is set.`,
    fix: "Round the number in the source: amounts to 2 decimal places, quantities and unit prices to 6 (DOC-8)."
  },
  LENGTH_EXCEEDED: {
    severity: "error",
    meaning: "A text is longer than the device accepts",
    consequence: refused,
    fix: "Shorten the text in the source (DOC-11). To shorten descriptions automatically, set `policies.longDescriptions` of the mapping book to `cut`."
  },
  DESCRIPTION_CUT: {
    severity: "warning",
    meaning: "The description of a line is longer than the device accepts, and is cut",
    consequence: "The receipt shows the beginning of the description.",
    fix: "If the beginning is sufficient, no action is needed."
  },
  KEY_UNSEEN: {
    severity: "error",
    meaning: "An identifier contains an invisible character",
    consequence: `${refused} Two numbers that look the same would be two documents, and a corrected export would send one document twice.`,
    fix: "Remove the character in the source, or in the export."
  },
  TEXT_CONTROL: {
    severity: "error",
    meaning: "A text to send contains a control character",
    consequence: refused,
    fix: "Remove the character in the source, or set `policies.controlCharacters` of the mapping book to `remove`."
  },
  TEXT_CLEANED: {
    severity: "warning",
    meaning: "Control characters in a text are removed",
    consequence: "The receipt shows a space in place of each control character.",
    fix: "If the text is right without them, no action is needed."
  },
  BUYER_LEFT_OUT: {
    severity: "warning",
    meaning: "The buyer has no name and no number, and is left out",
    consequence: "The document is sent as a sale to a walk-in customer, without the contact details.",
    fix: "If the buyer's name is known, state it in the source."
  },
  BUYER_NUMBER_SPACED: {
    severity: "error",
    meaning: "A number of the buyer contains spaces",
    consequence: refused,
    fix: "Write the number without spaces, or set `policies.numberSpaces` of the mapping book to `remove`."
  },
  BUYER_NUMBER_SHORT: {
    severity: "error",
    meaning: "A number of the buyer lacks one digit",
    consequence: `${refused} A spreadsheet may have removed a leading zero, or another digit is missing.`,
    fix: "Correct the number in the source. If only the leading zero is missing, set `policies.numberZeros` of the mapping book to `restore`."
  },
  CHARGE_UNDECIDED: {
    severity: "error",
    meaning: "The document has a charge or discount that is not on a line",
    consequence: `${refused} Without the charge or discount, the lines do not add up to the total.`,
    fix: "Set `policies.charges` of the mapping book to `as-line` or `as-line-taxed-like-lines`."
  },
  CHARGE_UNTAXED: {
    severity: "error",
    meaning: "A charge states no tax, and the tax of the lines is not used for it",
    consequence: `${refused} There is no default tax code.`,
    fix: "State the charge as a line with its tax in the source."
  },
  CHARGE_EQUALS_TAX: {
    severity: "error",
    meaning: "A charge or discount is exactly the tax of the lines, and no total is stated",
    consequence: `${refused} The amount may be the tax of the document, which the lines state already.`,
    fix: "If it is the tax, map its column as `tax`. Otherwise, export the total of each document as well."
  },
  DISCOUNT_UNPLACED: {
    severity: "error",
    meaning: "A discount is larger than the lines to which it belongs",
    consequence: refused,
    fix: "State the discount on the lines for which it was given."
  },
  DISCOUNT_WITHOUT_LINES: {
    severity: "error",
    meaning: "A discount has a tax that no line of the document has",
    consequence: refused,
    fix: "State the tax of the lines for which the discount was given. If the amount is not a discount, such as a fee that was kept, leave it out of the export."
  },
  DISCOUNT_OF_ALL: {
    severity: "error",
    meaning: "A line with a negative amount takes away the whole amount of the lines of its tax",
    consequence: refused,
    fix: "State it as a discount on these lines. If the lines were not sold, leave them out, or credit the invoice."
  },
  DISCOUNT_NOWHERE: {
    severity: "error",
    meaning: "The export states a discount of the document that is not in a line or a charge",
    consequence: `${refused} The lines may have their prices before the discount.`,
    fix: "State whether the column or field is a discount of the whole document, or a discount that the prices already include. A stated total would show it."
  },
  TOTAL_MISMATCH: {
    severity: "error",
    meaning: "The stated total is not the sum of the lines and taxes",
    consequence: `${refused} The device would mark the receipt (RCPT019, RCPT037).`,
    fix: "Correct the document in the source; a stated total is never changed."
  },
  LINES_TOTAL_MISMATCH: {
    severity: "error",
    meaning: "The stated amounts of the lines with tax add up to another total than the total to send",
    consequence: `${refused} The document states no total, so only the amounts of its lines show how much the customer was charged.`,
    fix: "Export the document's total, or correct the lines in the source."
  },
  TAX_TOTAL_MISMATCH: {
    severity: "error",
    meaning: "The stated tax or net amount differs from the amount that the device computes",
    consequence: refused,
    fix: "If the source rounds tax per line, set `rounding` of the mapping book to `as-inclusive`."
  },
  TAX_RESTATED: {
    severity: "warning",
    meaning: "The tax on the receipt differs from the tax in the source by a rounding",
    consequence: "The receipt has the total of the source, and the tax and net amount of the device.",
    fix: "If the difference that is shown is a rounding, no action is needed."
  },
  ROUNDING_UNSTATED: {
    severity: "warning",
    meaning: "No stated amount shows how tax is rounded, and the total depends on it",
    consequence: "The receipt has the total with the tax rounded once for each tax, as the device does.",
    fix: "If the source rounds the tax of each line, set `rounding` of the mapping book to `as-inclusive`. Otherwise no action is needed."
  },
  BUYER_FORM: {
    severity: "error",
    meaning: "A number of the buyer does not have the required form",
    consequence: refused,
    fix: "Correct the number in the source: a TIN has 10 digits, a VAT number has 9 (DOC-3)."
  },
  ADDRESS_INCOMPLETE: {
    severity: "warning",
    meaning: "The buyer's address is incomplete and is left out",
    consequence:
      "The receipt shows the buyer without an address, because the device accepts all four parts or none (DOC-11).",
    fix: "State province, street, house number and city, or set replacements for missing parts in `address` of the mapping book."
  },
  CONTACT_LEFT_OUT: {
    severity: "warning",
    meaning: "A contact detail of the buyer is longer than the device accepts, and is left out",
    consequence: "The receipt shows the buyer without this contact detail.",
    fix: "Shorten the contact detail in the source (DOC-11): a phone number to 20 characters, an e-mail address or a part of the address to 100."
  },
  PAYMENT_UNMAPPED: {
    severity: "error",
    meaning: "The payment method is not in the mapping book",
    consequence: refused,
    fix: "Add the spelling of the payment method to `payments` of the mapping book."
  },
  ORIGINAL_SEVERAL: {
    severity: "error",
    meaning: "A credit note credits several invoices",
    consequence: `${refused} A credit note can have only one original, and is never split.`,
    fix: "Name the original for the import, or set `policies.allocations` of the mapping book to `largest`.",
    answers: [{ ask: "original" }]
  }
})
