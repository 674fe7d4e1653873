/**
 * Words of documents that are not sales, as bookkeepers of 17 languages write them. Written from
 * usage, not from the lists of any adapter.
 */

const languages = "en|de|fr|es|pt|it|nl|pl|cs|sv|fi|hu|ro|tr|ru|zh|sw".split("|")

/** One word of each language, in the order of `languages`. */
const spelled = {
  "credit note":
    "Credit note|Gutschrift|Avoir|Nota de crédito|Nota de crédito|Nota di credito|Creditnota|Faktura korygująca|Dobropis|Kreditfaktura|Hyvityslasku|Jóváíró számla|Notă de credit|Alacak dekontu|Кредит-нота|贷项通知单|Hati ya mkopo",
  purchase:
    "Purchase|Eingangsrechnung|Achat|Compra|Compra|Acquisto|Inkoop|Zakup|Nákup|Inköp|Ostolasku|Beszerzés|Achiziție|Alış faturası|Закупка|采购|Manunuzi",
  "pro forma":
    "Pro forma invoice|Proformarechnung|Facture pro forma|Factura proforma|Fatura pró-forma|Fattura proforma|Proformafactuur|Faktura proforma|Zálohová faktura|Proformafaktura|Proformalasku|Díjbekérő|Factură proformă|Proforma fatura|Счёт-проформа|形式发票|Ankara ya awali",
  "delivery note":
    "Delivery note|Lieferschein|Bon de livraison|Albarán|Guia de remessa|Documento di trasporto|Pakbon|Dokument dostawy|Dodací list|Följesedel|Lähete|Szállítólevél|Aviz de însoțire|İrsaliye|Накладная|送货单|Hati ya uwasilishaji",
  quotation:
    "Quotation|Angebot|Devis|Presupuesto|Orçamento|Preventivo|Offerte|Oferta|Nabídka|Offert|Tarjous|Árajánlat|Ofertă|Teklif|Коммерческое предложение|报价单|Nukuu ya bei",
  order:
    "Sales order|Auftragsbestätigung|Bon de commande|Pedido|Encomenda|Ordine|Bestelling|Zamówienie|Objednávka|Beställning|Tilaus|Megrendelés|Comandă|Sipariş|Заказ|订单|Agizo",
  statement:
    "Account statement|Kontoauszug|Relevé de compte|Estado de cuenta|Extrato de conta|Estratto conto|Rekeningoverzicht|Wyciąg|Výpis z účtu|Kontoutdrag|Tiliote|Számlakivonat|Extras de cont|Hesap ekstresi|Выписка|对账单|Taarifa ya akaunti",
  "debit note":
    "Debit note|Belastungsanzeige|Note de débit|Nota de débito|Nota de débito|Nota di debito|Debetnota|Nota obciążeniowa|Vrubopis|Debetnota|Veloitusilmoitus|Terhelési értesítő|Notă de debit|Borç dekontu|Дебет-нота|借项通知单|Hati ya deni"
} as const

export type KindOfList = keyof typeof spelled

export interface KindWord {
  readonly kind: KindOfList
  readonly language: string
  readonly word: string
}

const kinds = Object.keys(spelled) as ReadonlyArray<KindOfList>

export const words: ReadonlyArray<KindWord> = kinds.flatMap((kind) =>
  spelled[kind].split("|").map((word, nth) => ({ kind, language: languages[nth]!, word }))
)

/** Supplier of a purchase, which may be the party of a list. */
export const suppliers: ReadonlyArray<KindWord> =
  "Supplier|Lieferant|Fournisseur|Proveedor|Fornecedor|Fornitore|Leverancier|Dostawca|Dodavatel|Leverantör|Toimittaja|Szállító|Furnizor|Tedarikçi|Поставщик|供应商|Muuzaji"
    .split("|")
    .map((word, nth) => ({ kind: "purchase", language: languages[nth]!, word }))
