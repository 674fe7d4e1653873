/**
 * Vocabulary of field names and values. A field with a known name is compared with the document
 * even if no layout and no column map reads it. Only a whole value that is a known word counts.
 */
import type { DocumentKind } from "../document/FiscalDocument.ts"

/**
 * Subject of a field that no adapter reads. `docstatus`: 0 draft, 1 issued, 2 canceled. `unissued`:
 * a mark such as Voided, Draft or Is Opening Entry. `credited`: a mark such as Is Return.
 */
export type Subject = NamedSubject | UnmappedSubject | TitleSubject

/**
 * Subject of a title above a table. `basis`: amounts with or without tax. `period`: a first and a
 * last day, as `2026-01-01/2026-01-31`.
 */
export type TitleSubject = "basis" | "period"

/**
 * Subject of values that only an operator can map: the buyer's name and number, and the code of an
 * item. No default of the mapping book and no walk-in buyer replaces these values.
 */
export type UnmappedSubject = "buyer-number" | "buyer-name" | "item-code"

/** Subject that a field name of the vocabulary states. */
export type NamedSubject =
  | "kind"
  | "credited"
  | "status"
  | "docstatus"
  | "unissued"
  | "original"
  | "currency"
  | "seller"
  | "taxable"
  | "exempt"

/**
 * State of a document. `issued`: a sale. `skip`: a draft, a void. `refunded`: issued, and the money
 * returned.
 */
export type StateMeaning = "issued" | "skip" | "refunded"
/** Kind of a document. `skip`: not a sale. */
export type KindMeaning = DocumentKind | "skip"
/**
 * Meanings of values. `stated`: the text itself is the statement, such as an original or a
 * currency.
 */
export const meanings = [
  "invoice",
  "credit-note",
  "skip",
  "issued",
  "refunded",
  "exempt",
  "taxable",
  "inclusive",
  "exclusive",
  "stated"
] as const
/** Meaning of a value. */
export type Meaning = (typeof meanings)[number]

/**
 * Normalizes a field name: no case, spaces, punctuation, leading `*` or byte order mark; `%` and
 * `#` count.
 */
export const normalize = (name: string): string =>
  name
    .replace(/^\ufeff/, "")
    .toLowerCase()
    .replaceAll(/[\s*._\-/():?!]+/g, "")

/** Normalizes a value: no case, and one space for blanks, dashes and underscores. */
export const folded = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")

const wordsOf = <Meant>(meanings: ReadonlyArray<readonly [Meant, string]>): ReadonlyMap<string, Meant> =>
  new Map(meanings.flatMap(([meaning, words]) => words.split("|").map((word) => [folded(word), meaning] as const)))

/** Field names of each subject, in the languages of known exports. */
export const names = {
  kind: "Kind|Document Kind|Type|Transaction Type|Vch Type|move_type|doc_type|Document Type|Invoice Type|Bilagstype|Event Type|Belegart|Typ|Art|Dokumenttyp|Dokumentart|Type de document|Tipo|Tipo de documento|Tipo documento|Tipo di documento|Soort|Soort document|Rechnungsart|Type de facture|Tipo de factura|Tipo de fatura|Factuursoort|Tipo fattura",
  credited: "Is Return (Credit Note)|Is Return|Is Credit Note|Is Refund|Is Credit",
  status:
    "Status|Invoice Status|Document Status|Order Status|Financial Status|State|Invoice State|Statut|Estado|Situação|Stato|Rechnungsstatus|Statut de la facture|Estado de factura|Estado factura|Estado da fatura|Factuurstatus|Stato fattura|Stato documento",
  docstatus: "Docstatus|Doc Status",
  unissued:
    "Cancelled|Canceled|Cancelled At|Canceled At|Cancelled On|Is Cancelled|Is Canceled|Voided|Void|Is Void|Is Voided|Voided At|Void Date|Deleted|Is Deleted|Deleted At|Draft|Is Draft|Is Opening Entry|Is Opening|Is Consolidated|Is Internal Customer|Is Debit Note|Is Rate Adjustment Entry (Debit Note)|Storniert|Annulé|Annulée|Anulado|Anulada|Cancelado|Cancelada|Geannuleerd|Annullato|Annullata|Entwurf|Brouillon|Bozza",
  original:
    "OriginalInvoice|OriginalInvoiceId|Return Against|Associated Invoice Number|Original Invoice|Original Invoice Number|reversed_entry_id|Credited Invoice|Originalrechnung|Ursprungsrechnung|Facture d'origine|Factura original|Fatura original|Oorspronkelijke factuur|Originele factuur|Fattura originale|Fattura di riferimento",
  currency:
    "Currency|Currency Code|currency_id|order_currency|Invoice Currency|Document Currency|Währung|Devise|Monnaie|Moneda|Divisa|Moeda|Valuta|Geldeenheid",
  seller:
    "Seller|Seller Name|Seller TIN|Seller ID|Selling Company|Legal Entity|Legal Entity ID|company_id|company_tax_id|Tenant ID|Realm ID|Organisation ID|Organization ID",
  taxable: "Taxable|Is Taxable|Item Taxable|Lineitem taxable|Steuerpflichtig",
  exempt: "Tax Exempt|Is Tax Exempt|Exempt|Is Exempt|Steuerfrei"
} as const satisfies { readonly [Name in NamedSubject]: string }

