/** Plans an import from files and answers, as the command does, with the page's files. */
import * as Session from "@fiscal-connector/core/session/Session"
import type { AccountFacts } from "@fiscal-connector/core/unstable/account/AccountFacts"
import * as OpenAccount from "@fiscal-connector/core/account/OpenAccount"
import type { StoreWitness } from "@fiscal-connector/core/account/StoreWitness"
import * as SavedPlan from "@fiscal-connector/core/unstable/mapping/SavedPlan"
import * as LateBy from "@fiscal-connector/core/unstable/session/LateBy"
import type { AccountSettings } from "@fiscal-connector/core/account/AccountSettings"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import { AdapterError, type Input, InputFailed } from "@fiscal-connector/core/source/Adapter"
import * as Readings from "@fiscal-connector/core/source/Readings"
import type { Destination } from "@fiscal-connector/core/account/Destination"
import * as Provenance from "@fiscal-connector/core/finding/Provenance"
import type { ImportPlan } from "@fiscal-connector/core/import/ImportPlan"
import * as BookFiles from "@fiscal-connector/core/unstable/mapping/BookFiles"
import { Effect, FileSystem, Stream } from "effect"
import * as WrittenDocument from "@fiscal-connector/core/unstable/document/WrittenDocument"
import { RCPT047 } from "@fiscal-connector/core/unstable/finding/ReceiptRule"
import * as TaxShares from "@fiscal-connector/core/unstable/import/TaxShares"
import * as Parts from "../report/Parts.ts"
import { Tally } from "../report/Tally.ts"
import * as RememberedAnswers from "@fiscal-connector/core/unstable/question/RememberedAnswers"
import * as Corrections from "./Corrections.ts"
import * as Texts from "../text/Texts.ts"
import { type Checked, nameOf, type PageImport, readingAnswersOf, type ImportRow, rowOf } from "./PageImport.ts"

/** Returns the input and the adapter's options, with the cells corrected on the page. */
const corrected = (one: PageImport) =>
  Effect.gen(function* () {
    const { decided, format } = one
    const input = yield* inputOf(one)
    const options = yield* format.options(readingAnswersOf(one))
    if (format.withCells !== undefined) return { input, options: format.withCells(options, decided.corrections) }
    const files = input.files.map(({ bytes, name }) => ({
      name,
      bytes: Corrections.apply(
        bytes,
        decided.corrections.filter(({ file }) => file === name)
      )
    }))
    return { input: { files }, options }
  })

/** Returns the files under the user's names. */
export const inputOf = ({ files, format }: Pick<PageImport, "files" | "format">) =>
  Effect.map(FileSystem.FileSystem, (fs): Input => ({
    files: files.map(({ name, path }) => ({
      name,
      bytes: fs.stream(path, { chunkSize: 256 * 1024 }).pipe(
        Stream.mapError(
          () =>
            new AdapterError({
              adapter: format.name,
              reason: new InputFailed({ file: name, problem: "the uploaded file cannot be read any more" })
            })
        )
      )
    }))
  }))

/** Returns the book with its text. Undefined if the book does not exist. */
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
  book: MappingBook,
  settings: AccountSettings,
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

/** Maximum number of items listed for product codes. */
const mostItems = 200

const uncodedOf = (document: WrittenDocument.WrittenDocument): ReadonlySet<string> =>
  new Set(
    WrittenDocument.read(document).payload.lineItems.flatMap(({ description, productCode }) =>
      productCode === null && description !== null ? [description.trim()] : []
    )
  )

/** Returns every document of the plan as a row, with the totals and findings. */
export const rowsOf = (
  { answers }: Pick<PageImport, "answers">,
  plan: ImportPlan,
  stage: Session.ImportStage,
  { account }: Destination
) =>
  Effect.gen(function* () {
    const given = new Map(Array.from(answers, ([subject, { answer, text }]) => [subject, { answer, says: text }]))
    const tally = new Tally(plan.book, plan.dismissed)
    for (const finding of plan.unattached) tally.addUnattached(finding)
    const rows: Array<ImportRow> = []
    const percents = TaxShares.percentsOf(plan.book)
    const uncoded = new Map<string, number>()
    let [planned, already] = [0, 0]
    yield* Stream.runForEach(Session.documents(plan, stage, account), (page) =>
      Effect.sync(() => {
        for (const stated of page) {
          const findings = RememberedAnswers.caused(stated.findings, given, Texts.questions.howToChange)
          const document = { ...stated, findings }
          tally.add(document)
          if (document.state === "Planned") planned += 1
          if (document.document !== null && document.findings.some(({ code }) => code === RCPT047.code))
            for (const description of uncodedOf(document.document))
              if (uncoded.size < mostItems || uncoded.has(description))
                uncoded.set(description, (uncoded.get(description) ?? 0) + 1)
          if (document.state === "Fiscalised" && document.news === "known") already += 1
          rows.push(
            rowOf(
              document,
              document.shares ?? (document.document && TaxShares.of(document.document, percents)) ?? undefined,
              {
                date: Parts.dated(document),
                place: Provenance.format(document.source)
              }
            )
          )
        }
      })
    )
    return { tally, rows, uncoded, planned, already, summary: tally.summary }
  })

/** Returns what Check shows of a plan. The documents in full are added by the reading. */
export const checkedOf = (
  one: Pick<PageImport, "answers">,
  { device, missing, plan, warning, warnings }: Session.PlannedImport,
  known: AccountFacts,
  book: MappingBook,
  witness: StoreWitness | undefined
) =>
  Effect.gen(function* () {
    const { destination } = known
    const seen = yield* rowsOf(one, plan, "planned", destination)
    const late = seen.rows.filter(({ cause, state }) => state === "Held" && cause === "late")
    const steps = missing.codes.map(({ step }) => step)
    return {
      ...seen,
      documents: null,
      refused: null,
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
