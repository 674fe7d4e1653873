/**
 * Words of seven languages, as products and bookkeepers write them. Written from usage, not from
 * the lists of any adapter.
 */

export const languages = ["en", "de", "fr", "es", "pt", "pl", "ru"] as const
export type Language = (typeof languages)[number]

/** Meaning of a column of a table. */
export const columns = [
  "number",
  "date",
  "due",
  "buyer",
  "taxId",
  "currency",
  "kind",
  "original",
  "reason",
  "text",
  "quantity",
  "price",
  "discount",
  "taxName",
  "taxPercent",
  "lineNet",
  "lineTax",
  "lineGross",
  "shipping",
  "net",
  "tax",
  "total",
  "note"
] as const
export type Column = (typeof columns)[number]

export interface Words {
  /** Spellings of each column, separated by `|`. */
  readonly columns: Readonly<Record<Column, string>>
  readonly buyers: ReadonlyArray<string>
  readonly items: ReadonlyArray<string>
  /** Names of the taxes of 15, 5 and 0 percent. */
  readonly taxes: readonly [string, string, string]
  readonly shipping: string
  readonly invoice: string
  readonly note: string
  readonly returned: string
  /** Title above a table, and label of its sums. */
  readonly title: string
  readonly sum: string
  readonly remarks: ReadonlyArray<string>
}

const names = (text: string): Words["columns"] => {
  const all = text.split(";").map((part) => part.trim())
  return Object.fromEntries(columns.map((column, nth) => [column, all[nth]!])) as Words["columns"]
}