const unmappedNames = {
  "buyer-number":
    "TIN|Buyer TIN|Customer TIN|Client TIN|TaxNumber|Tax Number|Tax ID|Tax Registration Number|Customer Tax Number|Customer VAT|VAT Number|VAT Reg No|VAT Registration Number|Business Number|GSTIN|Party GSTIN|USt-IdNr|Steuernummer|NIF|NIF cliente|Numéro de TVA|Partita IVA|BTW-nummer",
  "buyer-name":
    "Customer Name|Customer|Client Name|Client|Contact Name|Party Name|Buyer|Buyer Name|Bill To|Billing Name|Billed To|Kunde|Kundenname|Nom du client|Cliente|Nombre del cliente|Nome do cliente|Nome cliente|Ragione sociale|Razón social|Raison sociale|Klant|Klantnaam|Naam klant",
  "item-code":
    "SKU|Lineitem sku|Item SKU|Item Code|ItemCode|*InventoryItemCode|InventoryItemCode|Product Code|Product SKU|HS Code|HSN/SAC|HSN|Stock Code|Artikelnummer|Référence article|Référence produit|Código de artículo|Código do produto|Codice articolo|Artikelcode"
} as const satisfies { readonly [Name in UnmappedSubject]: string }

const subjects: ReadonlyMap<string, NamedSubject> = new Map(
  (Object.keys(names) as Array<NamedSubject>).flatMap((subject) =>
    names[subject].split("|").map((name) => [normalize(name), subject] as const)
  )
)

const unmappedSubjects = new Map(
  (Object.keys(unmappedNames) as Array<UnmappedSubject>).flatMap((subject) =>
    unmappedNames[subject].split("|").map((name) => [normalize(name), subject] as const)
  )
)

/** Every subject. */
export const allSubjects: ReadonlyArray<Subject> = [
  ...(Object.keys(names) as Array<NamedSubject>),
  ...(Object.keys(unmappedNames) as Array<UnmappedSubject>),
  "basis",
  "period"
]

/**
 * Returns the subject of a table column that only an operator can map; undefined for other names.
 */
export const unmappedSubjectOf = (name: string): UnmappedSubject | undefined => unmappedSubjects.get(normalize(name))

const asked = new Map<string, Subject | undefined>()

/** Returns the subject of a field name; undefined for unknown names. */
export const subjectOf = (name: string): Subject | undefined => {
  if (asked.has(name)) return asked.get(name)
  const subject = subjects.get(normalize(name))
  // limited, so that a file with generated names does not fill the memory
  if (asked.size < 2000) asked.set(name, subject)
  return subject
}

/** Kind of the documents that a name or a title of a list states. */
export type ListKind =
  | "invoice"
  | "credit-note"
  | "purchase"
  | "debit-note"
  | "pro-forma"
  | "delivery-note"
  | "quotation"
  | "order"
  | "payment"
  | "unissued"

