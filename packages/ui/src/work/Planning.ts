import {
  type AccountSettings,
  type Destination,
  type ImportPlan,
  OpenAccount,
  Session,
  type StoreWitness
} from "@fiscal-connector/core/session"
import { type AccountFacts, LateBy } from "@fiscal-connector/core/host/account"
import { BookFiles, RememberedAnswers, SavedPlan, TaxShares } from "@fiscal-connector/core/host/import"
import type { MappingBook } from "@fiscal-connector/core/book"
import { Adapter, Readings } from "@fiscal-connector/core/adapter"
import { Effect, FileSystem, Stream } from "effect"
import { ReceiptRule, WrittenDocument } from "@fiscal-connector/core/host"
import { Tally } from "../report/Tally.ts"
import * as Corrections from "./Corrections.ts"
import * as Texts from "../text/Texts.ts"
import { type Checked, gathering, nameOf, type PageImport, readingAnswersOf, type Upload } from "./PageImport.ts"

const corrected = (one: PageImport) =>
  Effect.gen(function* () {
    const { decided, format } = one
    const input = yield* inputOf(one)
    const options = yield* format.options(readingAnswersOf(one))
    if (format.withCells !== undefined) return { input, options: format.withCells(options, decided.corrections) }
    const files = input.files.map(({ bytes, name }) => {
      const own = decided.corrections.filter(({ file }) => file === name)
      return { name, bytes: Corrections.apply(bytes, own) }
    })
    return { input: { files }, options }
  })

/** Returns a file on disk as input of an adapter. */
export const fileAt = (adapter: string, { name, path }: Pick<Upload, "name" | "path">) =>
  Effect.map(FileSystem.FileSystem, (fs): Adapter.InputFile => ({
    name,
    bytes: Stream.mapError(fs.stream(path, { chunkSize: 256 * 1024 }), () => {
      const reason = new Adapter.InputFailed({ file: name, problem: "the file cannot be read any more" })
      return new Adapter.AdapterError({ adapter, reason })
    })
  }))

export const inputOf = ({ files, format }: Pick<PageImport, "files" | "format">) =>
  Effect.map(
    Effect.forEach(files, (file) => fileAt(format.name, file)),
    (files): Adapter.Input => ({ files })
  )

export const bookOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(file))) return undefined
  return { book: yield* BookFiles.open(file), text: yield* fs.readFileString(file) }
})

/**
 * Returns the order for core's import, as the command builds it. `counted`: called with the number
 * of documents read.
 */
export const orderOf = Effect.fnUntraced(function* (
  one: PageImport,
  book: MappingBook.MappingBook,
  settings: AccountSettings.AccountSettings,
  counted: (documents: number) => void
) {
  const { input, options } = yield* corrected(one)
  let read = 0
  const readings = Stream.map(Readings.from(one.format.adapter, input, options, book), (reading) => {
    if (reading?._tag !== "SourceDocument") return reading
    counted((read += 1))
    const { id, kind, number } = reading
    if (!one.decided.leftOut.has(nameOf({ kind, id: id || number }))) return reading
    return { _tag: "Skipped" as const, at: reading.where([]), key: number || id, reason: Texts.page.leftOutReason }
  })
  const order: Session.ImportOrder = {
    readings,
    book: one.decided.late === "restamp" ? { ...book, late: "restamp" } : book,
    timing: one.timing,
    notBefore: settings.notBefore
  }
  return order
})

const mostItems = 200

const uncodedOf = (document: WrittenDocument.WrittenDocument): ReadonlySet<string> =>
  new Set(
    WrittenDocument.read(document).payload.lineItems.flatMap(({ description, productCode }) =>
      productCode === null && description !== null ? [description.trim()] : []
    )
  )

const rowsOf = (
  { answers }: Pick<PageImport, "answers">,
  plan: ImportPlan.ImportPlan,
  { account }: Destination.Destination
) =>
  Effect.gen(function* () {
    const given = new Map(Array.from(answers, ([subject, { text, ...one }]) => [subject, { ...one, says: text }]))
    const tally = new Tally(plan.book, plan.dismissed)
    for (const finding of plan.unattached) tally.addUnattached(finding)
    const gathered = gathering(tally, TaxShares.percentsOf(plan.book))
    const uncoded = new Map<string, number>()
    let planned = 0
    yield* Stream.runForEach(Session.documents(plan, "planned", account), (page) =>
      Effect.sync(() => {
        for (const stated of page) {
          const findings = RememberedAnswers.caused(stated, given, Texts.questions.howToChange)
          const document = { ...stated, findings }
          gathered.add(document)
          if (document.state === "Planned") planned += 1
          if (document.document !== null && findings.some(({ code }) => code === ReceiptRule.RCPT047.code))
            for (const description of uncodedOf(document.document))
              if (uncoded.size < mostItems || uncoded.has(description))
                uncoded.set(description, (uncoded.get(description) ?? 0) + 1)
        }
      })
    )
    return { ...gathered.result(), uncoded, planned }
  })

let checks = 0

/** Returns what Check shows of a plan. The documents in full are added by the reading. */
export const checkedOf = (
  one: Pick<PageImport, "answers">,
  { device, missing, plan, warning, warnings }: Session.PlannedImport,
  known: AccountFacts.AccountFacts,
  book: MappingBook.MappingBook,
  witness: StoreWitness.StoreWitness | undefined
) =>
  Effect.gen(function* () {
    const { destination } = known
    const seen = yield* rowsOf(one, plan, destination)
    const late = seen.rows.filter(({ cause, state }) => state === "Held" && cause === "late")
    const steps = missing.codes.map(({ step }) => step)
    return {
      ...seen,
      check: (checks += 1),
      documents: null,
      refused: null,
      made: null,
      destination,
      device,
      book,
      overtaken: plan.wouldBecomeLate,
      warning,
      warnings: [...known.warnings, ...warnings],
      missing,
      additions:
        device.mappings === null || steps.length === 0
          ? null
          : SavedPlan.make(destination.account, book, device.mappings, { steps, findings: [] }),
      asks: yield* OpenAccount.asks(known, { witness, live: "allowed" }),
      lateBy: late.length === 0 ? null : yield* LateBy.dated(destination, new Set(late.map(nameOf)), book.zone)
    } satisfies Checked
  })
