/**
 * Proposals for columns whose names alone say too little; headers and values are those of exports
 * in seven languages.
 */
import { formatPlain } from "../../core/src/document/Money.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import * as ColumnProposal from "../src/propose/ColumnProposal.ts"
import * as MapFile from "../src/columns/MapFile.ts"
import { basisOf } from "../src/columns/StatedBasis.ts"
import { read, file } from "./Sample.ts"
import { table } from "./PlainTable.ts"

const proposed = (text: string) =>
  Effect.gen(function* () {
    const proposal = yield* ColumnProposal.propose(file(text))
    const { columns, settings } = yield* MapFile.load("x.columns.json", proposal)
    return {
      columns: columns as Record<string, unknown>,
      settings: settings as Record<string, unknown> | undefined,
      proposal
    }
  })

describe("a proposal for an export in another language", () => {
  const exports = [
    {
      language: "German",
      text: table(
        "Rechnungsnummer;Rechnungsdatum;Kunde;Bezeichnung;Menge;Einzelpreis netto;Nettobetrag;MwSt;Währung",
        "R-1;02.03.2026;Ada;Lampe;2;10,00;20,00;3,00;USD",
        "R-2;13.03.2026;Ada;Tisch;1;25,00;25,00;3,75;USD"
      ),
      basis: "exclusive"
    },
    {
      language: "French",
      text: table(
        "N° facture;Date facture;Client;Désignation;Quantité;PU HT;Montant HT;TVA;Devise",
        "F-1;02/03/2026;Ada;Lampe;2;10,00;20,00;3,00;USD",
        "F-2;13/03/2026;Ada;Table;1;25,00;25,00;3,75;USD"
      ),
      basis: "exclusive"
    },
    {
      language: "Dutch",
      text: table(
        "Factuurnummer;Factuurdatum;Klant;Omschrijving;Aantal;Stuksprijs;Bedrag incl. BTW;BTW;Valuta",
        "F-1;02-03-2026;Ada;Lamp;2;11,50;23,00;3,00;USD",
        "F-2;13-03-2026;Ada;Tafel;1;28,75;28,75;3,75;USD"
      ),
      basis: "inclusive"
    },
    {
      language: "Portuguese",
      text: table(
        "Número da fatura;Data da fatura;Cliente;Descrição;Quantidade;Preço unitário;Valor;IVA;Moeda",
        "F-1;02/03/2026;Ada;Lâmpada;2;10,00;20,00;3,00;USD",
        "F-2;13/03/2026;Ada;Mesa;1;25,00;25,00;3,75;USD"
      ),
      basis: undefined
    },
    {
      language: "Spanish",
      text: table(
        "Número de factura;Fecha de factura;Cliente;Concepto;Cantidad;Precio unitario;Importe;IVA;Moneda",
        "F-1;02/03/2026;Ada;Lámpara;2;10,00;20,00;3,00;USD",
        "F-2;13/03/2026;Ada;Mesa;1;25,00;25,00;3,75;USD"
      ),
      basis: undefined
    },
    {
      language: "Italian",
      text: table(
        "Numero fattura;Data fattura;Ragione sociale;Descrizione;Quantità;Prezzo unitario;Imponibile;IVA;Valuta",
        "F-1;02/03/2026;Ada;Lampada;2;10,00;20,00;3,00;USD",
        "F-2;13/03/2026;Ada;Tavolo;1;25,00;25,00;3,75;USD"
      ),
      basis: "exclusive"
    }
  ] as const

  for (const { basis, language, text } of exports)
    it.effect(
      `names every column in ${language}, reads 3,00 and 3,75 as amounts, and takes the tax basis from column names`,
      function* () {
        const { columns, settings } = yield* proposed(text)
        for (const field of [
          "number",
          "date",
          "customerName",
          "description",
          "quantity",
          "unitPrice",
          "lineAmount",
          "currency"
        ])
          assert.property(columns, field)
        const [tax] = columns["taxes"] as ReadonlyArray<Record<string, string>>
        assert.deepStrictEqual(Object.keys(tax!), ["amount"])
        assert.strictEqual(settings?.["amounts"], basis)
      }
    )

  it.effect("recognizes a tax rate: whole percents with varying amounts, or numbers with a percent sign", function* () {
    const head = "Numero fattura,Data fattura,Cliente,Descrizione,Quantità,Prezzo unitario,Importo,IVA,Valuta"
    for (const rates of [
      ["15", "15"],
      ["15%", "5%"],
      ["15.00", "15.00"]
    ]) {
      const { columns } = yield* proposed(
        table(
          head,
          `F-1,2026-03-02,Ada,Lampada,2,10.00,20.00,${rates[0]},USD`,
          `F-2,2026-03-13,Ada,Tavolo,1,25.00,25.00,${rates[1]},USD`
        )
      )
      assert.deepStrictEqual(columns["taxes"], [{ code: "IVA" }])
    }
    const { columns } = yield* proposed(table(head, "F-1,2026-03-02,Ada,Lampada,2,10.00,20.00,IVA22,USD"))
    assert.deepStrictEqual(columns["taxes"], [{ code: "IVA" }])
  })

  it.effect("distinguishes a discount percent from a discount amount by the line amount", function* () {
    const rows = (off: string, amount: string) =>
      table(
        "Rechnungsnummer,Rechnungsdatum,Kunde,Bezeichnung,Menge,Einzelpreis,Rabatt,Gesamtpreis,Steuersatz,Währung",
        `R-1,2026-03-02,Ada,Lampe,2,10.00,${off},${amount},15,USD`
      )
    assert.property((yield* proposed(rows("5", "19.00"))).columns, "discountPercent")
    assert.property((yield* proposed(rows("5", "15.00"))).columns, "discount")
  })
})