const ofKinds: { readonly [Of in Exclude<ListKind, "debit-note" | "unissued">]: string } = {
  invoice:
    "invoice|sales invoice|tax invoice|customer invoice|sales receipt|cash sale|sales|sale|out_invoice|SI|ACCREC|rechnung|ausgangsrechnung|faktura|facture|facture client|facture de vente|" +
    "factuur|verkoopfactuur|faktuur|factura|factura de venta|fatura|fatura de venda|fattura|fattura di vendita",
  "credit-note":
    "credit note|credit-note|sales credit note|tax credit note|credit memo|customer credit note|refund|out_refund|SC|ACCRECCREDIT|gutschrift|stornorechnung|rechnungskorrektur|kreditnota|avoir|" +
    "facture avoir|facture d'avoir|note de crédit|creditnota|creditfactuur|kredietnota|nota de crédito|nota de credito|factura rectificativa|nota di credito|nota credito",
  purchase:
    "bill|kreditnota fra leverandør|purchase|purchase invoice|purchase order|in_invoice|in_refund|bill credit note|bill overpayment|bill prepayment|ACCPAY|ACCPAYCREDIT|PI|PC|" +
    "eingangsrechnung|facture fournisseur|facture d'achat|inkoopfactuur|fatura de compra|factura de compra|fattura di acquisto",
  "pro-forma":
    "proforma|pro forma|proforma invoice|pro forma invoice|proformarechnung|facture proforma|facture pro forma|proformafactuur|fatura proforma|factura proforma|fattura proforma",
  "delivery-note": "lieferschein",
  quotation: "quote|estimate|angebot|kostenvoranschlag|devis|offerte|orçamento|presupuesto|preventivo",
  order: "sales order|bon de commande|auftragsbestätigung",
  payment: "payment received"
}

/** Values of a kind column that are not sales. In a name or a title they may be about sales too. */
const valuesAlone =
  "order|auftrag|pedido|ordine|encomenda|bestelling|receipt|journal|deposit|entry|sales overpayment|sales prepayment|SR|SA|JD|JC"

const kinds = wordsOf<KindMeaning>([
  ["invoice", ofKinds.invoice],
  ["credit-note", ofKinds["credit-note"]],
  ...Object.entries(ofKinds).flatMap(([kind, words]) =>
    kind === "invoice" || kind === "credit-note" ? [] : [["skip", words] as const]
  ),
  ["skip", valuesAlone]
])

/** Words that state a kind in a name or a title only. */
const inNames: { readonly [Of in ListKind]?: string } = {
  invoice:
    "umsatz|umsätze|erlöse|verkauf|verkäufe|vente|venta|venda|vendita|verkoop|verkopen|omzet|sprzedaż|prodej|salg|försäljning|revenue|turnover|ricavi|income",
  "credit-note":
    "sales return|note di credito|note credito|facturas rectificativas|rettificativa|abono|kreditfaktura|kreditnote|faktura korygująca|korekta|dobropis|opravný daňový doklad",
  purchase:
    "expense|payable|einkauf|wareneingang|achat|compra|acquisto|inkoop|aankoop|zakup|fattura passiva|leverandørfaktura",
  "debit-note":
    "debit note|debit memo|belastungsanzeige|note de débit|nota de débito|nota di debito|note di debito|debetnota|debitnota|nota obciążeniowa|vrubopis",
  "pro-forma": "zálohová faktura|проформа|形式发票",
  "delivery-note":
    "delivery note|packing slip|packing list|dispatch note|goods received|waybill|bon de livraison|bordereau de livraison|albarán|guia de remessa|guía de remisión|pakbon|afleweringsnota|documento di trasporto|bolla di consegna|følgeseddel|dodací list",
  quotation: "quotation|kwotasie|cotización|cotação|oferta",
  payment:
    "payments|payments received|zahlungseingang|paiements|pagos|pagamentos|pagamenti|betalingen|" +
    "account statement|statement of account|kontoauszug|relevé de compte|estado de cuenta|extrato de conta|estratto conto|rekeningoverzicht|wyciąg z konta|výpis z účtu|kontoutdrag"
}

