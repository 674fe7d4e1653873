/** Reads lists of documents that are not invoices by their titles and names: asked, never sold. */
import { kindOf, wordsKnown } from "../../core/src/source/StatedWords.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import type * as Adapter from "../../core/src/source/Adapter.ts"
import { Effect, Result } from "effect"
import { adapter, type CsvOptions, optionsOf } from "../src/CsvAdapter.ts"
import { askedOf } from "../src/propose/AskedColumns.ts"
import { columnsOf, propose } from "../src/propose/ColumnProposal.ts"
import { reasonColumns } from "../src/columns/ReasonColumns.ts"
import { file, read } from "./Sample.ts"

/** Words of values that a name or a title of sales may have too, and abbreviations. */
const notInNames = new Set(
  "order|auftrag|pedido|ordine|encomenda|bestelling|receipt|journal|deposit|entry|sales overpayment|sales prepayment|pi|pc|sr|sa|jd|jc|sc".split(
    "|"
  )
)

const others =
  "Debit note|Delivery note|Vendor bill|Supplier invoices|Purchases|Quotations|Lieferanten|Einkauf|Lieferscheine|Bons de livraison|Fournisseurs|Achats|Proveedores|Compras|Albaranes|Fornecedores|Guia de remessa|Fornitori|Acquisti|Leveranciers|Pakbon|Verskaffers|Notas de débito|Notes de crédit|Faktura korygująca|Tedarikçi"

/** Every word of a kind that is not an invoice, in several languages. */
const words = [
  ...wordsKnown("kind").filter((word) => kindOf(word) !== "invoice" && !notInNames.has(word)),
  ...others.split("|")
]

const unknown = ["Nn", "Dd", "Tt", "Qq", "Pp", "Cc", "Uu"]
const values = ["A-1", "2026-01-05", "Nails", "1", "2.50", "S", "USD"]
const plainNames = ["InvoiceNumber", "InvoiceDate", "Description", "Quantity", "UnitPrice", "TaxCode", "Currency"]

interface List {
  readonly name: string
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly options: CsvOptions
}

const settings = { amounts: "exclusive" } as const

const mapOf = ([number, date, text]: ReadonlyArray<string>): CsvOptions => ({
  settings,
  columns: {
    version: 1,
    columns: {
      number: number!,
      date: date!,
      description: text!,
      quantity: "Qq",
      unitPrice: "Pp",
      currency: "Uu",
      taxes: [{ code: "Cc" }]
    }
  }
})

/** A list for each place of a word: with a column map, or in the plain layout. */
const placesOf = (word: string): Readonly<Record<string, List>> => {
  const columns = [`${word} no`, "Dd", ...unknown.slice(2)]
  const dates = ["Nn", `${word} date`, ...unknown.slice(2)]
  const plain = { options: { settings }, rows: [plainNames, values] }
  return {
    "the number column": { name: "in.csv", rows: [columns, values], options: mapOf(columns) },
    "the date column": { name: "in.csv", rows: [dates, values], options: mapOf(dates) },
    "a title": { ...plain, name: "in.csv", rows: [[`${word}, January 2026`], [], plainNames, values] },
    "the file name": { ...plain, name: `out/2026_${word}.csv` }
  }
}

const textOf = ({ rows }: List): string => rows.map((row) => row.map((cell) => `"${cell}"`).join(",")).join("\n") + "\n"

const outcome = (list: List, options: CsvOptions = list.options) =>
  read({ files: [file(textOf(list), list.name)] }, options).pipe(
    Effect.map(({ documents }) => documents.map(({ kind }) => kind as string)),
    Effect.catch(({ reason }) =>
      Effect.succeed(
        reason._tag === "ReadingAmbiguous" ? reason.questions.map(({ id }) => id.replace(/ .*/, "")) : [reason._tag]
      )
    )
  )

