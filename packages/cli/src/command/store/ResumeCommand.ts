import { type AccountSettings, ImportedDocument, type OpenAccount, Session } from "@fiscal-connector/core/session"
import { Attention, AttentionJson } from "@fiscal-connector/core/attention"
import { OpenAccounts } from "@fiscal-connector/core/host/account"
import { StatusPoller } from "@fiscal-connector/core/worker"
import { Submission, SubmissionStore } from "@fiscal-connector/core/store"
import { Console, DateTime, Effect, Option, Stream } from "effect"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import * as Engine from "../../account/Engine.ts"
import * as Opening from "../../account/Opening.ts"
import * as RunEffect from "../../account/RunEffect.ts"
import * as Progress from "../../import/Progress.ts"
import * as OpenItems from "../../import/OpenItems.ts"
import * as ReportFile from "../../import/ReportFile.ts"
import * as AttentionText from "../../output/AttentionText.ts"
import * as AuthorityCodes from "../../output/AuthorityCodes.ts"
import { columnsIn, record, why } from "../../output/SubmissionTable.ts"
import { table } from "../../output/Table.ts"
import { ExitError, notDone } from "../../output/ExitError.ts"
import { config } from "../../account/AccountFlags.ts"
import { Call } from "../../output/Call.ts"
import * as NextStep from "../../output/NextStep.ts"
import * as Output from "../../output/Output.ts"
import { Screen } from "../../output/Screen.ts"
import * as Times from "../../output/Times.ts"
import { describedCommand, optionalText } from "../../output/Flags.ts"
import { paragraphs } from "../../output/Paragraphs.ts"

export const resume = describedCommand(
  "resume",
  "Continue an interrupted import",
  {
    config,
    account: optionalText("account", "only this account of the configuration; default all"),
    report: optionalText("report", "write a report of the open documents as one HTML file"),
    ...Opening.openingFlags
  },
  Effect.fnUntraced(function* (given) {
    if (Option.isSome(given.report)) yield* ReportFile.room("report", given.report.value)
    const { accounts, store, witness } = yield* ConfigAccount.chooseAll(given.config, given.account)
    const options = yield* Opening.now(Opening.optionsOf(given, witness))
    const chosen = Option.isNone(given.account) ? "all" : "one"
    yield* resumeSending(accounts, options, given.report, chosen).pipe(
      RunEffect.watched,
      Effect.provide(Engine.layer(store))
    )
  }, Effect.scoped)
)

const resumeSending = Effect.fnUntraced(function* (
  all: ReadonlyArray<AccountSettings.AccountSettings>,
  options: OpenAccount.OpeningOptions,
  report: Option.Option<string>,
  chosen: "all" | "one"
) {
  const store = yield* SubmissionStore.SubmissionStore
  const accounts = yield* OpenAccounts.toGoOnWith(all)
  const names = accounts.map(({ account }) => account)
  const { opened, stopped } = yield* OpenAccounts.openEach(accounts, options)
  const before =
    names.length === 0 ? [] : yield* Stream.runCollect(store.stream({ accounts: names, states: Submission.open }))
  const awaited = before.filter(({ state }) => Submission.moving.includes(state)).length
  const settlement = yield* Progress.during(opened.length === 0 ? 0 : awaited, Session.resume(opened))
  // outcomes are polled even for accounts that may not send
  const closed = accounts.filter(({ account }) => opened.every((one) => one.account !== account))
  if (closed.length > 0) yield* StatusPoller.StatusPoller.use((poller) => poller.sweep(closed))
  const left =
    names.length === 0 ? [] : yield* Stream.runCollect(store.stream({ accounts: names, states: Submission.open }))
  const call = yield* Call
  const quit =
    stopped.length === 0 ? undefined : notDone(stopped.map((error) => Opening.explain(error, call)).join("\n\n"))
  const screen = yield* Screen
  const still = new Set(left.map(nameOf))
  const finished = (yield* Effect.forEach(
    before.filter((one) => !still.has(nameOf(one))),
    ({ account, id, kind }) => store.get({ account, kind, id })
  )).flatMap((one) => Option.toArray(one))
  const codes = AuthorityCodes.report([...finished, ...left].map(why))
  const health = yield* store.health(StatusPoller.retentionOf(all))
  // without a chosen account also the accounts that the configuration no longer has
  const ofThese = (items: ReadonlyArray<Attention.AttentionItem>) =>
    chosen === "all"
      ? items
      : Attention.ofAccounts(
          items,
          health,
          all.map(({ account }) => account)
        )
  const attention = ofThese(Attention.of(health))
  const pending = AttentionText.pending(ofThese(Attention.pending(health)))
  const concerned = new Set([
    ...all.map(({ account }) => account),
    ...attention.flatMap(({ account }) => account ?? [])
  ])
  const zone = yield* Times.zoneOfStore
  const stillOpen =
    attention.length > 0
      ? ["What needs attention:", "", ...AttentionText.lines(attention, call, concerned.size, zone)].join("\n")
      : left.length === 0
        ? ""
        : OpenItems.report(settlement, call)
  yield* Output.answer(
    "resumption",
    {
      finished: finished.map(record),
      open: left.map(record),
      lanes: OpenItems.toJson(settlement.lanes),
      concerns: attention.map(AttentionJson.of)
    },
    paragraphs([
      finished.length === 0 ? "" : `Finished:\n\n${table(columnsIn(zone), finished, screen)}`,
      left.length === 0 ? "" : `Still open:\n\n${table(columnsIn(zone), left, screen)}`,
      left.length === 0 && attention.length === 0 ? "Nothing is open." : "",
      codes,
      stillOpen,
      pending.join("\n"),
      finished.some(({ state }) => state === "Fiscalised") ? NextStep.afterwards(call) : ""
    ])
  )
  if (Option.isSome(report)) {
    const destinations = new Map([...finished, ...left].map((one) => [`${one.account} ${one.lane}`, one]))
    const file = yield* ReportFile.write(report.value, {
      at: DateTime.setZone(yield* DateTime.now, DateTime.zoneMakeLocal()),
      destinations: [...destinations.values()],
      record: null,
      book: { taxes: [] },
      unattached: [],
      documents: Stream.succeed([...finished, ...left].map(ImportedDocument.ofSubmission))
    })
    if ((yield* Output.Output).form === "people") yield* Console.log(`The report: ${file}`)
  }
  if (quit !== undefined) return yield* quit
  if (left.length === 0 && attention.length === 0) return
  return yield* new ExitError({
    code: 3,
    text:
      left.length === 0
        ? "Not everything is in order."
        : stillOpen === ""
          ? `${left.length} still open. More about one:\n  ${NextStep.callFor({ do: "explain" }, call, left[0])}`
          : `${left.length} still open.`
  })
})

const nameOf = ({ account, id, kind }: Submission.Submission): string => `${account}\u0000${kind}\u0000${id}`
