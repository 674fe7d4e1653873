/** The documents of one export as they were read: invoices translated as they come, credit notes once all their originals are known. */
import { Effect, Stream } from "effect"
import * as Finding from "../finding/Finding.ts"
import type { Ledger } from "../preflight/Ledger.ts"
import type { AdapterError, Reading } from "../source/Adapter.ts"
import { wording } from "../source/Fingerprint.ts"
import type { Skipped, SourceDocument } from "../source/SourceDocument.ts"
import type { StoreError } from "../submission/StoreError.ts"
import { type BatchDocument, type BatchOptions, examine, keyOf } from "./BatchDocument.ts"
import * as CreditNotes from "./CreditNotes.ts"
import { ImportFinding } from "./ImportFinding.ts"

export interface Batch {
  readonly documents: ReadonlyArray<BatchDocument>
  readonly skipped: ReadonlyArray<Skipped>
  /** Findings that belong to no document. */
  readonly strays: ReadonlyArray<Finding.Finding>
}

/** Reads an export to its end. Fails only where the export itself cannot be read, or the store. */
export const read = <R>(
  readings: Stream.Stream<Reading, AdapterError, R>,
  ledger: Ledger,
  options: BatchOptions
): Effect.Effect<Batch, AdapterError | StoreError, R> =>
  Effect.gen(function* () {
    const invoices: Array<BatchDocument> = []
    const notes: Array<SourceDocument> = []
    const skipped: Array<Skipped> = []
    const strays: Array<Finding.Finding> = []
    yield* Stream.runForEach(readings, (reading) =>
      Effect.sync(() => {
        if (reading._tag === "Finding") strays.push(reading)
        else if (reading._tag === "Skipped") skipped.push(reading)
        else if (reading.kind === "credit-note") notes.push(reading)
        else invoices.push(examine(reading, options))
      })
    )
    const credits = yield* CreditNotes.examineAll(notes, invoices, ledger, options)
    const documents = [...invoices, ...credits].toSorted((a, b) => a.source.order - b.source.order)
    return { ...withoutRepeats(documents, skipped), strays }
  })

/** Identical repeats (overlapping pages, the same file twice) count once; different documents under one key or number are all refused. */
const withoutRepeats = (
  documents: ReadonlyArray<BatchDocument>,
  skipped: ReadonlyArray<Skipped>
): Omit<Batch, "strays"> => {
  const known = Map.groupBy(documents, ({ source }) => keyOf(source))
  const said = new Set<string>()
  const repeats: Array<Skipped> = []
  const unique = documents.filter(({ source }) => {
    const isAlone = known.get(keyOf(source))?.length === 1
    if (isAlone || said.size < said.add(wording(source)).size) return true
    repeats.push({ _tag: "Skipped", key: source.number, reason: "stated twice, word for word", at: source.where([]) })
    return false
  })
  const byKey = Map.groupBy(unique, ({ source }) => keyOf(source))
  const byNumber = Map.groupBy(unique, ({ source }) => source.number)
  return {
    skipped: [...skipped, ...repeats],
    documents: unique.map((document) => {
      const { source } = document
      const others = [...(byKey.get(keyOf(source)) ?? []), ...(byNumber.get(source.number) ?? [])].filter(
        (other) => other !== document
      )
      if (others.length === 0 || source.number === "") return document
      const detail = `also at ${others.map((other) => place(other.source)).join(", ")}`
      const finding = Finding.make(ImportFinding.DOCUMENT_TWICE, {
        message: `several documents have the number ${source.number}`,
        detail,
        path: ["number"],
        at: source.where(["number"])
      })
      return { ...document, findings: [...document.findings, finding] }
    })
  }
}

const place = (source: SourceDocument): string => {
  const { file, line } = source.where([])
  return line === undefined ? file : `${file}:${line}`
}