describe("a list whose names or titles state another kind than invoices", () => {
  it.effect("is asked about for each word at each place, and sells nothing", function* () {
    assert.isAbove(words.length, 80)
    for (const word of words)
      for (const [place, list] of Object.entries(placesOf(word)))
        assert.deepStrictEqual(yield* outcome(list), ["contents"], `${word} at ${place}`)
  })

  it.effect("is asked about for an abbreviation in a title or the file name, and sells nothing", function* () {
    for (const word of ["CN", "CRN", "DN"]) {
      const { "a title": title, "the file name": name } = placesOf(word)
      for (const list of [title!, name!]) assert.deepStrictEqual(yield* outcome(list), ["contents"], word)
    }
    assert.deepStrictEqual(yield* outcome({ ...placesOf("CND")["a title"]!, name: "sales-cnc.csv" }), ["invoice"])
  })

  it.effect("is asked about by every reader, with the evidence", function* () {
    const columns = ["Delivery note no", "Dd", ...unknown.slice(2)]
    const input = file(textOf({ name: "in.csv", rows: [columns, values], options: {} }))
    const readers = {
      draft: adapter.draftBook!({ files: [input] }, {}),
      asked: askedOf(input),
      columns: columnsOf(input),
      proposal: propose(input)
    }
    for (const [name, reader] of Object.entries(readers)) {
      const { reason } = yield* Effect.flip(reader as Effect.Effect<unknown, Effect.Error<typeof readers.asked>>)
      assert.strictEqual(reason._tag, "ReadingAmbiguous", name)
      const [question] = reason._tag === "ReadingAmbiguous" ? reason.questions : []
      assert.strictEqual(question?.id, "contents delivery-notes", name)
      assert.include(question?.question, 'the column "Delivery note no" states delivery notes', name)
      assert.strictEqual(question?.proposal, "stop")
    }
  })

  it.effect("is read by the answer, which belongs to the word and the place", function* () {
    for (const [place, list] of Object.entries(placesOf("Credit note"))) {
      const { reason } = yield* Effect.flip(read({ files: [file(textOf(list), list.name)] }, list.options))
      const [question] = reason._tag === "ReadingAmbiguous" ? reason.questions : []
      assert.deepStrictEqual(
        question?.readings.map(({ id }) => id),
        ["stop", "invoices", "credit-notes"]
      )
      for (const [id, expected] of [
        ["stop", "ExportUnreadable"],
        ["invoices", "invoice"],
        ["credit-notes", "credit-note"]
      ] as const) {
        const answer = optionsOf(question!.readings.find((one) => one.id === id)!.answer)!
        const answered = { ...list.options, settings: { ...settings, ...answer.settings } }
        assert.deepStrictEqual(yield* outcome(list, answered), [expected], `${place}: ${id}`)
      }
    }
    const { settings: answer } = { settings: { titles: { "title vendor": "invoices" } } } as const
    const titled = (text: string) =>
      outcome(
        { ...placesOf("x")["a title"]!, rows: [[text], plainNames, values] },
        { settings: { ...settings, ...answer } }
      )
    assert.deepStrictEqual(yield* titled("Vendor: Acme"), ["invoice"])
    assert.deepStrictEqual(yield* titled("Purchases from vendor Acme"), ["contents"])
  })

  it.effect("keeps its kind in the file of refused rows, which has no titles", function* () {
    const answered = { settings: { ...settings, titles: { "title credit note": "credit-notes" } } } as const
    const rows = [
      [...plainNames, reasonColumns[0]],
      [...values, "-"]
    ]
    const list = { name: "refused.csv", rows, options: answered }
    assert.deepStrictEqual(yield* outcome(list), ["credit-note"])
    assert.deepStrictEqual(yield* outcome({ ...list, rows: [plainNames, values] }), ["invoice"])
  })

  it.effect("is held against the column that states the kind of each document", function* () {
    const kinds = ["Kind", ...plainNames]
    const list = (kind: string, title: string): List => ({
      name: "in.csv",
      rows: [[title], kinds, [kind, ...values]],
      options: { settings }
    })
    const wordsOf = (one: List) =>
      Effect.map(read({ files: [file(textOf(one))] }, one.options), ({ documents }) =>
        documents.flatMap((document) => (document.words ?? []).map(({ means, name }) => `${name}: ${means}`))
      )
    assert.deepStrictEqual(yield* wordsOf(list("invoice", "Credit notes")), ["Credit notes: credit-note"])
    assert.deepStrictEqual(yield* wordsOf(list("invoice", "Invoices and credit notes")), [])
    assert.deepStrictEqual(yield* outcome(list("invoice", "Purchase register")), ["contents"])
  })
})

