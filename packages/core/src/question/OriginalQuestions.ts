/**
 * The wrong original is a wrong receipt: nothing is ever proposed, and the answer is checked as if
 * the export stated it.
 */
import { BigDecimal } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import { type MappingBook, originalOf } from "../mapping/MappingBook.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import type { Translated } from "../translate/Translated.ts"
import {
  type Choice,
  leaveOut,
  type OpenQuestion,
  placeholder,
  plain,
  type QuestionEdit,
  typed
} from "./OpenQuestion.ts"

const ofAllId = "originals"
export const noteId = "original of "

/** Maximum number of notes that are asked one by one without being asked for it. */
const mostNotes = 10
const mostKept = 5000
const mostInvoices = 12

interface SeenOriginal {
  readonly number: string
  readonly buyer: string
  readonly day: string
  /** Empty if the currency is open, too. */
  readonly currency: string
  readonly total: Money.Money | undefined
  readonly reference: string
}

const buyerOf = ({ buyer }: SourceDocument): string =>
  (buyer?.tin ?? buyer?.vatNumber ?? buyer?.id ?? buyer?.name ?? "").trim().toLowerCase()

const seen = (source: SourceDocument, translated: Translated | undefined): SeenOriginal => {
  const { currency = "", date, number, reference = "", totals } = source
  const day = date === undefined ? "" : typeof date === "string" ? date : CivilDate.of(date)
  const total = totals.total ?? translated?.document.payload.total
  const known = currency === placeholder ? "" : `${currency} `
  return { number, buyer: buyerOf(source), day, currency: known, total, reference: reference.trim() }
}

const amountOf = ({ currency }: SeenOriginal, amount: Money.Money): string =>
  `, ${currency}${Money.formatAmount(amount)}`

const editOf = (note: string, invoice: string): QuestionEdit => ({
  what: "setting",
  path: ["originals", note],
  value: invoice
})

export const askedAfter = (
  answers: ReadonlyMap<string, unknown>,
  settled: ReadonlyMap<string, { readonly choice: Choice }>
): "all" | "each" | "none" => {
  const ofAll = settled.get(ofAllId)?.choice.id
  if (ofAll === leaveOut.id) return "none"
  if (ofAll !== undefined) return "each"
  // a file of pairs answers each note
  const isOfNotes = !answers.has(ofAllId) && [...answers.keys()].some((subject) => subject.startsWith(noteId))
  return isOfNotes ? "each" : "all"
}

export class OriginalQuestions {
  private readonly notes = new Map<string, SeenOriginal>()
  private readonly invoices = new Map<string, SeenOriginal>()
  private readonly credited = new Map<string, Money.Money>()

  take(source: SourceDocument, translated: Translated | undefined, book: MappingBook): void {
    const { kind, number } = source
    if (number === "") return
    const original = kind === "invoice" ? undefined : (source.originals[0]?.value ?? originalOf(book, number))
    const one = seen(source, translated)
    if (original !== undefined) {
      const before = this.credited.get(original) ?? Money.zero
      if (one.total !== undefined) this.credited.set(original, BigDecimal.sum(before, BigDecimal.abs(one.total)))
      return
    }
    const all = kind === "invoice" ? this.invoices : this.notes
    if (all.size < mostKept) all.set(number, one)
  }

  questions(asked: "all" | "each" | "none"): ReadonlyArray<OpenQuestion> {
    const notes = [...this.notes.values()]
    if (asked === "none" || notes.length === 0) return []
    return asked === "all" && notes.length > mostNotes ? [this.ofAll(notes)] : notes.map((note) => this.ofNote(note))
  }

  private referenced({ number, reference }: SeenOriginal): SeenOriginal | undefined {
    return reference === number ? undefined : this.invoices.get(reference)
  }

  private ofAll(notes: ReadonlyArray<SeenOriginal>): OpenQuestion {
    const pairs = notes.flatMap((note) => {
      const invoice = this.referenced(note)
      return invoice === undefined ? [] : [{ note: note.number, invoice: invoice.number }]
    })
    const byReference: Choice = {
      ...plain,
      id: "reference",
      words: "the reference of a note is the number of its invoice",
      examples: pairs.slice(0, 3).map(({ invoice, note }) => `${note} → ${invoice}`),
      evidence: [`${pairs.length} of ${notes.length} references are the number of an invoice`],
      book: pairs.map(({ invoice, note }) => editOf(note, invoice))
    }
    return {
      ...about(notes),
      id: ofAllId,
      question: `${notes.length} credit notes name no invoice. How is it known which invoice each one credits?`,
      choices: [
        ...(pairs.length === 0 ? [] : [byReference]),
        {
          ...plain,
          id: "each-note",
          words: "each note is asked: one by one, or in a file of answers"
        },
        leaveOut
      ]
    }
  }

  private ofNote(note: SeenOriginal): OpenQuestion {
    const referenced = this.referenced(note)
    const likely = [...this.invoices.values()]
      .filter((one) => one !== referenced && note.buyer !== "" && one.buyer === note.buyer && one.day <= note.day)
      .toSorted((a, b) => b.day.localeCompare(a.day))
    const offered = [...(referenced === undefined ? [] : [referenced]), ...likely].slice(0, mostInvoices)
    const amount = note.total === undefined ? "" : amountOf(note, BigDecimal.abs(note.total))
    return {
      ...about([note]),
      id: `${noteId}${note.number}`,
      question: `Which invoice does the credit note ${note.number} of ${note.day}${amount} credit?`,
      choices: [
        ...offered.map((invoice) => this.choiceOf(note, invoice, invoice === referenced)),
        {
          ...plain,
          id: "typed",
          words: "another invoice, also one that is fiscalised already",
          book: [editOf(note.number, typed)],
          fill: "the number of the invoice"
        },
        leaveOut
      ]
    }
  }

  private choiceOf(note: SeenOriginal, invoice: SeenOriginal, isReferenced: boolean): Choice {
    const { day, number, total } = invoice
    const open = total && BigDecimal.subtract(total, this.credited.get(number) ?? Money.zero)
    const isSame =
      total !== undefined && note.total !== undefined && BigDecimal.equals(total, BigDecimal.abs(note.total))
    return {
      ...plain,
      id: number,
      words: `${number} of ${day}${open === undefined ? "" : `${amountOf(invoice, open)} not credited yet`}`,
      evidence: [
        ...(isReferenced ? ["the note's reference is this number"] : []),
        ...(isSame ? ["the same total"] : [])
      ],
      book: [editOf(note.number, number)]
    }
  }
}

const about = (notes: ReadonlyArray<SeenOriginal>): Omit<OpenQuestion, "id" | "question" | "choices"> => ({
  subject: "documents",
  file: null,
  documents: notes.length,
  examples: notes.slice(0, 3).map(({ number }) => number),
  proposal: null
})