export const words: Readonly<Record<Language, Words>> = {
  en: {
    columns: names(
      "Invoice No|Bill number|Doc no; Invoice date|Issued on; Due date|Payable by; Customer|Bill to; Tax ID|Customer tax number; Currency|Cur; Document type|Kind; Original invoice|Credits invoice; Reason|Why; Description|Item; Quantity|Qty; Unit price|Price each; Discount %|Rebate %; Tax|Tax code; Tax %|Tax rate; Line net|Amount excl. tax; Line tax|Tax of line; Line gross|Amount incl. tax; Shipping|Delivery charge; Net total|Total excl. tax; Tax total|Total tax; Grand total|Total due; Remark|Sales rep"
    ),
    buyers: ["Ada Ltd", "Moyo & Sons", "Baobab Traders", "Nyika Foods", "Kestrel Tools"],
    items: ["Pen", "Cable 5 m", "Paper, A4", "Tray", "Desk mat", "Solar lamp", "Kettle", "Rope 10 m"],
    taxes: ["VAT 15%", "VAT 5%", "Zero rated"],
    shipping: "Delivery",
    invoice: "Invoice",
    note: "Credit note",
    returned: "Goods returned",
    title: "Sales of the year",
    sum: "Sum",
    remarks: ["paid in cash", "call first", ""]
  },
  de: {
    columns: names(
      "Rechnungsnr.|Belegnummer; Rechnungsdatum|Belegdatum; Fällig am|Fälligkeit; Kunde|Kundenname; USt-IdNr.|Steuernummer; Währung|Whg.; Belegart|Art; Originalrechnung|Zu Rechnung; Grund|Gutschriftsgrund; Bezeichnung|Artikel; Menge|Anzahl; Einzelpreis|Preis je Stück; Rabatt %|Nachlass %; Steuer|Steuerschlüssel; USt %|Steuersatz; Positionsbetrag netto|Netto je Zeile; Positionssteuer|USt je Zeile; Positionsbetrag brutto|Brutto je Zeile; Versandkosten|Fracht; Summe netto|Nettobetrag; Summe USt|Steuerbetrag; Rechnungsbetrag|Gesamtbetrag; Bemerkung|Vertreter"
    ),
    buyers: ["Müller GmbH", "Böhm & Söhne", "Straßenbau Groß", "Käthe Weiß", "Jäger KG"],
    items: ["Kugelschreiber", "Kabel 5 m", "Papier, A4", "Schüssel", "Türschloss", "Solarlampe", "Kessel", "Seil 10 m"],
    taxes: ["MwSt. 15 %", "MwSt. 5 %", "steuerfrei"],
    shipping: "Versand",
    invoice: "Rechnung",
    note: "Gutschrift",
    returned: "Rückgabe der Ware",
    title: "Verkäufe des Jahres",
    sum: "Summe",
    remarks: ["bar bezahlt", "vorher anrufen", ""]
  },
  fr: {
    columns: names(
      "N° de facture|Numéro de pièce; Date de facture|Émise le; Échéance|À payer avant; Client|Nom du client; N° fiscal|N° TVA; Devise|Monnaie; Type de pièce|Nature; Facture d'origine|Facture créditée; Motif|Raison; Désignation|Libellé; Quantité|Qté; Prix unitaire|P.U.; Remise %|Rabais %; Taxe|Code TVA; Taux TVA|TVA %; Montant HT ligne|Ligne HT; TVA ligne|Taxe de la ligne; Montant TTC ligne|Ligne TTC; Frais de port|Livraison; Total HT|Montant HT; Total TVA|Montant TVA; Total TTC|Net à payer; Remarque|Vendeur"
    ),
    buyers: ["Société Générique", "Café de l'Été", "Frères Lefèvre", "Boulangerie Noël", "Garçon & Cie"],
    items: [
      "Stylo",
      "Câble 5 m",
      "Papier, A4",
      "Plateau",
      "Clé à molette",
      "Lampe solaire",
      "Bouilloire",
      "Corde 10 m"
    ],
    taxes: ["TVA 15 %", "TVA 5 %", "Exonéré"],
    shipping: "Livraison",
    invoice: "Facture",
    note: "Avoir",
    returned: "Retour de marchandise",
    title: "Ventes de l'année",
    sum: "Somme",
    remarks: ["payé comptant", "appeler avant", ""]
  },
  es: {
    columns: names(
      "N.º de factura|Número de documento; Fecha de factura|Emitida el; Vencimiento|Pagar antes de; Cliente|Nombre del cliente; NIF|Identificación fiscal; Moneda|Divisa; Tipo de documento|Clase; Factura original|Factura rectificada; Motivo|Causa; Descripción|Concepto; Cantidad|Cant.; Precio unitario|Precio por unidad; Descuento %|Dto. %; Impuesto|Código IVA; IVA %|Tipo de IVA; Base de la línea|Importe sin IVA; IVA de la línea|Cuota de línea; Importe con IVA|Línea con IVA; Gastos de envío|Portes; Base imponible|Total sin IVA; Total IVA|Cuota total; Total factura|Importe total; Observación|Vendedor"
    ),
    buyers: ["Peña e Hijos", "Almacén López", "Ibáñez S.A.", "Señor Muñoz", "Construcción Núñez"],
    items: ["Bolígrafo", "Cable 5 m", "Papel, A4", "Bandeja", "Paño", "Lámpara solar", "Hervidor", "Cuerda 10 m"],
    taxes: ["IVA 15%", "IVA 5%", "Exento"],
    shipping: "Envío",
    invoice: "Factura",
    note: "Nota de crédito",
    returned: "Devolución",
    title: "Ventas del año",
    sum: "Suma",
    remarks: ["pagado en efectivo", "llamar antes", ""]
  },
  pt: {
    columns: names(
      "N.º da fatura|Número do documento; Data da fatura|Emitida em; Vencimento|Pagar até; Cliente|Nome do cliente; NIF|Contribuinte; Moeda|Divisa; Tipo de documento|Espécie; Fatura original|Fatura creditada; Motivo|Razão; Descrição|Artigo; Quantidade|Qtd.; Preço unitário|Preço por unidade; Desconto %|Abatimento %; Imposto|Código IVA; IVA %|Taxa de IVA; Valor líquido da linha|Linha sem IVA; IVA da linha|Imposto da linha; Valor com IVA da linha|Linha com IVA; Portes|Transporte; Total líquido|Total sem IVA; Total IVA|Valor do IVA; Total da fatura|Total a pagar; Observação|Vendedor"
    ),
    buyers: ["João & Irmãos", "Construções Açor", "Padaria São Bento", "Conceição Lda", "Armazém Leitão"],
    items: ["Caneta", "Cabo 5 m", "Papel, A4", "Bandeja", "Pão de forma", "Lâmpada solar", "Chaleira", "Corda 10 m"],
    taxes: ["IVA 15%", "IVA 5%", "Isento"],
    shipping: "Entrega",
    invoice: "Fatura",
    note: "Nota de crédito",
    returned: "Devolução",
    title: "Vendas do ano",
    sum: "Soma",
    remarks: ["pago em dinheiro", "telefonar antes", ""]
  },
  pl: {
    columns: names(
      "Nr faktury|Numer dokumentu; Data wystawienia|Wystawiono; Termin płatności|Płatne do; Nabywca|Kontrahent; NIP|Nr podatkowy; Waluta|Wal.; Rodzaj dokumentu|Typ; Faktura korygowana|Do faktury; Powód|Przyczyna korekty; Nazwa towaru|Opis; Ilość|Liczba sztuk; Cena jednostkowa|Cena za sztukę; Rabat %|Upust %; Podatek|Kod VAT; Stawka VAT|VAT %; Wartość netto pozycji|Netto wiersza; VAT pozycji|Podatek wiersza; Wartość brutto pozycji|Brutto wiersza; Koszt wysyłki|Dostawa; Razem netto|Suma netto; Razem VAT|Kwota VAT; Razem brutto|Do zapłaty; Uwagi|Handlowiec"
    ),
    buyers: ["Żółw i Spółka", "Piekarnia Łąka", "Świątek Sp. z o.o.", "Gęś-Bud", "Jabłoński"],
    items: ["Długopis", "Kabel 5 m", "Papier, A4", "Taca", "Łyżka", "Lampa solarna", "Czajnik", "Lina 10 m"],
    taxes: ["VAT 15%", "VAT 5%", "zw."],
    shipping: "Wysyłka",
    invoice: "Faktura",
    note: "Korekta",
    returned: "Zwrot towaru",
    title: "Sprzedaż roczna",
    sum: "Suma",
    remarks: ["zapłacono gotówką", "najpierw zadzwonić", ""]
  },
  ru: {
    columns: names(
      "Номер счёта|№ документа; Дата счёта|Выставлен; Срок оплаты|Оплатить до; Покупатель|Клиент; ИНН|Налоговый номер; Валюта|Вал.; Вид документа|Тип; Исходный счёт|К счёту; Причина|Основание; Наименование|Товар; Количество|Кол-во; Цена за единицу|Цена; Скидка %|Скидка, %; Налог|Код НДС; Ставка НДС|НДС %; Сумма строки без НДС|Строка без НДС; НДС строки|Налог строки; Сумма строки с НДС|Строка с НДС; Доставка|Стоимость доставки; Итого без НДС|Сумма без НДС; Итого НДС|Сумма НДС; Итого с НДС|К оплате; Примечание|Продавец"
    ),
    buyers: ["ООО Ромашка", "Фабрика Щука", "Чайка и сыновья", "Эталон", "Южный склад"],
    items: ["Ручка", "Кабель 5 м", "Бумага, А4", "Поднос", "Коврик", "Лампа", "Чайник", "Верёвка 10 м"],
    taxes: ["НДС 15%", "НДС 5%", "Без НДС"],
    shipping: "Доставка",
    invoice: "Счёт",
    note: "Возврат",
    returned: "Возврат товара",
    title: "Продажи за год",
    sum: "Всего",
    remarks: ["оплачено наличными", "позвонить", ""]
  }
}
