/** Known column names and their probable fields. Used only for proposals. */
import { StatedAmounts, StatedWords } from "@fiscal-connector/core/adapter"
import { type DocumentField, documentFields, type LineField, lineFields, taxFields } from "./Field.ts"
import { normalize } from "./Header.ts"

export type FieldMeaning = DocumentField | LineField | "taxCode" | "taxPercent" | "taxAmount"

const seen: { readonly [Field in FieldMeaning]?: string } = {
  id: "Invoice ID|Document ID|order_id",
  number:
    "Invoice Number|Invoice|Invoice #|Invoice No.|Number|Num|No.|#|Vch No.|Voucher/Bill Number|DocNum|Doc No|Doc Ref|Document No|Document Number|Bilagsnummer|RefNumber|external_document_no|order_number|Credit Note Number|CreditMemoNo",
  date: "Invoice Date|Date|Date Issued|IssueDate|Txn Dt|TxnDate|DocDate|Document Date|invoice_date|Created at|Dato|Voucher/Bill Date|Date (UTC)|order_date|Credit Note Date|CreditMemoDate|Credit Memo Date",
  amounts: "Amounts Are|Is Inclusive Tax|Line Amount Types|Tax Inclusive",
  customerName:
    "Customer Name|Customer|Client Name|Client|Contact Name|Party Name|Particulars|Kontakt|CardName|Billing Name|partner_id|Buyer|Bill To|Sold To",
  customerTin: "TIN|Customer TIN|Buyer TIN|Tax Id|Tax Number",
  customerVat: "VAT Number|VAT No|VAT Reg No|Customer VAT",
  customerPhone: "Phone|Customer Phone|Telephone|Tel|Tel No|Phone No|Phone Number|Mobile|Mobile No|Cell",
  customerEmail: "Email|Email Address|Customer Email",
  city: "City|Town",
  street: "Street|Address",
  province: "Province|Region",
  reason: "Reason|Credit Reason",
  reference: "Reference|PO Number|Memo|Your Reference",
  paymentMethod: "Payment Method|Payment Type",
  net: "SubTotal|Sub Total|Net Total|Taxable Value",
  tax: "TaxTotal|TotalTax|Total Tax|Taxes",
  shipping: "Shipping|Shipping Charge|shipping_total",
  shippingTaxCode: "Shipping Charge Tax Name",
  shippingTaxPercent: "Shipping Charge Tax %",
  shippingTaxAmount: "Shipping Charge Tax Amount|shipping_tax_total",
  fee: "Fee|fee_total",
  feeTaxAmount: "fee_tax_total",
  adjustment: "Adjustment",
  rounding: "Round Off|Rounding|Rounding Adjustment",
  documentDiscount: "Entity Discount Amount|Invoice Discount",
  description:
    "Description|Item Description|Item Desc|Details|Item Name|Item|Lineitem name|Product/Service|Product|Memo/Description|Invoice lines/Label|Invoice lines/Description|invoice_line_ids/name|Order Lines/Description",
  quantity:
    "Quantity|Qty|Pieces|ItemQuantity|Item Quantity|Lineitem quantity|Quantity (Items)|Invoice lines/Quantity|invoice_line_ids/quantity|Order Lines/Quantity",
  unitPrice:
    "Unit Price|Price Each|UnitAmount|Unit Amount|Item Price|Rate|ItemRate|Item Rate|Item Cost|Sales Price|Price|Lineitem price|price_unit|Rate (Items)|Invoice lines/Unit Price|invoice_line_ids/price_unit|Order Lines/Unit Price",
  discount: "Discount Amount|Lineitem discount|Discounts",
  discountPercent:
    "Discount %|Discount Percent|Discount Percentage|DiscPrcnt|Invoice lines/Discount (%)|invoice_line_ids/discount|Order Lines/Discount (%)",
  lineAmount:
    "Line Amount|Line Total|Item Total|ItemAmount|Item Amount|Amount|Line Subtotal|Amount (Items)|Net Amount|Invoice lines/Subtotal|invoice_line_ids/price_subtotal|Order Lines/Subtotal",
  productCode: "HS Code|Product Code|Commodity Code",
  taxCode:
    "Tax Code|TaxType|Tax Type|Item Tax|Item Tax Code|ItemTaxCode|Tax 1 Type|Tax Name|VAT Code|Item Tax Template (Items)|Invoice lines/Taxes|invoice_line_ids/tax_ids|Order Lines/Taxes",
  taxPercent: "Item Tax %|Tax %|Tax Rate|VAT %|VAT Rate|Item Tax Rate",
  taxAmount: "Tax Amount|Item Tax Amount|Tax 1 Amount|VAT Amount"
}

