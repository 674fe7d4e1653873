import { type Money, type Provenance, type SourceDocument, StatedWords } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import type { BoundMark } from "../columns/Binding.ts"
import type { DocumentField } from "../columns/Field.ts"
import * as Vocabulary from "../columns/Vocabulary.ts"
import type { Interpretation } from "../detect/Interpretation.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import * as Row from "../scan/Row.ts"
import type { DocumentCells } from "./DocumentCells.ts"
import type { Notes } from "./Notes.ts"
import type { CsvLines } from "./Lines.ts"
import { answersFor } from "./WordAnswers.ts"

interface KindStatements {
  readonly kind: string | undefined
  readonly id: string
  readonly number: string
  readonly states: "one state" | "two states"
}

/** A document with two kinds or states is refused, and never skipped for one of them. */
const isDivided = (cells: DocumentCells, states: KindStatements["states"]): boolean =>
  states === "two states" || cells.conflictsIn("kind") || cells.conflictsIn("status")

/**
 * Returns the kind. `sum`: computes the document's sum, called only if nothing else states the
 * kind; `first`: first row.
 */
export const read = (
  { settings, vocabulary }: Interpretation,
  cells: DocumentCells,
  notes: Notes,
  first: Row.Row,
  { kind: word, number, states }: KindStatements,
  sum: () => Money.Money | undefined
): SourceDocument.SourceDocument["kind"] => {
  if (cells.has("kind") && (word !== undefined || settings.kind === undefined)) {
    const kind = vocabulary.kind(word ?? "")
    if (kind === "credit-note" || kind === "invoice") return kind
    // a document that is not skipped for this kind is refused for its two kinds or states
    if (kind === "skip") return "invoice"
    const meanings = isDivided(cells, states) ? ["invoice", "credit-note"] : ["invoice", "credit-note", "skip"]
    const message =
      word === undefined ? "The document does not say of what kind it is" : `The kind ${Row.quoted(word)} is not known`
    notes.report(CsvFinding.CSV_KIND_UNKNOWN, {
      path: ["kind"],
      message,
      // an answer about one of two kinds leaves the other one
      ...(cells.conflictsIn("kind") ? undefined : answersFor("kinds", word, meanings)),
      at: cells.place("kind") ?? Row.start(first)
    })
    return "invoice"
  }
  if (settings.kind !== undefined) return settings.kind
  if (settings.creditNotePrefixes?.some((prefix) => number.startsWith(prefix)) === true) return "credit-note"
  const total = sum()
  if (total === undefined || !BigDecimal.isNegative(total)) return "invoice"
  if (settings.negativeTotals === "credit-note") return "credit-note"
  notes.report(CsvFinding.CSV_TOTAL_NEGATIVE, { path: ["kind"], at: Row.start(first) })
  return "invoice"
}

export interface Marked {
  readonly mark: BoundMark
  readonly row: Row.Row
}

export const marked = (marks: ReadonlyArray<BoundMark>, rows: ReadonlyArray<Row.Row>): Marked | undefined => {
  if (marks.length === 0) return undefined
  for (const row of rows) {
    const cells = Row.cells(row)
    const textOf = (cell: number) => (cells[cell] ?? "").trim()
    const mark = marks.find(({ cell, is, sameCell }) => {
      const text = textOf(cell)
      if (Vocabulary.isNo(text)) return false
      if (is !== undefined) return text.toLowerCase() === is
      return sameCell === undefined || text === textOf(sameCell)
    })
    if (mark !== undefined) return { mark, row }
  }
  return undefined
}

