/** Totals are compared with the document; payments and costs are not totals. */
import { BigDecimal } from "effect"
import type { Money } from "../document/Money.ts"
import { catalogue } from "../finding/FindingCode.ts"
import type { SourceDocument } from "./SourceDocument.ts"
import { normalize } from "./StatedWords.ts"

/** Findings about columns, fields and titles that are not read. */
export const AmountFinding = catalogue({
  WORD_CONTRADICTS: {
    severity: "error",
    meaning: "A column or field that is not read contradicts the document",
    consequence: "The document is refused and not sent.",
    // a title, a sheet or a file name, which a file of refused rows does not contain
    evidence: "elsewhere",
    fix: "Find out which value is right. Correct the wrong one in the source and export again, or remove the column or field from the file. For CSV and Excel files, a column map can read the column or list it in `unread`."
  },
  AMOUNT_CONTRADICTS: {
    severity: "error",
    meaning: "A column that is not read states another amount than the document to send",
    consequence:
      "The document is refused and not sent, because the column states the total of most documents of the file, the net amount or the tax of all others, or a figure of the document in another currency, or its name is the name of a total.",
    fix: "Find out which total is right. Let a column map read the column as `total`, or list the column in `unread` if it states another amount.",
    evidence: "elsewhere"
  },
  TOTAL_UNWITNESSED: {
    severity: "error",
    meaning: "Numbers that are not read could change the total, and no column states the total",
    consequence:
      "The documents with these numbers are refused, because each number may be a discount or a charge that the total lacks.",
    fix: "State in a column map what the numbers are: `discountPercent`, `discount` or another field; or list the columns in `unread` if they do not change the total. Or export the total of each document as well.",
    evidence: "elsewhere"
  },
  AMOUNT_REPEATED: {
    severity: "error",
    meaning: "The rows of a document repeat one amount, which may be the amount of a row or of the document",
    consequence:
      "The document is refused, because the sum of its rows would be sent, and no document of the file shows that the column states amounts of rows.",
    fix: "If each row has this amount, list the column in `rowAmounts` of the column map. If it is the amount of the document, export the file with the amounts of the rows, or map a discount as `documentDiscount`.",
    evidence: "elsewhere"
  }
})

/** Names of a document's total, tax included, in the languages of known exports. */
export const totalNames =
  "Total|Grand Total|Doc Total|Invoice Amount|TotalAmount|Total Amount|Gross Val|Invoice Total|order_total|Order Total Amount|" +
  "Gesamtbetrag|Bruttosumme|Rechnungsbetrag|Gesamt brutto|Summe brutto|Total TTC|Importe total|Totaal|Totaal incl. btw|" +
  "Gesamtsumme|Endbetrag|Montant total TTC|Total con IVA|Total com IVA|Totaalbedrag|Totaal incl btw|" +
  "Totale|Totale fattura|Totale documento|Totale lordo"

const totals = new Set(totalNames.split("|").map(normalize))

/** True if a column of this name states the document's total. */
export const statesTotal = (name: string): boolean => totals.has(normalize(name))

/**
 * Names of a discount on a whole document, or of the sum of its line discounts. The discount of one
 * line has other names.
 */
const discountNames =
  "Total Discount|Total Discounts|Discount Total|Discounts Total|Total Discount Amount|Discount Amount Total|Document Discount|Document Discount Amount|Order Discount|" +
  "Cart Discount|Cart Discount Amount|Global Discount|Overall Discount|Invoice Discount|Invoice Discount Amount|Entity Discount Amount|Additional Discount Amount|" +
  "amount_discount|DiscountAmt|Gesamtrabatt|Rabatt gesamt|Summe Rabatt|Remise globale|Remise totale|Total remise|Sconto totale|Totale sconto|Korting totaal|" +
  "Totaal korting|Descuento global|Descuento total|Total descuento|Desconto global|Desconto total|Total desconto"