/** Kinds of unread values: a document that is sent has none of them. */
const unreadKinds: ReadonlyMap<string, KindMeaning> = new Map([
  ...wordsOf<KindMeaning>(
    Object.entries(inNames).flatMap(([kind, words]) =>
      kind === "invoice" || kind === "payment" ? [] : [[kind === "credit-note" ? kind : "skip", words] as const]
    )
  ),
  ...kinds
])

const unissued =
  "entwurf|storniert|annulliert|gelöscht|brouillon|annulé|annulée|supprimé|supprimée|geannuleerd|verwijderd|" +
  "rascunho|cancelado|cancelada|anulado|anulada|excluído|excluída|borrador|eliminado|eliminada|bozza|bozze|annullato|annullata|eliminato|eliminata|" +
  "draft|void|voided|deleted|cancelled|canceled"

const unissuedWords = new Set(unissued.split("|"))

/** Words in titles only. In a column they may be a flag or an amount. */
const inTitles: { readonly [Of in ListKind]?: string } = {
  "credit-note": "CN|CRN|returns|storno|customer credit|devolución|devolução|retoure",
  "debit-note": "DN",
  order: "bestellung|bestelling|zamówienie|pedido|encomenda|ordine|objednávka|beställning",
  unissued: `${unissued}|cancellation|not issued|unissued|concepten|kladde|kladder|utkast|makuleret|makulerede|anulowany|anulowane`
}

const parties =
  "vendor|supplier|creditor|lieferant|kreditor|fournisseur|proveedor|fornitore|fornitori|fornecedor|leverancier|verskaffer|leverandør|leverantör|dostawca|dodavatel|tedarikçi"

const withoutSigns = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase()