/** Lists that are not sales, as people name them: plurals, compounds and states. */
const headings = [
  "Korekty|Faktury korygujące 2026|Dobropisy|Opravné daňové doklady|Kreditnotaer|Kreditnotor|Kreditfakturor|Creditfacturen|Creditnota's",
  "Sammelgutschriften|Stornos Januar 2026|Storno|Stornorechnungen|Returns|Customer credits|Devoluciones|Retouren|Avoirs clients",
  "Notas de Crédito emitidas|Rettificative|Inkoopfacturen|Fatture passive|Fatture d'acquisto|Lieferantenrechnungen|Leverandørfakturaer",
  "Vendor bills|Facturas de compra|Preventivi|Offertes|Angebote|Kostenvoranschläge|Bons de commande|Sales orders|Bestellungen|Presupuestos",
  "Cancelled invoices|Voided invoices January 2026|Draft invoices|Drafts|Deleted invoices|Entwürfe|Stornierte Rechnungen|Brouillons|Factures annulées",
  "Borradores|Facturas anuladas|Bozze|Fatture annullate|Rascunhos|Geannuleerde facturen|Concepten|Kladder|Makulerede fakturaer|Anulowane"
]
  .join("|")
  .split("|")

describe("a list that is named in the plural, in another language, or by a state", () => {
  it.effect("is asked about at every place of a title, and sells nothing", function* () {
    const silent: Array<string> = []
    for (const heading of headings)
      for (const place of ["a title", "the file name"] as const)
        if ((yield* outcome(placesOf(heading)[place]!)).join() !== "contents") silent.push(`${heading}, ${place}`)
    assert.deepStrictEqual(silent, [])
  })

  it.effect("is asked about if its words are unknown, and nothing else states invoices", function* () {
    const header = ["Nn", "Dd", ...unknown.slice(2)]
    const titled = (title: string, columns = header) =>
      outcome({ name: "in.csv", rows: [[title], columns, values], options: mapOf(columns) })
    for (const title of ["Gutschriiften", "Hyvityslaskut", "Returnari 2026", "贷项通知单", "Возвраты"])
      assert.deepStrictEqual(yield* titled(title), ["contents"], title)
    for (const title of [
      "Moyo Trading (Pvt) Ltd",
      "January 2026",
      "Sales",
      "Report",
      "Rechnungen",
      "发票",
      "Продажи за год"
    ])
      assert.deepStrictEqual(yield* titled(title), ["invoice"], title)
    assert.deepStrictEqual(yield* titled("Moyo", ["Invoice no", ...header.slice(1)]), ["invoice"])
    assert.deepStrictEqual(yield* outcome(placesOf("Возвраты")["a title"]!), ["contents"])
  })

  it.effect("has its answer for its own file, and for the next month's", function* () {
    const list = { ...placesOf("Drafts")["a title"]!, name: "shop 2026-01.csv" }
    const { reason } = yield* Effect.flip(read({ files: [file(textOf(list), list.name)] }, list.options))
    const [question] = reason._tag === "ReadingAmbiguous" ? reason.questions : []
    assert.strictEqual(question?.proposal, "stop")
    const answer = optionsOf(question!.readings.find(({ id }) => id === "invoices")!.answer)!
    const options = { settings: { ...settings, ...answer.settings } }
    assert.deepStrictEqual(yield* outcome(list, options), ["invoice"])
    assert.deepStrictEqual(yield* outcome({ ...list, name: "shop 2026-02.csv" }, options), ["invoice"])
    assert.deepStrictEqual(yield* outcome({ ...list, name: "depot 2026-01.csv" }, options), ["contents"])
  })
})