describe("a proposal by the figures of the rows", () => {
  it.effect("takes a document's name for a column of lines where it differs within a document", function* () {
    const { columns } = yield* proposed(
      table(
        "Número de factura;Fecha factura;Cliente;Concepto;Cantidad;Precio unitario;Impuesto;Base imponible;Cuota IVA;Moneda",
        "F-1;2026-01-25;Joe;Clavos;2;10,00;VAT 15%;20,00;3,00;USD",
        "F-1;2026-01-25;Joe;Tuercas;3;10,00;VAT 15%;30,00;4,50;USD"
      )
    )
    assert.strictEqual(columns["lineAmount"], "Base imponible")
    assert.notProperty(columns, "net")
  })

  it.effect("reads the amount of a row with tax beside prices without tax", function* () {
    const { columns } = yield* proposed(
      table(
        "Rechnungsnummer;Rechnungsdatum;Kunde;Bezeichnung;Menge;Einzelpreis;Steuer;Bruttobetrag;Währung",
        "R-1;2026-01-25;Joe;Lampe;2;10,00;VAT 15%;23,00;USD",
        "R-2;2026-01-26;Ann;Brot;4;2,50;VAT 15%;11,50;USD"
      )
    )
    assert.strictEqual(columns["lineTotal"], "Bruttobetrag")
    assert.notProperty(columns, "lineAmount")
    assert.deepStrictEqual(columns["taxes"], [{ code: "Steuer" }])
  })

  it.effect("reads the amount of a row without tax beside prices with tax", function* () {
    const text = table(
      "Invoice Number,Invoice Date,Customer,Description,Qty,Unit Price,Tax Code,Net Amount,Total,Currency",
      "I-1,2026-01-25,Joe,Lamp,2,11.50,S,20.00,23.00,USD",
      "I-1,2026-01-25,Joe,Bread,4,2.30,S,8.00,9.20,USD",
      "I-2,2026-01-26,Ann,Bread,5,2.30,S,10.00,11.50,USD"
    )
    const { columns } = yield* proposed(text)
    assert.deepStrictEqual([columns["lineNet"], columns["lineAmount"]], ["Net Amount", "Total"])
    const { documents } = yield* read(text, { columns: { version: 1, columns }, settings: { amounts: "inclusive" } })
    assert.deepStrictEqual(
      documents[0]!.lines.map(({ lineAmount, totals }) => [lineAmount, totals?.net].map((one) => formatPlain(one!))),
      [
        ["23", "20"],
        ["9.2", "8"]
      ]
    )
  })

  it.effect("reads a column as a tax amount although its name states a percent", function* () {
    const { columns } = yield* proposed(
      table(
        "Invoice Number,Invoice Date,Client,Description,Qty,Rate,Amount,VAT 15.5%",
        "1,2026-01-05,Moyo,Compost,10,$6.00,$60.00,$9.30",
        "2,2026-01-12,Ada,Seed,3,$25.00,$75.00,$0.00"
      )
    )
    assert.deepStrictEqual(columns["taxes"], [{ amount: "VAT 15.5%" }])
  })
})

describe("the name of a column", () => {
  it("states whether amounts include tax, or nothing", () => {
    for (const name of [
      "PU HT",
      "Prix unitaire H.T.",
      "Bedrag excl. BTW",
      "Prijs excl BTW",
      "Netto",
      "Nettobetrag",
      "Imponibile",
      "Base imponible",
      "Precio sin IVA",
      "Order Line (w/o tax)"
    ])
      assert.strictEqual(basisOf(name), "exclusive", name)
    for (const name of [
      "PU TTC",
      "Bedrag incl. BTW",
      "Brutto",
      "Bruttobetrag",
      "Lordo",
      "Precio con IVA",
      "Item Cost (inc. tax)"
    ])
      assert.strictEqual(basisOf(name), "inclusive", name)
    for (const name of [
      "Amount",
      "Net Amount",
      "Gross Sales",
      "Price",
      "Height",
      "Exchange Rate",
      "Include",
      "Excellent"
    ])
      assert.isUndefined(basisOf(name), name)
  })

  it.effect("settles the question for a column map, but an operator's answer has priority", function* () {
    const text = table("Nr,Datum,Kunde,Text,Menge,PU HT,Steuer,Währung", "R-1,2026-03-02,Ada,Lampe,2,10.00,VAT,USD")
    const columns = {
      version: 1,
      columns: {
        number: "Nr",
        date: "Datum",
        customerName: "Kunde",
        description: "Text",
        quantity: "Menge",
        unitPrice: "PU HT",
        currency: "Währung",
        taxes: [{ code: "Steuer" }]
      }
    } as const
    const { documents } = yield* read(text, { columns })
    assert.strictEqual(documents[0]!.taxMode, "exclusive")
    const said = yield* read(text, { columns, settings: { amounts: "inclusive" } })
    assert.strictEqual(said.documents[0]!.taxMode, "inclusive")
  })
})