const partsOf = (text: string): ReadonlyArray<string> =>
  withoutSigns(text.replaceAll(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1$2 ")).match(/\p{L}+/gu) ?? []

/** A kind that a text states. */
export interface StatedKind {
  readonly kind: ListKind
  readonly word: string
  /** `party`: the word names the party of a document, not the document. */
  readonly of: "document" | "party"
}

interface Phrase extends StatedKind {
  readonly in: "names" | "titles"
  readonly spellings: ReadonlyArray<ReadonlyArray<string>>
}

/** Phrases of all kinds, the longest first. Abbreviations count in titles only. */
const phrases: ReadonlyArray<Phrase> = [
  ...[ofKinds, inNames, inTitles].flatMap((table) =>
    (Object.entries(table) as ReadonlyArray<[ListKind, string]>).map(
      ([kind, words]) => ({ kind, words, of: "document", in: table === inTitles ? "titles" : "names" }) as const
    )
  ),
  { kind: "purchase", words: parties, of: "party", in: "names" } as const
]
  .flatMap(({ words, ...about }) =>
    words.split("|").flatMap((word): ReadonlyArray<Phrase> => {
      const parts = partsOf(word)
      const whole = parts.join("")
      const spellings = parts.length > 1 ? [parts, [whole]] : [parts]
      return whole.length < 4 && about.in === "names" ? [] : [{ ...about, word: folded(word), spellings }]
    })
  )
  .toSorted(
    (a, b) =>
      b.spellings[0]!.length - a.spellings[0]!.length ||
      // "inkoopfactuur" is a compound of "factuur"
      Number(a.kind === "invoice") - Number(b.kind === "invoice") ||
      b.word.length - a.word.length
  )

const nouns = new Set(
  "n|no|nos|nr|nro|num|number|numero|nummer|nommer|id|ref|reference|code|key|date|datum|data|fecha|dato|day|issued|name|nom|nombre|nome|naam|of|de|du|d|da|do|del|della|dei|der|des|van|la|le|el|il".split(
    "|"
  )
)

const endings = new Set("|s|es|e|en|n|x|i".split("|"))
const endingsOfLong = new Set([...endings, ..."y|u|a|er|or|ow|iv|ne".split("|")])
/** Endings in place of a last vowel, as in `korekta` and `korekty`. */
const endingsForVowel = new Set("i|e|y|u|as|os|es|or|er|ar|ej|ych".split("|"))
const ends = ["rechnung", "faktura", "factuur", "invoice", "liste"]

/** Fewest letters of a word whose endings, and whose compounds, are not another word by chance. */
const long = 6

const isInflected = (part: string, of: string): boolean => {
  // nearly all parts are no form of a word: the rest costs a hundred times as much
  if (part[0] !== of[0]) return false
  // "devis" is its own plural, and "devise" a currency
  if (part === of || (of.endsWith("s") && of.length < long)) return part === of
  if (of.length < 4) return part === `${of}s`
  if (part.startsWith(of)) return (of.length < long ? endings : endingsOfLong).has(part.slice(of.length))
  if (of.length < long) return false
  if (/[aoy]$/.test(of) && part.startsWith(of.slice(0, -1))) return endingsForVowel.has(part.slice(of.length - 1))
  // "factuur" is "facturen"
  return part === `${of.replace(/([aeou])\1(?=\p{L}$)/u, "$1")}en`
}

/** The word, its plural, its compounds, and one word of both and a noun. */
const isPart = (part: string, of: string): boolean => {
  if (isInflected(part, of)) return true
  const at = part.indexOf(of.slice(0, -1))
  // the last part of a compound says what it is
  if (at > 2 && of.length > long) return isInflected(part.slice(at), of)
  if (!part.startsWith(of) || of.length < 4 || of.endsWith("s")) return false
  const rest = part.slice(of.length)
  return ["", "s", "en", "n"].some((link) => {
    const end = rest.slice(link.length)
    return rest.startsWith(link) && end.length > 1 && (nouns.has(end) || ends.some((one) => isInflected(end, one)))
  })
}

const heads = /^(?:polic(?:y|ies)|terms|conditions|rules|desk|department|guarantee)$/
const ofBuyer = /^(?:to|ed|ing)$/
const thanks = /^(?:thanks?|danke?|merci|gracias|obrigad[oa]|grazie|bedankt|dankie|dziekujemy)$/

/** Kinds that a text states, and what else the text says. */
export interface StatedKinds {
  readonly kinds: ReadonlyArray<StatedKind & Pick<Phrase, "in">>
  readonly isAlone: boolean
  /** Parts of the text that no word of the vocabulary explains. */
  readonly others: ReadonlyArray<string>
}

const mostParts = 60

/** Returns the kinds of documents that a name or a title states, each word once. */
export const kindsIn = (text: string): StatedKinds => {
  const parts = partsOf(text).slice(0, mostParts)
  const found = new Map<string, StatedKinds["kinds"][number]>()
  const others: Array<string> = []
  let isAlone = true
  const isThanks = parts.some((part) => thanks.test(part))
  for (let at = 0; at < parts.length;) {
    const starts = (spelling: ReadonlyArray<string>) =>
      spelling.every((of, i) => parts[at + i] !== undefined && isPart(parts[at + i]!, of))
    let spelling: ReadonlyArray<string> | undefined
    const phrase = phrases.find(({ spellings }) => (spelling = spellings.find(starts)) !== undefined)
    const length = spelling?.length ?? 1
    const next = parts[at + length] ?? ""
    const isOther =
      heads.test(next) ||
      (phrase?.word === "bill" && ofBuyer.test(next)) ||
      (isThanks && spelling?.every((of, i) => parts[at + i] === of) === true)
    if (phrase === undefined || isOther) {
      isAlone &&= phrase === undefined && nouns.has(parts[at]!)
      if (phrase === undefined && !nouns.has(parts[at]!)) others.push(parts[at]!)
    } else {
      const { kind, of, word } = phrase
      found.set(word, { kind, word, of, in: phrase.in })
    }
    at += length
  }
  return { kinds: [...found.values()], isAlone, others }
}

const states = wordsOf<StateMeaning>([
  [
    "issued",
    "issued|sent|paid|unpaid|partially paid|partly paid|partial|awaiting payment|authorised|authorized|approved|overdue|closed|viewed|posted|open|return|credit note issued|complete|completed|fulfilled|" +
      "bezahlt|unbezahlt|teilweise bezahlt|teilbezahlt|offen|versendet|gesendet|überfällig|abgeschlossen|" +
      "payé|payée|non payé|non payée|impayé|impayée|partiellement payé|partiellement payée|envoyé|envoyée|en retard|terminé|terminée|" +
      "betaald|onbetaald|deels betaald|gedeeltelijk betaald|verzonden|verlopen|achterstallig|afgerond|" +
      "pago|paga|não pago|não paga|parcialmente pago|parcialmente paga|vencido|vencida|em atraso|concluído|concluída|" +
      "pagado|pagada|impagado|impagada|no pagado|no pagada|parcialmente pagado|parcialmente pagada|enviado|enviada|emitido|emitida|atrasado|atrasada|atraso|completo|completado|completada|" +
      "pagato|pagata|non pagato|non pagata|parzialmente pagato|parzialmente pagata|inviato|inviata|emesso|emessa|scaduto|scaduta|saldato|saldata|completato|completata"
  ],
  [
    "refunded",
    "refunded|partially refunded|partly refunded|erstattet|rückerstattet|teilweise erstattet|remboursé|remboursée|partiellement remboursé|partiellement remboursée|" +
      "terugbetaald|gecrediteerd|reembolsado|reembolsada|parcialmente reembolsado|rimborsato|rimborsata"
  ],
  [
    "skip",
    `${unissued}|concept|abgelehnt|abandonné|abandonnée|refusé|refusée|geweigerd|recusado|recusada|rechazado|rechazada|` +
      "rifiutato|rifiutata|submitted|awaiting approval|cancel|pending|rejected|declined"
  ]
])

/** Names of the state of an order or a payment, which may be open while the invoice is issued. */
const besideInvoice = new Set(["Order Status", "Financial Status"].map(normalize))
const openStates = new Set(["pending", "submitted", "awaiting approval", "rejected", "declined"])

/**
 * True if the field's name is an order's or a payment's and its value an open state, which
 * states nothing about the invoice.
 */
export const isOpenElsewhere = (name: string, word: string): boolean =>
  openStates.has(folded(word)) && besideInvoice.has(normalize(name))

const docstates = wordsOf<StateMeaning>([
  ["issued", "1|1.0|submitted"],
  ["skip", "0|0.0|2|2.0|draft|cancelled|canceled"]
])

const no = new Set(["", "0", "no", "n", "false", "none", "null", "ok", "nein", "non", "não", "nee", "falsch", "faux"])
const yes = new Set(
  "1|yes|y|true|x|ja|oui|si|sí|sì|sim|wahr|vrai|waar|void|voided|deleted|cancelled|canceled|draft".split("|")
)

const isDay = (word: string): boolean => /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ t][\d:.+z ]*)?$/i.test(word)

