import { CivilDate } from "@fiscal-connector/core/adapter"
import { Submission, SubmissionStore } from "@fiscal-connector/core/store"
import { Console, Effect, Option, Stream } from "effect"
import { type Command, Flag } from "effect/cli"
import { account } from "../../account/AccountFlags.ts"
import { onStore, storeFlags } from "../../account/StoreFlags.ts"
import * as AuthorityCodes from "../../output/AuthorityCodes.ts"
import { Call, type CallShape, quoted } from "../../output/Call.ts"
import * as Output from "../../output/Output.ts"
import * as OriginalTable from "./OriginalTable.ts"
import { notDone } from "../../output/ExitError.ts"
import { Screen } from "../../output/Screen.ts"
import { StandardStreams } from "../../output/StandardStreams.ts"
import { columnsIn, csvRow, record, why } from "../../output/SubmissionTable.ts"
import { table } from "../../output/Table.ts"
import * as Times from "../../output/Times.ts"
import { watched, watchFlag } from "../../output/Watch.ts"
import { describedCommand, isSet, optional, optionalText } from "../../output/Flags.ts"
import { paragraphs } from "../../output/Paragraphs.ts"

/** The whole table is laid out at once, and CSV or JSON suits more rows better. */
const forPeople = 1000

const flags = {
  ...storeFlags,
  state: optional(Flag.Literals("state", Submission.states), "only documents in this state"),
  account,
  kind: optional(Flag.Literals("kind", ["invoice", "credit-note"]), "only invoices, or only credit notes"),
  since: Flag.String("since").pipe(
    Flag.withDescription("only documents whose state changed on this day (YYYY-MM-DD) or later"),
    Flag.withSchema(CivilDate.CivilDate),
    Flag.optional
  ),
  search: optionalText("search", "only documents with this text in the number, the identifier or the buyer's name"),
  csv: isSet("csv", "print CSV"),
  watch: watchFlag
}

type ListFlags = Command.Command.Config.Infer<typeof flags>

const oneForm = (csv: boolean) =>
  Effect.flatMap(Output.Output, ({ form }) =>
    form === "json" && csv ? Effect.fail(notDone("--json is one form and --csv is another: one of them.")) : Effect.void
  )

const known = Effect.fnUntraced(function* (named: Option.Option<string>) {
  if (Option.isNone(named)) return
  const store = yield* SubmissionStore.SubmissionStore
  const accounts = [...new Set((yield* store.lanes()).flatMap(({ accounts }) => accounts))]
  if (accounts.includes(named.value)) return
  const has = accounts.length === 0 ? "It has none yet" : `It has ${accounts.join(", ")}`
  return yield* notDone(`The store has no documents of an account ${named.value}. ${has}.`)
})

/** They have no state and are never credit notes. */
const originals = Effect.fnUntraced(function* ({ account, kind, search, since, state }: ListFlags) {
  const isOfDocuments = Option.isSome(state) || Option.isSome(since) || Option.contains(kind, "credit-note")
  if (isOfDocuments) return []
  const text = Option.getOrElse(search, () => "").toLowerCase()
  const all = yield* SubmissionStore.SubmissionStore.use((store) => store.registeredOriginals)
  return all.filter(
    (one) =>
      (Option.isNone(account) || one.account === account.value) &&
      [one.number, one.invoiceId].some((name) => name.toLowerCase().includes(text))
  )
})

const nothing = (given: ListFlags, call: CallShape): string => {
  const filters = (["state", "account", "kind", "since", "search"] as const).flatMap((name) =>
    Option.match<string, ReadonlyArray<string>>(given[name], {
      onNone: () => [],
      onSome: (value) => [`--${name} ${quoted(value)}`]
    })
  )
  if (filters.length === 0) return "The store has no documents yet."
  return `Nothing fits ${filters.join(" ")}. All that the store has:\n  ${call.next({ command: ["list"], as: ["config", "store"] })}`
}

const show = Effect.fnUntraced(function* (given: ListFlags) {
  const store = yield* SubmissionStore.SubmissionStore
  const { closed } = yield* StandardStreams
  const { form } = yield* Output.Output
  yield* known(given.account)
  const zone = yield* Times.zoneOfStore
  const { account, csv, kind, search, since, state } = given
  const submissions = store
    .stream({
      ...(Option.isSome(state) && { states: [state.value] }),
      ...(Option.isSome(account) && { accounts: [account.value] }),
      ...(Option.isSome(kind) && { kind: kind.value }),
      ...(Option.isSome(since) && { changedFrom: CivilDate.at(since.value, 0, zone) }),
      ...(Option.isSome(search) && { matching: search.value })
    })
    .pipe(Stream.interruptWhen(closed))
  if (form === "json") {
    yield* Stream.runForEach(submissions, (one) => Output.tell("submission", record(one)))
    for (const one of yield* originals(given)) yield* Output.tell("original", OriginalTable.record(one))
    return
  }
  if (csv) {
    const rows = submissions.pipe(Stream.map(record), Stream.zipWithIndex)
    return yield* Stream.runForEach(rows, ([row, index]) =>
      Console.log(
        index === 0 ? `${csvRow(Object.keys(row))}\n${csvRow(Object.values(row))}` : csvRow(Object.values(row))
      )
    )
  }
  const taken = yield* Stream.runCollect(Stream.take(submissions, forPeople + 1))
  const shown = taken.slice(0, forPeople)
  const codes = AuthorityCodes.report(shown.map(why))
  const registered = yield* originals(given)
  const call = yield* Call
  const screen = yield* Screen
  yield* Console.log(
    paragraphs([
      shown.length === 0 ? "" : table(columnsIn(zone), shown, screen),
      shown.length === 0 && registered.length === 0 ? nothing(given, call) : "",
      codes,
      taken.length > forPeople ? `… and more. All of them:\n  ${call.again("--csv")}` : "",
      registered.length === 0
        ? ""
        : `Fiscalised elsewhere, to be credited here:\n\n${table(OriginalTable.columnsIn(zone), registered.slice(0, forPeople), screen)}`,
      registered.length > forPeople ? `… and more. All of them:\n  ${call.again("--json")}` : ""
    ])
  )
})

export const list = describedCommand("list", "List the documents of the store", flags, (given) =>
  Effect.andThen(oneForm(given.csv), onStore(given, watched(given.watch, show(given))))
)
