import type { KeptImport, RefusedDocument } from "@fiscal-connector/core/host"
import { RunReport } from "@fiscal-connector/core/session"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Instant } from "@fiscal-connector/core/adapter"
import { DocumentJson, ImportMemory } from "@fiscal-connector/core/host/import"
import { Console, type DateTime, Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { as, decidedBy, optionalReason, reason } from "../../account/DecidedBy.ts"
import { changingStore, onStore, storeFlags } from "../../account/StoreFlags.ts"
import * as RunEffect from "../../account/RunEffect.ts"
import * as ImportReport from "../../import/ImportReport.ts"
import * as ReportFile from "../../import/ReportFile.ts"
import * as Sums from "../../import/Sums.ts"
import { Call, type CallShape } from "../../output/Call.ts"
import * as NextStep from "../../output/NextStep.ts"
import * as Output from "../../output/Output.ts"
import { notDone } from "../../output/ExitError.ts"
import { Screen } from "../../output/Screen.ts"
import { type Column, table } from "../../output/Table.ts"
import { printable } from "../../output/Terminal.ts"
import * as Times from "../../output/Times.ts"
import { describedCommand, optionalText } from "../../output/Flags.ts"
import { paragraphs } from "../../output/Paragraphs.ts"

const shown = 50

const standings: Readonly<Record<KeptImport.KeptImport["standing"], (rest: number) => string>> = {
  begun: () => "nothing accepted",
  accepted: (rest) => `${rest} wait`,
  whole: () => "",
  incomplete: () => "not all planned",
  cancelled: () => "cancelled",
  unfinished: () => "broke off"
}

const columnsIn = (zone: DateTime.TimeZone): ReadonlyArray<Column<KeptImport.KeptImport>> => [
  { title: "Id", align: "right", keep: "always", value: ({ id }) => String(id) },
  { title: Times.title("At", zone), keep: "always", value: ({ at }) => Times.shown(at, zone) },
  { title: "Account", value: ({ destination }) => destination.account },
  { title: "Documents", align: "right", value: ({ documents }) => String(documents) },
  { title: "Refused", align: "right", value: ({ refused }) => String(refused) },
  { title: "Skipped", align: "right", value: ({ skipped }) => String(skipped) },
  { title: "Files", limit: 60, keep: "always", value: ({ files }) => files.map(({ name }) => name).join(", ") },
  { title: "", value: ({ rest, standing }) => standings[standing](rest) }
]

const record = ({
  adapter,
  at,
  book,
  destination,
  documents,
  files,
  id,
  refused,
  rest,
  settings,
  skipped,
  standing
}: KeptImport.KeptImport) => ({
  id,
  at: Instant.format(at),
  ...destination,
  adapter,
  files,
  book,
  settings,
  standing,
  documents,
  refused,
  skipped,
  rest
})

const list = Effect.gen(function* () {
  const found = yield* SubmissionStore.SubmissionStore.use((store) => store.imports({ limit: shown }))
  const call = yield* Call
  if ((yield* Output.Output).form === "json")
    return yield* Effect.forEach(found, (one) => Output.tell("import", record(one)))
  const [first] = found
  const zone = yield* Times.zoneOfStore
  yield* Console.log(
    first === undefined
      ? "No import is remembered."
      : [
          table(columnsIn(zone), found, yield* Screen),
          `To see the documents of one import:\n  ${call.next({ command: ["imports"], operands: [String(first.id)], as: ["config", "store"] })}`
        ].join("\n\n")
  )
})

const fileLine = (what: string, { bytes, name, sha256 }: KeptImport.FileRecord) =>
  `${what}: ${name}, ${bytes} bytes, SHA-256 ${sha256}`

const madeOf = ({ adapter, at, book, destination, files, settings }: KeptImport.ImportMade) =>
  [
    `Imported ${Instant.format(at)} by ${adapter} for the account ${destination.account}, device ${destination.lane}`,
    ...files.map((file) => fileLine("File", file)),
    ...(book === null ? [] : [fileLine("Mapping book", book)]),
    ...(Object.keys(settings).length === 0 ? [] : [`Settings of the files: ${JSON.stringify(settings)}`])
  ].map(printable)

const openText = ({ id, rest, standing }: KeptImport.KeptImport, call: CallShape): string => {
  const cancel = call.next({ command: ["imports", "cancel"], operands: [String(id)], as: ["config", "store"] })
  switch (standing) {
    case "whole":
      return ""
    case "begun":
      return "Nothing of it was accepted, and nothing of it is sent: its process was ended before. Import the files again."
    case "cancelled":
      return "It was cancelled: what had not been handed over by then is never sent."
    case "accepted":
      return `It was accepted, and ${rest} documents wait to be handed over. This hands them over and sends them:\n  ${NextStep.callFor({ do: "resume" }, call)}\nThis ends it, and they are never sent:\n  ${cancel}`
    case "incomplete":
      return `Some of its documents could not be planned when it was handed over: nothing of them is sent. They are shown with their reasons. Correct them in the source and import them again. Then this ends it:\n  ${cancel}`
    case "unfinished":
      return `It broke off while an earlier version handed it over: documents of the files may be missing. The same import again hands over the rest; nothing is sent twice. Then this ends it:\n  ${cancel}`
  }
}

const one = Effect.fnUntraced(function* (id: number, report: Option.Option<string>) {
  const kept = Option.getOrUndefined(yield* SubmissionStore.SubmissionStore.use((store) => store.importOf(id)))
  if (kept === undefined) return yield* notDone(`No import ${id} is remembered.`)
  const { form, verbosity, write } = yield* Output.Output
  const unattached = yield* ImportMemory.unattached(kept)
  const documents = Stream.map(ImportMemory.pages(kept), (page) => page.documents)
  const dismissed = yield* RunReport.dismissedOf(kept.destination.account)
  const tally = new ImportReport.ReportTally(
    { book: { taxes: [], zone: kept.at.zone }, dismissed, unattached },
    "import"
  )
  yield* Stream.runForEach(documents, (rows) => {
    for (const row of rows) tally.add(row)
    if (form === "people") return Effect.void
    return write(rows.map((row) => Output.envelopeText("document", DocumentJson.toJson(row, kept.at))).join("\n"))
  })
  const file = yield* Effect.forEach(Option.toArray(report), (target) =>
    ReportFile.write(target, {
      at: kept.at,
      destinations: [kept.destination],
      record: kept,
      book: { taxes: [] },
      unattached,
      documents
    })
  )
  const { summary } = tally
  if (form === "json") {
    const { counts } = summary
    return yield* Output.tell("import", { ...record(kept), counts, ...Sums.toJson(summary) })
  }
  const call = yield* Call
  const text = tally.print(undefined, call, yield* Screen, verbosity)
  yield* Console.log(
    paragraphs([
      madeOf(kept).join("\n"),
      openText(kept, call),
      text,
      ImportReport.summaryText(summary),
      ...file.map((name) => `The report: ${printable(name)}`)
    ])
  )
})

const cancel = describedCommand(
  "cancel",
  "End an import; documents that were not handed over are never sent",
  {
    ...storeFlags,
    id: Argument.Int("id").pipe(Argument.withDescription("the id of the import, see connector imports")),
    because: optionalReason,
    as
  },
  ({ as, because, id, ...which }) =>
    changingStore(
      which,
      Effect.gen(function* () {
        const canceling = yield* decidedBy(
          as,
          SubmissionStore.SubmissionStore.use((store) => store.cancelImport(id, Option.getOrUndefined(because)))
        )
        if (canceling._tag === "Refused") return yield* notDone(`Nothing was changed: ${canceling.text}.`)
        yield* RunEffect.changed
        const { dropped } = canceling
        yield* Output.answer(
          "cancellation",
          { id, dropped },
          `Import ${id} is cancelled. ${dropped} document${dropped === 1 ? "" : "s"} of it will not be sent; what was handed over before stays as it is.`
        )
      })
    )
)

const account = Flag.String("account").pipe(Flag.withDescription("the account that the documents were given to"))

const refusedColumns = (zone: DateTime.TimeZone): ReadonlyArray<Column<RefusedDocument.StoredRefusal>> => [
  { title: "Number", limit: 24, keep: "always", value: ({ number }) => number },
  { title: "Codes", keep: "always", value: ({ codes }) => codes.join(" ") },
  { title: "From", value: ({ origin }) => origin },
  { title: Times.title("First", zone), value: ({ firstAt }) => Times.shown(firstAt, zone) },
  { title: Times.title("Last", zone), value: ({ lastAt }) => Times.shown(lastAt, zone) },
  { title: "", value: ({ lateAt, standing }) => (standing === "dismissed" ? standing : lateAt === null ? "" : "late") }
]

const refused = describedCommand(
  "refused",
  "List documents that were given to an account and refused",
  { ...storeFlags, account },
  ({ account, ...which }) =>
    onStore(
      which,
      Effect.gen(function* () {
        const documents = yield* SubmissionStore.SubmissionStore.use((store) => store.refused.of(account))
        if ((yield* Output.Output).form === "json")
          return yield* Effect.forEach(documents, (one) => Output.tell("refused-document", one), { discard: true })
        const text = table(refusedColumns(yield* Times.zoneOfStore), documents, yield* Screen)
        yield* Console.log(documents.length === 0 ? "No document given to the account is refused." : text)
      })
    )
)

const dismiss = describedCommand(
  "dismiss",
  "Dismiss refused documents with a reason; they stay dismissed while they are unchanged",
  {
    ...storeFlags,
    account,
    cause: optionalText("cause", "only documents refused for this code, as health shows it"),
    numbers: Argument.String("number").pipe(
      Argument.withDescription("the numbers of the documents; without them all of the cause"),
      Argument.variadic()
    ),
    because: reason("why the documents need not be sent; recorded in the list of decisions"),
    as
  },
  ({ account, as, because, cause, numbers, ...which }) =>
    changingStore(
      which,
      Effect.gen(function* () {
        if (Option.isNone(cause) && numbers.length === 0)
          return yield* notDone("Name the documents: their numbers, or --cause CODE.")
        const selection = { account, cause: Option.getOrUndefined(cause), numbers }
        const dismissed = yield* decidedBy(
          as,
          SubmissionStore.SubmissionStore.use((store) => store.refused.dismiss(selection, because))
        )
        if (dismissed.length === 0) return yield* notDone("Nothing was changed: no refused document matches.")
        yield* RunEffect.changed
        yield* Output.answer(
          "dismissal",
          { account, numbers: dismissed },
          `Dismissed: ${dismissed.map(printable).join(", ")}. They are asked about again if they are stated differently.`
        )
      })
    )
)

export const imports = Command.make(
  "imports",
  {
    ...storeFlags,
    id: Argument.Int("id").pipe(
      Argument.withDescription("the id of the import; without it the last imports are listed"),
      Argument.optional
    ),
    report: optionalText(
      "report",
      "write a report of this import as one HTML file, with its documents as they are now; an existing file is replaced"
    )
  },
  Effect.fnUntraced(function* ({ id, report, ...which }) {
    if (Option.isNone(id) && Option.isSome(report))
      return yield* notDone("Say of which import the report is to be: its id, as connector imports lists it.")
    yield* onStore(which, Option.isNone(id) ? list : one(id.value, report))
  })
).pipe(
  Command.withDescription("List imports with their files and times, or show the state of the documents of one import"),
  Command.withSubcommands([cancel, refused, dismiss])
)