describe("a column with an unknown name whose values are kinds, states or currencies", () => {
  it.effect("is compared with each document, whatever states and currencies the rows have", function* () {
    const stated = (rows: ReadonlyArray<string>) =>
      Effect.map(
        read(
          textOf({
            name: "in.csv",
            rows: [["Xyz", ...plainNames], ...rows.map((text, i) => [text, `A-${i}`, ...values.slice(1)])],
            options: {}
          }),
          { settings }
        ),
        ({ documents }) => documents.flatMap(({ words = [] }) => words.map(({ subject, text }) => `${subject} ${text}`))
      )
    for (const text of ["CANCELLED", "Void", "draft", "Storniert", "annulée"])
      assert.deepStrictEqual(yield* stated([text, text, ""]), [`status ${text}`, `status ${text}`])
    assert.deepStrictEqual(yield* stated(["paid", "VOID"]), ["status paid", "status VOID"])
    assert.deepStrictEqual(yield* stated(["Validée", "Brouillon"]), ["status Validée", "status Brouillon"])
    assert.deepStrictEqual(yield* stated(["EUR", "ZWG"]), ["currency EUR", "currency ZWG"])
    assert.deepStrictEqual(yield* stated(["EUR", "usd"]), [])
    assert.deepStrictEqual(yield* stated(["pending", "sent"]), [])
    assert.deepStrictEqual(yield* stated(["Credit note", "CN"]), ["kind Credit note", "kind CN"])
    assert.deepStrictEqual(yield* stated(["Credit note", "thick"]), [])
  })

  it.effect("states kinds also by words of titles, such as a delivery note", function* () {
    for (const word of ["Delivery note", "Albarán", "Nota di debito", "Korekta"]) {
      const { documents } = yield* read(
        {
          files: [
            file(
              textOf({
                name: "",
                options: {},
                rows: [
                  [...plainNames, "Zz"],
                  [...values, word]
                ]
              })
            )
          ]
        },
        { settings }
      )
      assert.deepStrictEqual(
        documents.map(({ words = [] }) => words.map(({ subject, text }) => [subject, text])),
        [[["kind", word]]]
      )
    }
  })

  it.effect("is compared with each document, also where only a later row states another kind", function* () {
    const wordsOf = (name: string, ...kinds: ReadonlyArray<string>) =>
      Effect.map(
        read(
          textOf({
            name: "in.csv",
            rows: [[name, ...plainNames], ...kinds.map((kind, i) => [kind, `A-${i}`, ...values.slice(1)])],
            options: {}
          }),
          { settings }
        ),
        ({ documents }) => documents.map(({ words = [] }) => words.map(({ subject, text }) => `${subject} ${text}`))
      )
    const many = Array.from({ length: 60 }, () => "Rechnung")
    const stated = yield* wordsOf("Xyz", ...many, "Gutschrift")
    assert.deepStrictEqual(stated.at(-1), ["kind Gutschrift"])
    assert.deepStrictEqual(yield* wordsOf("Xyz", "Verkauf", "Gutschrift"), [[], []])
    assert.deepStrictEqual(yield* wordsOf("Pagado", "si", "si"), [[], []])
  })
})

describe("a list whose names and titles state no kind", () => {
  const lists = [
    "Sipariş No,Tarih,Ürün,Adet,Fiyat,Tutar,Müşteri",
    "Aviz,Data,Produs,Cantitate,Pret,Valoare,Client",
    "Order No,Order Date,Description,Qty,Price,Payment Date,Customer"
  ]
  const textWith = (header: string) => `${header}\nA-1,2026-01-05,Nails,1,2.50,2.50,Moyo\n`
  const questionOf = (reader: Effect.Effect<unknown, Adapter.AdapterError>) =>
    Effect.map(Effect.flip(reader), ({ reason }) =>
      reason._tag === "ReadingAmbiguous" ? reason.questions[0] : undefined
    )

  it.effect("is asked about by every reader, without a proposal", function* () {
    for (const header of lists) {
      const input = file(textWith(header))
      for (const reader of [read({ files: [input] }), askedOf(input), columnsOf(input), propose(input)]) {
        const question = yield* questionOf(reader)
        assert.strictEqual(question?.id, "contents no-kinds", header)
        assert.isUndefined(question?.proposal)
      }
    }
  })

  it.effect("is read by the answer: invoices, credit notes, or nothing", function* () {
    const answered = (meant: "invoices" | "credit-notes" | "stop") =>
      Effect.map(
        Effect.result(
          read(
            { files: [file(textWith(lists[1]!))] },
            {
              settings: { ...settings, currency: "USD", contents: { "no-kinds": meant } },
              columns: {
                version: 1,
                columns: {
                  number: "Aviz",
                  date: "Data",
                  description: "Produs",
                  quantity: "Cantitate",
                  unitPrice: "Pret"
                }
              }
            }
          )
        ),
        (result) => (Result.isFailure(result) ? result.failure.message : result.success.documents[0]?.kind)
      )
    assert.strictEqual(yield* answered("invoices"), "invoice")
    assert.strictEqual(yield* answered("credit-notes"), "credit-note")
    assert.include(yield* answered("stop"), "nothing in the file says that it lists invoices")
  })

  it.effect("is named if a column map reads it without an answer, with its names", function* () {
    const named = (settings: CsvOptions["settings"], word = "Árajánlat") =>
      Effect.map(
        read(
          {
            files: [
              file(textOf({ name: "", options: {}, rows: [[`${word} no`, ...unknown.slice(1)], values] }), "x.csv")
            ]
          },
          { ...mapOf([`${word} no`, ...unknown.slice(1)]), settings: { amounts: "exclusive", ...settings } }
        ),
        ({ findings }) => findings.map(({ message }) => message)
      )
    assert.deepStrictEqual(yield* named({}), [
      'not read: the kind of the documents, which nothing states ("x.csv", "Árajánlat no", "Dd")'
    ])
    assert.deepStrictEqual(yield* named({ contents: { "no-kinds": "invoices" } }), [])
    assert.deepStrictEqual(yield* named({}, "Invoice"), [])
  })

  it.effect("is not asked about beside a column of kinds, or a title, a file or a column of sales", function* () {
    const [, header = ""] = lists
    const input = (text: string, name = "in.csv") => askedOf(file(text, name))
    for (const asked of [
      input(textWith(header.replace("Client", "Type"))),
      input(textWith(header), "verkauf.csv"),
      input(`Faktury 2026\n${textWith(header)}`),
      input(textWith(header.replace("Valoare", "Total factura")))
    ])
      assert.isTrue(Result.isSuccess(yield* Effect.result(asked)))
  })
})

