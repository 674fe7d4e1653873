/** From files and answers to a plan: the command's way, with the page's files. */
import * as Session from "@fiscal-connector/core/session/Session"
import type { AccountSettings } from "@fiscal-connector/core/account/AccountSettings"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import { AdapterError, type Input, InputFailed } from "@fiscal-connector/core/source/Adapter"
import * as Readings from "@fiscal-connector/core/source/Readings"
import type { Destination } from "@fiscal-connector/core/account/Destination"
import * as Provenance from "@fiscal-connector/core/finding/Provenance"
import type { ImportPlan } from "@fiscal-connector/core/import/ImportPlan"
import * as BookFiles from "@fiscal-connector/core/unstable/mapping/BookFiles"
import { Effect, FileSystem, Stream } from "effect"
import * as TaxShares from "@fiscal-connector/core/unstable/import/TaxShares"
import * as Parts from "../report/Parts.ts"
import { Tally } from "../report/Tally.ts"
import * as Words from "../text/Words.ts"
import { nameOf, type PageImport, type Row, rowOf } from "./PageImport.ts"

/** The files under the names the person gave them. */
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

/** The book with its text; undefined where there is none. */
export const bookOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(file))) return undefined
  return { book: yield* BookFiles.open(file), text: yield* fs.readFileString(file) }
})

/** What is to be imported, as the command orders it. `counted`: told how many documents have been read. */
export const orderOf = Effect.fnUntraced(function* (
  one: PageImport,
  book: MappingBook,
  settings: AccountSettings,
  counted: (documents: number) => void
) {
  const options = yield* one.format.options(one.said)
  let read = 0
  const readings = Stream.map(Readings.from(one.format.adapter, yield* inputOf(one), options, book), (reading) => {
    if (reading?._tag !== "SourceDocument") return reading
    counted((read += 1))
    const { id, kind, number } = reading
    if (!one.decided.leftOut.has(nameOf({ kind, id: id || number }))) return reading
    return { _tag: "Skipped" as const, at: reading.where([]), key: number || id, reason: Words.page.leftOutReason }
  })
  const order: Session.ImportOrder = {
    readings,
    book: one.decided.late === "restamp" ? { ...book, late: "restamp" } : book,
    passage: one.passage,
    notBefore: settings.notBefore
  }
  return order
})

/** Every document of the plan as it stands, as rows, with what is said of all of them. */
export const rowsOf = (plan: ImportPlan, stage: Session.ImportStage, { account }: Destination) =>
  Effect.gen(function* () {
    const tally = new Tally(plan.book)
    for (const finding of plan.unattached) tally.addUnattached(finding)
    const rows: Array<Row> = []
    const percents = TaxShares.percentsOf(plan.book)
    let [planned, already] = [0, 0]
    yield* Stream.runForEach(Session.documents(plan, stage, account), (page) =>
      Effect.sync(() => {
        for (const document of page) {
          tally.add(document)
          if (document.state === "Planned") planned += 1
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
    return { tally, rows, planned, already, summary: tally.summary }
  })