const discounts = new Set(discountNames.split("|").map(normalize))

/** True if an amount of this name is a discount of the document. */
export const statesDiscount = (name: string): boolean => discounts.has(normalize(name))

/**
 * Parts of the names of payments: amounts paid, due or refunded, which equal the total of many
 * documents and never change it.
 */
const payments =
  /paid|paym|payed|balance|\bdue|outstanding|owed|owing|remaining|deposit|advance|tender|cash|card|bank|wallet|collected|received|settle|refund|previous|running|cumul|zahl|offen|saldo|rest|erstatt|payé|dû|solde|rembours|paga|reembols|betaald|openstaand|rimbors/

const changing =
  /discount|rebate|rabatt|nachla(?:ss|ß)|skonto|remise|sconto|korting|descuent|descont|\bfees?\b|levy|charge|interest|rounding|\boff\b|restaurant/

const others =
  /open|due|credit|voucher|write|return|cost|fee|commission|tip|gratuity|margin|profit|budget|limit|insur|estimat|round|base|company|home|local|foreign|exchange|convert|signed|kosten|gebühr|coût|frais|costo|custo|coste/

/** True if an amount of this name is a payment, which does not change the total. */
export const isPayment = (name: string): boolean => {
  const lower = name.toLowerCase()
  return payments.test(lower) && !changing.test(lower)
}

const methods =
  /^(?:(?:eco)?cash|(?:credit |debit )?card|visa|mastercard|eft|(?:bank )?transfer|bank|cheque|swipe|(?:mobile )?wallet|mobile ?money|bar|karte|carte|überweisung|espèces|virement|efectivo|tarjeta|contant|contanti)$/i

/** True if a value names how a document was paid, as `Cash`. */
export const isMethodOfPayment = (text: string): boolean => methods.test(text.trim())

/** True if an amount of this name may differ from the total without a contradiction. */
export const isApart = (name: string): boolean => {
  const lower = name.toLowerCase()
  return payments.test(lower) || others.test(lower)
}

const nouns = "no|nr|nro|num|number|numero|número|nummer|id|code|ref|reference|seq|index|key"
const places =
  "line|row|pos|position|page|store|shop|branch|till|terminal|register|warehouse|site|year|month|week|day|quarter|zip|postcode|phone|tel|fax|" +
  "zeile|seite|filiale|jahr|monat|woche|plz|telefon|ligne|magasin|année|mois|línea|tienda|año|mes|riga|negozio|anno|mese|linha|loja|ano|mês|regel|winkel|jaar|maand"
const entities = "invoice|order|customer|client|item|product|article|document|account|batch|job|project|po|sale"

const known = new Set(`${nouns}|${places}|${entities}`.split("|"))
const enough = new Set(`${nouns}|${places}`.split("|"))

/** True if a whole number of this name counts or identifies something, as `Line No`. */
export const isLabel = (name: string): boolean => {
  const parts =
    name
      .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  return parts.every((part) => known.has(part)) && parts.some((part) => enough.has(part))
}

/** Returns every figure of the document: its totals, charges, lines and taxes. */
export const figuresOf = ({ charges, lines, totals }: SourceDocument): ReadonlyArray<Money> => [
  ...Object.values(totals),
  ...charges.map(({ amount }) => amount),
  ...lines.flatMap((line) => [
    ...[line.quantity, line.unitPrice, line.lineAmount].flatMap((figure) => figure ?? []),
    ...Object.values(line.totals ?? {}),
    ...Object.values(line.discount ?? {}),
    ...line.taxes.flatMap(({ amount, percent }) => [amount, percent].flatMap((figure) => figure ?? []))
  ])
]

/** Tests for one of the figures, in either sign: sources write credit notes in both. */
export const isAmong = (value: Money, figures: ReadonlyArray<Money>): boolean =>
  figures.some((figure) => BigDecimal.equals(BigDecimal.abs(figure), BigDecimal.abs(value)))