describe("a list of payments that names the invoice of each", () => {
  const asked = (header: string) =>
    Effect.map(Effect.flip(askedOf(file(`${header}\nA-1,2026-01-05,Moyo,INV-7,Cash,2.50\n`))), ({ reason }) =>
      reason._tag === "ReadingAmbiguous" ? [reason.questions[0]?.id, reason.questions[0]?.proposal] : reason._tag
    )

  it.effect("is asked about before its columns", function* () {
    for (const header of [
      "Payment No,Date,Customer,Invoice,Method,Amount",
      "Ref,Date,Customer,Invoice,Payment Method,Amount Paid",
      "N°,Date de paiement,Client,Facture,Mode,Montant"
    ])
      assert.deepStrictEqual(yield* asked(header), ["contents payments", "stop"], header)
  })

  it.effect("is not asked about if it states sales beside their payment", function* () {
    for (const header of [
      "Ref,Payment Date,Customer,Invoice,Method,Total",
      "Item,Payment Date,Customer,Invoice,Payment ID,Amount"
    ])
      assert.isTrue(
        Result.isSuccess(yield* Effect.result(askedOf(file(`${header}\nA-1,2026-01-05,Moyo,INV-7,Cash,2.50\n`)))),
        header
      )
  })
})

describe("a list of credit notes by its file name and by a column", () => {
  it.effect("is asked about once, before the column is known", function* () {
    const name = "korekty.csv"
    const text = "Numer korekty,Data,Towar,Ilość,Cena,Wartość,Nabywca\nA-1,2026-01-05,Nails,1,2.50,2.50,Moyo\n"
    const { reason } = yield* Effect.flip(askedOf(file(text, name)))
    const [question] = reason._tag === "ReadingAmbiguous" ? reason.questions : []
    const answer = optionsOf(question!.readings.find(({ id }) => id === "credit-notes")!.answer)!
    const columns = { ...mapOf(["Numer korekty", "Data", "Towar"]).columns!.columns, quantity: "Ilość" }
    const { currency: _, taxes: __, ...own } = { ...columns, unitPrice: "Cena" }
    const { documents } = yield* read(
      { files: [file(text, name)] },
      { settings: { ...settings, currency: "USD", ...answer.settings }, columns: { version: 1, columns: own } }
    )
    assert.deepStrictEqual(
      documents.map(({ kind }) => kind),
      ["credit-note"]
    )
  })
})

