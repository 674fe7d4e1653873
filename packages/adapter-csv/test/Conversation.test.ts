/** Questions of a conversation about the columns of a file, and their answers. */
import { assert, describe, it } from "../../core/test/It.ts"
import * as Conversation from "../../core/src/question/Conversation.ts"
import type { OpenQuestion } from "../../core/src/question/OpenQuestion.ts"
import type * as Questions from "../../core/src/question/Questions.ts"
import { Result } from "effect"
import type { CsvOptions } from "../src/CsvAdapter.ts"
import { adapter } from "../src/CsvFormat.ts"
import { input } from "./Sample.ts"

const askingOf = (text: string): Questions.Asking<CsvOptions> => ({
  adapter,
  input: input(text),
  options: {},
  zones: ["Africa/Harare"],
  columns: ({ files: [file] }, options) => adapter.table.ask(file!, options)
})

/** Two questions about this file deleted each other's answers without end. */
const german = `Belegnummer;Belegdatum;Belegart;Firma;USt-IdNr.;Bezeichnung;Menge;Einzelpreis netto;Gesamt netto;USt %;USt-Betrag;Gesamt brutto;Währung;Zahlungsart
RE-1;05.01.2026;Rechnung;Beispiel GmbH;;Schrauben;3;12,50;37,50;15,5;5,81;43,31;USD;Bar
RE-2;19.01.2026;Rechnung;Straßenbau Weiß KG;2000990011;Bohrmaschine;2;1.249,00;2.498,00;15,5;387,19;2.885,19;USD;EC-Karte
`

/** The name of the quantities says nothing: they may be the number of the invoice. */
const unnamed = german.replace("Menge", "Feld")