const isNo = (word: string): boolean => no.has(word.trim())

/** Returns the kind that the value names. */
export const kindOf = (word: string): KindMeaning | undefined => kinds.get(folded(word))

/** Returns the state that the value names. */
export const stateOf = (word: string): StateMeaning | undefined => states.get(folded(word))

let codes: ReadonlySet<string> | undefined

/** True if the text is a currency code of ISO 4217. */
export const isCurrencyCode = (text: string): boolean =>
  /^[A-Z]{3}$/.test(text) && (codes ??= new Set(Intl.supportedValuesOf("currency"))).has(text)

/** Longest abbreviation, which may mean something else in another language. */
const longestAbbreviation = 3

const longestValue = 60

const isState = (text: string): boolean => states.has(folded(text)) && !openStates.has(folded(text))

/**
 * Returns the subject that all values but abbreviations state, whatever their column's name is. One
 * draft or void beside unknown words makes them states: the document would be sent otherwise.
 */
export const subjectOfValues = (values: ReadonlyArray<string>): "kind" | "status" | "currency" | undefined => {
  if (values.length === 0) return undefined
  if (values.every(isCurrencyCode)) return "currency"
  const words = values.filter((text) => text.length > longestAbbreviation)
  const areOf = (isSo: (text: string) => boolean) => words.length > 0 && words.every(isSo)
  if (areOf((text) => unreadKinds.has(folded(text)))) return "kind"
  return areOf(isState) || words.some((text) => unissuedWords.has(folded(text))) ? "status" : undefined
}