const abroad: { readonly [Field in FieldMeaning]?: string } = {
  number:
    "Nr.|Rechnungsnr|Rechnungsnummer|Rechnung Nr|Rechnungs-Nr|Belegnr|Belegnummer|Beleg-Nr|Nummer|Numéro de facture|N° facture|Numéro|Facture|Número de factura|Nº factura|N.º factura|Factura|Número|Número da fatura|Fatura|Factuurnummer|Factuurnr|Numéro facture|Número da Nota Pagamento|Número de Factura|Numero fattura|Numero Fattura|N. fattura|Nr. fattura|Numero documento|Numero|Fattura|Factuur|Faktuurnommer",
  date: "Rechnungsdatum|Belegdatum|Datum|Date de facture|Date facture|Fecha|Fecha de factura|Fecha factura|Data|Data da fatura|Data de emissão|Factuurdatum|Data fattura|Data documento|Data emissione|Fecha de emisión|Date d'émission|Ausstellungsdatum|Faktuurdatum",
  customerName:
    "Kunde|Kundenname|Debitor|Client|Nom du client|Cliente|Nombre del cliente|Nome do cliente|Klant|Klantnaam|Naam|Kundin|Destinatario|Ragione sociale|Nome cliente|Cliente/Ragione sociale|Naam klant|Kliënt|Kliënt naam|Razón social|Raison sociale",
  customerTin: "Steuernummer|NIF|NIT|RUC|NUIT|Contribuinte|Codice fiscale",
  customerVat:
    "USt-IdNr|USt-ID|UID|N° TVA|NIF-IVA|Btw-nummer|Numéro de TVA|NIF/CIF|Partita IVA|P.IVA|P. IVA|UID-Nr|Numéro TVA intracommunautaire",
  customerPhone: "Telefon|Téléphone|Teléfono|Telefone|Telefoon|Telefono|Cellulare",
  customerEmail: "E-Mail|Courriel|Correo|Correo electrónico|Posta elettronica|E-mail cliente",
  city: "Ort|Stadt|Ville|Ciudad|Cidade|Plaats|Woonplaats|Città|Comune|Localidad|Localidade",
  street: "Straße|Strasse|Adresse|Rue|Dirección|Calle|Endereço|Morada|Straat|Adres|Indirizzo|Via|Domicilio",
  reason: "Grund|Motif|Motivo|Reden|Causale|Motivo storno",
  reference:
    "Referenz|Référence|Referencia|Referência|Referentie|Bestellnummer|Riferimento|Vostro riferimento|Verwysing",
  paymentMethod:
    "Zahlungsart|Zahlungsweise|Mode de paiement|Forma de pago|Forma de pagamento|Betaalwijze|Metodo di pagamento|Modalità di pagamento|Betaalmethode|Método de pago|Método de pagamento|Moyen de paiement",
  net: "Nettosumme|Gesamt netto|Summe netto|Total HT|Subtotal|Base imponible|Totaal excl. btw|Netto gesamt|Montant total HT|Total sin IVA|Total imponible|Total sem IVA|Totale imponibile|Totale netto|Totaal excl btw",
  tax: "Steuerbetrag gesamt|MwSt gesamt|Total TVA|Total IVA|Totaal btw|Steuern gesamt|Total Impuestos|Total de Impostos|Totale IVA|Totale imposta|BTW totaal",
  shipping:
    "Versandkosten|Versand|Porto|Frais de port|Frais de livraison|Gastos de envío|Portes|Verzendkosten|Livraison|Envío|Envio|Verzenden|Spedizione|Spese di spedizione|Trasporto",
  rounding: "Rundung|Arrondi|Redondeo|Arredondamento|Afronding|Arrotondamento|Ronde aanpassing",
  documentDiscount: "Gesamtrabatt|Remise globale|Sconto totale|Korting totaal|Descuento global|Desconto global",
  description:
    "Bezeichnung|Artikelbezeichnung|Beschreibung|Artikel|Text|Leistung|Désignation|Libellé|Article|Descripción|Concepto|Artículo|Descrição|Artigo|Omschrijving|Artikelname|Produkt|Produktname|Produit|Produto|Producto|Productnaam|Descrizione|Articolo|Prodotto|Voce|Beskrywing",
  quantity:
    "Menge|Anzahl|Stück|Stückzahl|Quantité|Qté|Cantidad|Quantidade|Qtd|Aantal|Hoeveelheid|Quantità|Qtà|Q.tà|Hoeveelheid besteld|hoeveelheid",
  unitPrice:
    "Einzelpreis|Einzelpreis netto|Stückpreis|Preis|E-Preis|Prix unitaire|P.U.|PU HT|Precio unitario|Precio|Preço unitário|Preço|Stuksprijs|Prijs|Prijs per stuk|Einzelpreis brutto|Preis netto|Preis brutto|Coût unitaire|Prix unitaire HT|Prix unitaire TTC|PU TTC|Eenheidsprijs|Prijs excl. BTW|Prijs incl. BTW|Precio sin IVA|Precio con IVA|Prezzo unitario|Prezzo|Prezzo netto|Prezzo lordo|Costo unitario",
  discount: "Rabatt Betrag|Rabattbetrag|Montant remise|Importe descuento|Valor desconto|Kortingsbedrag|Importo sconto",
  discountPercent:
    "Rabatt %|Rabatt in %|Remise %|Descuento %|Desconto %|Korting %|Rabatt|Remise|Réduction|Korting|Desconto|Descuento|Sconto|Sconto %",
  lineAmount:
    "Gesamtpreis|Gesamtpreis netto|Positionsbetrag|Nettobetrag|Betrag|Betrag netto|Montant|Montant HT|Importe|Valor|Montante|Bedrag|Netto|Brutto|Bruttobetrag|Betrag brutto|Betrag Brutto|Montant TTC|Total ligne|Total ligne HT|Total ligne TTC|Bedrag excl. BTW|Bedrag incl. BTW|Neto|Bruto|Líquido|Importo|Importo netto|Importo lordo|Imponibile|Lordo|Totale riga",
  taxCode:
    "Steuerschlüssel|Steuerkennzeichen|Steuercode|USt-Schlüssel|BU-Schlüssel|Code TVA|Código IVA|Btw-code|Codice IVA|Natura IVA|Tipo de IVA|Régime de TVA",
  taxPercent:
    "Steuersatz|MwSt|MwSt-Satz|MwSt %|MwSt in %|USt|USt-Satz|USt %|TVA|Taux TVA|Taux de TVA|TVA %|IVA|IVA %|Tipo IVA|Taxa IVA|Btw|Btw %|Btw-tarief|Taux de taxe|BTW-percentage|Taxa do Imposto|Impuesto|Impuesto %|% IVA|Aliquota|Aliquota IVA|Imposta %",
  taxAmount:
    "MwSt-Betrag|USt-Betrag|Steuerbetrag|Montant TVA|Importe IVA|Cuota IVA|Valor IVA|Btw-bedrag|Steuerwert|Importo IVA|Importo tassa|Imposta|Montant de la TVA|BTW bedrag"
}

const ours: { readonly [Field in FieldMeaning]: string } = {
  ...documentFields,
  ...lineFields,
  taxCode: taxFields.code,
  taxPercent: taxFields.percent,
  taxAmount: taxFields.amount
}

/** Names that core knows too, because core compares such fields even if no adapter reads them. */
const held: { readonly [Field in FieldMeaning]?: string } = {
  kind: `${StatedWords.names.kind}|${StatedWords.names.credited}`,
  status: StatedWords.names.status,
  currency: StatedWords.names.currency,
  original: StatedWords.names.original,
  total: StatedAmounts.totalNames
}

const named = (names: string | undefined) => names?.split("|") ?? []

const meanings = new Map(
  (Object.keys(ours) as Array<FieldMeaning>).flatMap((field) =>
    [ours[field], ...named(held[field]), ...named(seen[field]), ...named(abroad[field])].map(
      (name) => [normalize(name), field] as const
    )
  )
)

export const meaningOf = (name: string): FieldMeaning | undefined => meanings.get(normalize(name))