export const skipped = (
  { settings, vocabulary }: Interpretation,
  cells: DocumentCells,
  lines: Pick<CsvLines, "lines" | "rows">,
  notes: Notes,
  first: Row.Row,
  { id, kind, marked, number, states }: KindStatements & { readonly marked: Marked | undefined },
  modified: number | undefined
): SourceDocument.Skipped | undefined => {
  if (isDivided(cells, states)) return undefined
  const meant = kind === undefined ? undefined : vocabulary.kind(kind)
  const document = { kind: meant === "credit-note" ? meant : (settings.kind ?? "invoice"), id, number }
  const replaces = replacedBy(cells)
  const skip = (reason: string, field: DocumentField, cancelled = false): SourceDocument.Skipped => ({
    _tag: "Skipped",
    key: number === "" ? id : number,
    reason,
    at: cells.place(field) ?? Row.start(first),
    ...(meant !== "skip" && {
      document,
      ...(modified !== undefined && { modified }),
      ...(cancelled && { cancelled: { ...document, ...(replaces !== undefined && { replaces }) } })
    })
  })
  if (kind !== undefined && meant === "skip") {
    const sale = Vocabulary.isMoneyReceived(kind)
      ? ": money received; a cash sale under this name is left out, too"
      : ""
    return skip(`kind ${Row.quoted(kind)}${sale}`, "kind")
  }
  const out = marked === undefined ? undefined : markedOut(marked, settings, notes)
  if (out !== undefined)
    return {
      _tag: "Skipped",
      key: number === "" ? id : number,
      reason: out,
      at: Row.where(marked!.row, marked!.mark.cell),
      document,
      ...(modified !== undefined && { modified })
    }
  const status = cells.text("status")
  const cancelled = cells.text("cancelled")
  if (cancelled !== undefined && !Vocabulary.isNo(cancelled))
    return skip(`cancelled ${Row.quoted(cancelled)}`, "cancelled", true)
  const isStated = status !== undefined || cells.has("status")
  const state = isStated ? vocabulary.status(status ?? "") : undefined
  if (state === "skip") return skip(`status ${Row.quoted(status ?? "")}`, "status", Vocabulary.isCanceled(status ?? ""))
  const ask = (what: string, text: string | undefined, at: Provenance.Provenance | undefined) =>
    notes.report(CsvFinding.CSV_STATUS_UNKNOWN, {
      message: `It is not known whether ${what}`,
      ...answersFor("statuses", text, ["issued", "skip"]),
      at: at ?? Row.start(first)
    })
  if (isStated && state === undefined)
    ask(`the status ${Row.quoted(status ?? "")} means that the document has been issued`, status, cells.place("status"))
  const voided = markIn(cells, lines)
  const voidedAs = voided && vocabulary.mark(voided.text)
  // the words of a column of states are about that column
  if (voidedAs === "skip" && !isStated) return skip(`${voided!.of} ${Row.quoted(voided!.text)}`, "number")
  if (voided !== undefined && voidedAs === undefined)
    ask(
      `the ${voided.of} ${Row.quoted(voided.text)} means that the document has not been issued`,
      voided.text,
      voided.at
    )
  return undefined
}

const longestMark = 40

const isUnissuedMark = (text: string): boolean =>
  text.length <= longestMark && StatedWords.subjectOfValue(text.match(/\p{L}+/gu)?.join(" ")) === "status"

/** Returns the buyer or item whose whole name is a mark such as `** VOID **`. */
const markIn = (cells: DocumentCells, { lines, rows }: Pick<CsvLines, "lines" | "rows">) => {
  const buyer = cells.text("customerName")
  if (buyer !== undefined && isUnissuedMark(buyer)) return { of: "buyer", text: buyer, at: cells.place("customerName") }
  const nth = lines.findIndex(({ description }) => description && isUnissuedMark(description))
  return nth < 0 ? undefined : { of: "item", text: lines[nth]!.description!, at: rows[nth] && Row.start(rows[nth]) }
}

const markedOut = (
  { mark, row }: Marked,
  { debitNotes = "refuse" }: Interpretation["settings"],
  notes: Notes
): string | undefined => {
  if (mark.means === "skip" || debitNotes === "skip") return mark.reason
  if (debitNotes === "refuse")
    notes.report(CsvFinding.CSV_DEBIT_NOTE, { path: ["kind"], at: Row.where(row, mark.cell) })
  return undefined
}

export const replacedBy = (cells: DocumentCells): SourceDocument.SourceDocument["replaces"] => {
  const value = cells.identifier("replaces")
  return value === undefined ? undefined : { by: "number", value }
}
