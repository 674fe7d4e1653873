/** Runs `plan` without a mapping book. */
import { Money } from "@fiscal-connector/core/adapter"
import {
  Conversation,
  type ExportContents,
  type Questions,
  RememberedAnswers
} from "@fiscal-connector/core/host/import"
import { AtomicFile } from "@fiscal-connector/core/host"
import { Effect, Option } from "effect"
import { Call, type CallShape } from "../output/Call.ts"
import { printable } from "../output/Terminal.ts"
import { type Column, table } from "../output/Table.ts"
import { ExitError } from "../output/ExitError.ts"
import * as AdapterAnswer from "./AdapterAnswer.ts"
import * as BookOfExport from "./BookOfExport.ts"
import * as OpenExport from "./OpenExport.ts"
import * as Output from "../output/Output.ts"
import * as QuestionList from "./QuestionList.ts"

/** Names the book and the reading flags, so that printed calls read the files in the same way. */
export interface Looking {
  readonly bookFile: string
  readonly drafting: BookOfExport.ExportDrafting
  readonly known: OpenExport.KnownExport
  readonly template: Option.Option<string>
}

/**
 * Sends nothing, and writes only the template of answers. Exit code 1 if the file cannot be read
 * without answers, 2 if some documents would be refused whatever the answers.
 */
export const look = (exported: OpenExport.Exported, looking: Looking) =>
  Effect.gen(function* () {
    const call = yield* Call
    const conversing = yield* OpenExport.conversing(exported, looking.bookFile, looking.known)
    const following = yield* Effect.catchTag(
      OpenExport.next(conversing, Conversation.begin()),
      "AdapterError",
      AdapterAnswer.quit
    )
    if (following._tag === "Stopped") return yield* OpenExport.stopped(following)
    const { opened } = following
    const file = Option.getOrUndefined(looking.template)
    if (file !== undefined) yield* AtomicFile.writeText(file, RememberedAnswers.template(opened.questions))
    const { drafting } = looking
    const isRead =
      opened.contents !== undefined &&
      opened.questions.every(({ subject }) => subject !== "file" && subject !== "columns")
    const next = BookOfExport.startingCall(drafting.files[0]!, [], call)
    const draft = isRead ? BookOfExport.draftingCall(drafting, call) : undefined
    yield* Output.answer("export-contents", toJson(opened, next), toText(opened, call, { next, draft, file, drafting }))
    if (!isRead) return yield* new ExitError({ code: 1, text: "" })
    if (opened.unsettled.length > 0) return yield* new ExitError({ code: 2, text: "" })
  })

interface PrintedCalls {
  readonly next: string
  /** Undefined if nothing can be read without answers. */
  readonly draft: string | undefined
  readonly file: string | undefined
  readonly drafting: BookOfExport.ExportDrafting
}

const toText = (
  { contents, questions, unsettled }: Questions.OpenedQuestions,
  call: CallShape,
  calls: PrintedCalls
): string => {
  const { draft, drafting, file, next } = calls
  const count = questions.length === 1 ? "One question is" : `${questions.length} questions are`
  return [
    ...(contents === undefined || contents.totals.length === 0
      ? []
      : [`As the export states it:\n\n${table(totalColumns, contents.totals)}`]),
    ...(unsettled.length === 0
      ? []
      : [`Refused with any answer to the questions below:\n\n${QuestionList.unsettled(unsettled)}`]),
    ...(questions.length === 0 ? [] : [`${count} open:\n\n${QuestionList.list(questions)}`]),
    [
      contents === undefined
        ? "The export cannot be read before it is answered how. Nothing was written or sent."
        : `Read without a mapping book: ${documentsText(contents)}. Nothing was ${file === undefined ? "written or sent" : "sent"}.`,
      ...(file === undefined
        ? []
        : [
            printable(`${file} written: the questions, with the proposals as answers. Complete it, then plan by it:`),
            "",
            `  ${call.like({ leavesOut: (flag) => flag === "--write-answers", flags: ["--answers", file] })}`,
            ""
          ]),
      "This asks the questions, and writes the mapping book from the answers:",
      "",
      `  ${next}`,
      "",
      ...(file === undefined
        ? [
            "For scripts, a file of answers instead, with the proposals in it:",
            "",
            `  ${call.again("--write-answers", `${nameOf(drafting.files)}.questions.json`)}`,
            ""
          ]
        : []),
      ...(draft === undefined ? [] : ["Or a mapping book to complete by hand:", "", `  ${draft}`])
    ].join("\n")
  ].join("\n\n")
}

const nameOf = ([file = ""]: ReadonlyArray<string>): string =>
  file === "-" ? "export" : file.replace(/\.[^./\\]*$/, "")

const documentsText = ({ documents, period, skipped }: ExportContents.ExportContents): string => {
  const dated = period === undefined ? "" : `, dated ${period.from} to ${period.to}`
  return `${documents} document${documents === 1 ? "" : "s"}${dated}${skipped === 0 ? "" : `; ${skipped} skipped`}`
}

const toJson = ({ contents, questions, unsettled }: Questions.OpenedQuestions, next: string) => ({
  documents: contents?.documents ?? null,
  skipped: contents?.skipped ?? null,
  period: contents?.period ?? null,
  totals: (contents?.totals ?? []).map((one) => ({ ...one, total: Money.formatAmount(one.total) })),
  questions,
  unsettled: unsettled.map(({ documents, examples, finding: { code, fix, message } }) => ({
    code,
    message,
    fix,
    documents,
    examples
  })),
  next
})

const totalColumns: ReadonlyArray<Column<ExportContents.StatedTotal>> = [
  { title: "Currency", value: ({ currency }) => currency || "none" },
  { title: "Kind", value: ({ kind }) => kind },
  { title: "Documents", align: "right", value: ({ documents }) => String(documents) },
  {
    title: "Total stated",
    align: "right",
    value: ({ stated, total }) => (stated === 0 ? "none" : Money.formatAmount(total))
  },
  {
    title: "",
    value: ({ documents, stated }) => (stated === 0 || stated === documents ? "" : `by ${stated} of them`)
  }
]