describe("a list of invoices", () => {
  const names = (header: string) => [header.split(","), values]
  it.effect("is compared with the documents below a title between the rows, until a title of invoices", function* () {
    const row = (number: string) => [number, ...values.slice(1)]
    const answered = (titles: CsvOptions["settings"], ...rows: ReadonlyArray<ReadonlyArray<string>>) =>
      Effect.map(
        read(textOf({ name: "in.csv", rows: [plainNames, row("A-1"), ...rows], options: {} }), {
          settings: { ...settings, ...titles }
        }),
        ({ documents }) =>
          documents.flatMap(({ number, words = [] }) => words.map(({ means, text }) => `${number}: ${text} ${means}`))
      )
    const stated = (...rows: ReadonlyArray<ReadonlyArray<string>>) => answered({}, ...rows)
    for (const title of [["Credit Notes"], ["", "", "", "Credit notes 2026", "", "", ""]])
      assert.deepStrictEqual(yield* stated(title, row("C-1"), row("C-2"), ["Invoices"], row("A-2")), [
        "C-1: credit note credit-note",
        "C-2: credit note credit-note"
      ])
    assert.deepStrictEqual(yield* stated(["Purchases"], row("P-1")), ["P-1: purchase skip"])
    assert.deepStrictEqual(yield* stated(["Drafts", "", "", "", "", "", ""], row("D-1")), ["D-1: draft skip"])
    assert.deepStrictEqual(yield* stated(["", "", "Purchases", "", "", "", ""], row("A-2")), [])
    for (const other of ["Payment terms: 30 days", "Thank you for your purchase", "Harare branch"])
      assert.deepStrictEqual(yield* stated([other], row("A-2")), [], other)
    for (const open of ["Annulled", "Rückgaben", "Возвраты", "贷项通知单", "Returned invoices"])
      assert.deepStrictEqual(
        yield* stated([open], row("A-2")),
        ["A-2: something in words that are not known skip"],
        open
      )
    for (const skipped of ["Stornierte Rechnungen", "Factures annulées", "Draft invoices", "Awaiting approval"])
      assert.deepStrictEqual(
        (yield* stated([skipped], row("A-2"))).map((word) => word.split(" ").at(-1)),
        ["skip"],
        skipped
      )
    for (const known of ["Unpaid", "Paid invoices", "January 2026", "X", "BYO", "A-77"])
      assert.deepStrictEqual(
        (yield* stated([known], row("A-2"))).filter((word) => word.endsWith("skip")),
        [],
        known
      )
    assert.deepStrictEqual(
      yield* stated(["Credit Notes"], ["January 2026"], row("C-1"), ["All amounts: EUR"], row("C-2")),
      [
        // a currency anywhere in the file is about all documents
        "A-1: EUR undefined",
        "C-1: EUR undefined",
        "C-1: credit note credit-note",
        "C-1: 2026-01-01/2026-01-31 stated",
        "C-2: EUR undefined",
        "C-2: credit note credit-note",
        "C-2: 2026-01-01/2026-01-31 stated"
      ]
    )
    const answers = {
      "credit-notes": ["C-1: credit note credit-note"],
      stop: ["C-1: credit note skip"],
      invoices: [],
      unused: []
    }
    for (const [answer, words] of Object.entries(answers))
      assert.deepStrictEqual(
        yield* answered({ titles: { "title credit note": answer as "stop" } }, ["Credit Notes"], row("C-1")),
        words,
        answer
      )
    assert.deepStrictEqual(
      yield* answered(
        { titles: { "title annulled": "credit-notes" } },
        ["Annulled"],
        row("C-1"),
        ["Invoices"],
        row("A-2")
      ),
      ["C-1: something in words that are not known credit-note"]
    )
  })
  it.effect("is not asked about for a reference, a brand, the buyer's address or an order", function* () {
    const contents = (rows: ReadonlyArray<ReadonlyArray<string>>, name = "in.csv") =>
      Effect.map(outcome({ name, rows, options: {} }), (ids) => ids.includes("contents"))
    for (const header of [
      "Invoice No,Invoice Date,Description,Qty,Price,Delivery Note No,Bill To",
      "Invoice No,Invoice Date,Customer,Qty,Price,Vendor,Item",
      "Invoice No,Invoice Date,Description,Qty,Price,Purchase Order,Customer",
      "Rechnungsnr,Rechnungsdatum,Artikel,Menge,Preis,Lieferscheinnummer,Kunde",
      "Bill number,Invoice date,Description,Qty,Price,Amount,Customer"
    ])
      assert.isFalse(yield* contents(names(header)), header)
    const plain = [plainNames, values]
    for (const name of ["orders_export_1.csv", "invoices.csv", "2026-01 sales.csv", "Billing.csv"])
      assert.isFalse(yield* contents(plain, name), name)
    const titles =
      "Acme Ltd, Harare|Payment terms: 30 days|Sales by customer|Estimated taxes|Order desk: 77 123|Thank you for your purchase|Refund policy|Merci de votre achat|Returns policy: 30 days"
    for (const title of titles.split("|")) assert.isFalse(yield* contents([[title], ...plain]), title)
  })
})