/**
 * Returns every value with a meaning in a field of this subject. Dates and texts that are
 * themselves statements are not listed.
 */
export const wordsKnown = (subject: Subject): ReadonlyArray<string> =>
  [...new Set([...kinds.keys(), ...states.keys(), ...docstates.keys(), ...yes, ...no])].filter(
    (word) => word !== "" && meaningOf(subject, word) !== undefined && meaningOf(subject, word) !== "stated"
  )

/**
 * Returns the meaning of a field's whole value; undefined if the value is unknown, or has another
 * meaning under the field's name.
 */
export const meaningOf = (subject: Subject, text: string, name = ""): Meaning | undefined => {
  const word = folded(text)
  if (subject === "status" && isOpenElsewhere(name, word)) return undefined
  switch (subject) {
    case "kind":
      return unreadKinds.get(word)
    case "credited":
      return yes.has(word) ? "credit-note" : isNo(word) ? "invoice" : kinds.get(word)
    case "status":
      return states.get(word)
    case "docstatus":
      return docstates.get(word) ?? states.get(word)
    case "unissued":
      return yes.has(word) || isDay(text.trim()) ? "skip" : isNo(word) ? "issued" : undefined
    case "original":
      return isNo(word) ? undefined : "stated"
    case "currency":
      return isCurrencyCode(text.trim()) ? "stated" : undefined
    case "seller":
    case "buyer-number":
    case "buyer-name":
    case "item-code":
    case "basis":
    case "period":
      return "stated"
    case "taxable":
      return yes.has(word) ? "taxable" : isNo(word) ? "exempt" : undefined
    case "exempt":
      return yes.has(word) ? "exempt" : isNo(word) ? "taxable" : undefined
  }
}

/** Longest text that can be a known word; a longer text is a sentence. */
export const longestWord = 200

const subjectsOfLines: ReadonlySet<Subject> = new Set(["currency", "unissued", "taxable", "exempt", "item-code"])

/**
 * Returns the subject of a field name in a statement about the document, or about `line` if given;
 * undefined if the field states no subject.
 */
export const subjectStated = (name: string, line: number | undefined): Subject | undefined => {
  const subject = subjectOf(name)
  return subject === undefined || line === undefined || subjectsOfLines.has(subject) ? subject : undefined
}

/**
 * Returns the subject of a field's whole value that states no sale, as `Voided`, whatever the
 * field's name is. A single word such as `order` is too common.
 */
export const subjectOfValue = (text: string | undefined): "kind" | "status" | undefined => {
  if (text === undefined || text.length > longestValue) return undefined
  const subject = subjectOfValues([text])
  if (subject === "status") return states.get(folded(text)) === "skip" ? subject : undefined
  return subject === "kind" && kindsIn(text).kinds.some(({ kind }) => kind !== "invoice") ? subject : undefined
}

/** Value of a field, with the subject of the field's name. */
export interface StatedWord {
  readonly subject: Subject
  readonly name: string
  readonly text: string
  /** Index of the line with the statement; left out for a statement about the document. */
  readonly line?: number
}

/** Stated words of one document, without duplicates. */
export class DistinctWords {
  private readonly seen = new Set<string>()

  /** Returns the word; undefined if the text is empty, too long, or was taken before. */
  take(subject: Subject, name: string, text: string | undefined, line: number | undefined): StatedWord | undefined {
    const key = `${line} ${name} ${text}`
    if (text === undefined || text === "" || text.length > longestWord || this.seen.has(key)) return undefined
    this.seen.add(key)
    return { subject, name, text, ...(line !== undefined && { line }) }
  }
}

/**
 * Returns the meaning of a stated word: by the export's own column map, otherwise by the
 * vocabulary.
 */
export const meantBy = ({
  means,
  name,
  subject,
  text
}: {
  readonly subject: Subject
  readonly name?: string
  readonly text: string
  readonly means?: Meaning
}): Meaning | undefined => means ?? meaningOf(subject, text, name)

/** True if the value is an empty mark: it states nothing, and is not listed as unread. */
export const isEmpty = (text: string): boolean => isNo(folded(text))