describe("the conversation about a file", () => {
  it.effect("asks a column again, without the meaning that another column has now, and names it", function* () {
    const { state } = yield* Conversation.next(askingOf(unnamed), Conversation.begin())
    const say = (before: Conversation.ConversationState, column: string, meaning: string) =>
      Result.getOrThrow(Conversation.answer(before, `column ${column}`, meaning))
    const one = say(state, "Feld", "number")
    assert.deepStrictEqual(one.again, [])
    const other = say(one.state, "Belegnummer", "number")
    assert.deepStrictEqual(other.again, ["column Feld"])
    const open = Conversation.openIn(other.state, state.opened!.questions)
    const offered = (questions: ReadonlyArray<OpenQuestion>) =>
      questions.find(({ id }) => id === "column Feld")?.choices.map(({ id }) => id) ?? []
    assert.notInclude(offered(open), "number")
    assert.include(offered(open), "quantity")
    // a change of the other column, or of the column itself, offers it again
    assert.include(
      offered(Conversation.openIn(Conversation.change(other.state, "column Belegnummer"), state.opened!.questions)),
      "number"
    )
    const changed = Conversation.change(say(other.state, "Feld", "quantity").state, "column Feld")
    assert.include(offered(Conversation.openIn(changed, state.opened!.questions)), "number")
  })

  it.effect("asks every column after a field that no column shows, whichever column states it", function* () {
    const text =
      "Kasse Nord;;;;;;;\nBeleg;Tag;Name;Name;Stk;Wert;Wert;Art\nK-1;03.02.2026;Müller;Stuhl;2;10,00;20,00;A7\nK-2;14.02.2026;Schmidt;Brot;4;2,50;10,00;Z0\n"
    const answers = {
      "header line": "2",
      "which number": "Beleg",
      "which description": "Name (2)",
      "which tax.code": "Art"
    }
    const given = Object.entries({ ...answers, "which customerName": "Name (1)" })
    const next = yield* Conversation.next(
      askingOf(text),
      Conversation.begin(new Map(given.map(([subject, answer]) => [subject, { answer, origin: "file" as const }])))
    )
    assert.include(next._tag === "Group" ? next.questions.map(({ id }) => id) : [], "column Tag")
  })

  it.effect(
    "takes the answers of earlier versions, one for each field, and refuses two columns for one meaning",
    function* () {
      const settle = (answers: Readonly<Record<string, string>>, text = unnamed) =>
        Conversation.next(
          askingOf(text),
          Conversation.begin(
            new Map(Object.entries(answers).map(([subject, answer]) => [subject, { answer, origin: "file" as const }]))
          )
        )
      const earlier = yield* settle(
        { "column number": "Belegnummer", "column amount": "Gesamt netto", "other columns": "proposed" },
        german
      )
      assert.isTrue(earlier.state.settled.has("column Gesamt netto"))
      assert.strictEqual(earlier.state.settled.get("column Gesamt netto")?.choice.id, "lineAmount")
      assert.strictEqual(
        earlier._tag === "Group" && earlier.questions.every(({ subject }) => subject !== "columns"),
        true
      )
      const twice = yield* settle({ "column Belegnummer": "number", "column Feld": "number" })
      assert.deepStrictEqual(twice._tag === "Group" ? twice.problems : [], [
        "column Belegnummer and column Feld are both the number of the invoice: it can be one of them",
        "column Feld and column Belegnummer are both the number of the invoice: it can be one of them"
      ])
      const wrong = yield* settle({ "column Feld": "colour" })
      assert.match(wrong._tag === "Group" ? (wrong.problems[0] ?? "") : "", /^column Feld: "colour" is not one of /)
    }
  )

  it.effect("asks for a kind before the policies that depend on it", function* () {
    const text = `Number,Date,Type,Customer,Description,Quantity,Unit Price,Amount,Total
INV1,2026-10-12,Sale,Dombo,Room,3,80.00,240.00,277.20
CR1,2026-10-22,Return,Dombo,Room,-1,80.00,-80.00,-92.40
`
    const answers = { "other columns": "proposed", dates: "dmy" }
    const begun = Conversation.begin(
      new Map(Object.entries(answers).map(([subject, answer]) => [subject, { answer, origin: "file" as const }]))
    )
    const first = yield* Conversation.next(askingOf(text), begun)
    assert.deepStrictEqual(first._tag === "Group" ? first.questions.map(({ id }) => id) : first._tag, [
      "CSV_KIND_UNKNOWN Return"
    ])
    const { state } = Result.getOrThrow(
      Conversation.answer(first.state, "CSV_KIND_UNKNOWN Return", "Return=credit-note")
    )
    const next = yield* Conversation.next(askingOf(text), state)
    const ids = next._tag === "Group" ? next.questions.map(({ id }) => id) : []
    assert.notInclude(ids, "negative-lines")
    assert.include(ids, "original of CR1")
    // the file states no currency
    assert.notInclude(JSON.stringify(next._tag === "Group" && next.questions), "XXX")
  })

  it.effect("keeps a meaning that is offered only after the answer to another column", function* () {
    const answers = { "column Belegnummer": "unused", "other columns": "proposed" }
    const stated = (more: Readonly<Record<string, string>>) =>
      new Map(
        Object.entries({ ...answers, ...more }).map(([subject, answer]) => [
          subject,
          { answer, origin: "file" as const }
        ])
      )
    const first = yield* Conversation.next(askingOf(german), Conversation.begin())
    const menge = first._tag === "Group" ? first.questions.find(({ id }) => id === "column Menge") : undefined
    assert.notInclude(JSON.stringify(menge), JSON.stringify("number"))
    const asked = yield* Conversation.next(askingOf(german), Conversation.begin(stated({ "column Menge": "unused" })))
    const told = Result.getOrThrow(Conversation.answer(asked.state, "which number", "Menge"))
    for (const state of [told.state, Conversation.begin(stated({ "column Menge": "number" }))]) {
      const next = yield* Conversation.next(askingOf(german), state)
      assert.deepStrictEqual(next._tag === "Group" ? next.problems : next._tag, [])
      assert.strictEqual(next.state.settled.get("column Menge")?.choice.id, "number")
    }
  })

  it.effect("asks for the number and the date again if their columns are not used, and ends without one", function* () {
    const answering = (answers: Readonly<Record<string, string>>) =>
      Conversation.next(
        askingOf(german),
        Conversation.begin(
          new Map(
            Object.entries({ "other columns": "proposed", ...answers }).map(([subject, answer]) => [
              subject,
              { answer, origin: "file" as const }
            ])
          )
        )
      )
    for (const [field, column] of [
      ["number", "Belegnummer"],
      ["date", "Belegdatum"]
    ] as const) {
      const asked = yield* answering({ [`column ${column}`]: "unused" })
      assert.deepStrictEqual(asked._tag === "Group" ? asked.questions.map(({ id }) => id) : [], [`which ${field}`])
      const none = yield* answering({ [`column ${column}`]: "unused", [`which ${field}`]: "stop" })
      assert.deepStrictEqual(none._tag === "Stopped" ? none.by : [], [`which ${field}`])
      const back = yield* answering({ [`column ${column}`]: "unused", [`which ${field}`]: column })
      assert.include(back._tag === "Group" ? back.questions.map(({ id }) => id) : [], "zone")
    }
  })
})
