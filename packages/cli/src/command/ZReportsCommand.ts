import { DayLeg, FiscalDays, type ZReportComparison } from "@fiscal-connector/core/host/account"
import { Finding, Money } from "@fiscal-connector/core/adapter"
import { LocalDateTime } from "@fiscal-connector/core/host"
import type { ZReport } from "@fiscal-connector/core/gateway"
import { StoreOpening } from "@fiscal-connector/core/node"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { describedCommand } from "../output/Flags.ts"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import { as, decidedBy, reason } from "../account/DecidedBy.ts"
import * as DeviceOfAccounts from "../account/DeviceOfAccounts.ts"
import * as RunEffect from "../account/RunEffect.ts"
import * as GatewayProblem from "../account/GatewayProblem.ts"
import { changingPlace, onPlace } from "../account/StoreFlags.ts"
import { printable } from "../output/Terminal.ts"
import { report } from "../output/FindingReport.ts"
import { type Column, table } from "../output/Table.ts"
import { ExitError } from "../output/ExitError.ts"
import { accountFlags } from "../account/AccountFlags.ts"
import { Call, type CallShape } from "../output/Call.ts"
import * as NextStep from "../output/NextStep.ts"
import * as Output from "../output/Output.ts"
import { Screen } from "../output/Screen.ts"

const acknowledge = describedCommand(
  "acknowledge",
  "Record that the problem of a closed fiscal day was examined; it then needs no attention",
  {
    day: Argument.Int("day").pipe(Argument.withDescription("the number of the fiscal day, see connector health")),
    ...accountFlags,
    because: reason("the reason; recorded in the list of decisions"),
    as
  },
  Effect.fnUntraced(function* ({ account, as, because, config, day }) {
    const { settings, store } = yield* ConfigAccount.choose(config, account)
    const acknowledged = yield* decidedBy(
      as,
      changingPlace(
        store,
        Effect.gen(function* () {
          const store = yield* SubmissionStore.SubmissionStore
          return yield* store.acknowledgeDay(yield* DeviceOfAccounts.find([settings.account]), day, because)
        })
      )
    )
    if (acknowledged._tag === "Refused")
      return yield* new ExitError({ code: 1, text: `Nothing was changed: ${printable(acknowledged.text)}.` })
    yield* RunEffect.changed
    yield* Output.answer(
      "day-acknowledged",
      { account: settings.account, day, codes: acknowledged.codes },
      `Fiscal day ${day}: ${acknowledged.codes.join(", ")} acknowledged. Something else about the day is listed again.`
    )
  }, Effect.scoped)
)

export const zReports = Command.make(
  "z-reports",
  {
    ...accountFlags,
    day: Flag.Int("day").pipe(
      Flag.withDescription("one fiscal day: check its counters and compare them with the store"),
      Flag.optional
    ),
    since: Flag.Int("since-day").pipe(Flag.withDescription("list days from this day on"), Flag.optional)
  },
  Effect.fnUntraced(function* (given) {
    const call = yield* Call
    const screen = yield* Screen
    const { others, settings, store: place } = yield* ConfigAccount.choose(given.config, given.account)
    const operations = settings.gateway
    yield* GatewayProblem.tellMisfits(operations)
    if (Option.isNone(given.day)) {
      const { days, findings } = yield* FiscalDays.list(operations, Option.getOrUndefined(given.since))
      yield* Output.answer(
        "z-reports",
        { days, findings },
        [
          days.length === 0 ? none(given.since) : table(columnsOf(days), days, screen),
          found(findings, call),
          lastDay(days, call)
        ]
          .filter(Boolean)
          .join("\n\n")
      )
      return yield* end(findings)
    }
    const number = given.day.value
    const asked = (store: FiscalDays.DayStore | undefined) =>
      FiscalDays.one(operations, settings, others, store, number)
    const shown = yield* (yield* StoreOpening.isThere(place))
      ? onPlace(place, Effect.flatMap(SubmissionStore.SubmissionStore, asked))
      : asked(undefined)
    if (shown === null) return yield* new ExitError({ code: 1, text: unknownDay(number, call) })
    const { compared, day, findings } = shown
    const comparison = compared?.comparison ?? null
    const counters =
      comparison === null ? table(counterColumns, day.summaries ?? []) : table(comparisonColumns, comparison.rows)
    const beside =
      compared === null
        ? "There is no store to compare with."
        : `${DayLeg.extentOf(compared)}${comparison?.rows.some(isUnstated) === true ? `\n${unstated}` : ""}`
    yield* Output.answer(
      "z-report",
      {
        day,
        comparison: comparison && { rows: comparison.rows, documents: comparison.documents, findings },
        standing: compared?.standing ?? null,
        differences: compared?.differences ?? [],
        missing: compared?.missing ?? [],
        others: compared?.others ?? [],
        indistinct: compared?.indistinct ?? [],
        findings
      },
      [table(columnsOf([day]), [day], screen), counters, beside, found(findings, call), askedOf(shown, call)]
        .filter(Boolean)
        .join("\n\n")
    )
    const isPart = typeof compared?.standing === "object" || (compared !== null && compared.indistinct.length > 0)
    if (isPart && findings.length === 0) return yield* new ExitError({ code: 3, text: "" })
    yield* end(findings)
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "List closed fiscal days, check their counters and compare them with the receipts of the store"
  ),
  Command.withSubcommands([acknowledge])
)

const isUnstated = ({ counter, payment }: ZReportComparison.CounterRow) => counter === "Balance" && payment === null

const unstated =
  "Not stated: sent without a payment method. The device counts these under a method that it chooses, so only the sum of both is compared."

/** Asks once about other programs, if nothing here has the figures of a difference. */
const askedOf = ({ compared, otherPrograms }: FiscalDays.FiscalDay, call: CallShape): string => {
  const isUnexplained = compared?.differences.some(({ grade }) => grade === "unexplained") === true
  if (!isUnexplained || otherPrograms !== null) return ""
  return `If other tills or programs use the device:\n  ${NextStep.callFor({ do: "other-programs", stated: "others" }, call)}`
}

const lastDay = (days: ReadonlyArray<ZReport.ZReport>, call: CallShape): string => {
  const last = days.at(-1)
  if (last === undefined) return ""
  const flags = ["--day", String(last.fiscalDayNumber)]
  return `A day's counters beside what the store has:\n  ${call.next({ command: ["z-reports"], as: ["config", "account"], flags })}`
}

const unknownDay = (number: number, call: CallShape): string =>
  `The gateway knows no closed fiscal day ${number}: the day is still open or does not exist. Closed days:\n  ${call.next({ command: ["z-reports"], as: ["config", "account"] })}`

const none = (since: Option.Option<number>): string =>
  Option.isNone(since) ? "No fiscal day has been closed." : `No fiscal day from ${since.value} on has been closed.`

const found = (findings: ReadonlyArray<Finding.Finding>, call: CallShape): string =>
  findings.length === 0
    ? ""
    : report(
        findings.map((finding) => ({ finding, subject: undefined })),
        call
      )

/** Exit code 2 if a day was not closed or its counters do not add up, 3 for other findings. */
const end = (findings: ReadonlyArray<Finding.Finding>) =>
  findings.length === 0
    ? Effect.void
    : Effect.fail(new ExitError({ code: findings.some(Finding.refuses) ? 2 : 3, text: "" }))

const time = (at: LocalDateTime.AnswerDateTime | null): string => (at === null ? "" : LocalDateTime.wallClock(at))

const dayColumns: ReadonlyArray<Column<ZReport.ZReport>> = [
  { title: "Day", align: "right", value: ({ fiscalDayNumber }) => String(fiscalDayNumber ?? "?") },
  { title: "Opened (device)", value: ({ openedAt }) => time(openedAt) },
  { title: "Closed (device)", value: ({ closedAt }) => time(closedAt) },
  { title: "Result", value: ({ isSuccess }) => (isSuccess === null ? "" : isSuccess ? "closed" : "NOT CLOSED") },
  { title: "Message", value: ({ message }) => message ?? "" }
]

const columnsOf = (days: ReadonlyArray<ZReport.ZReport>) =>
  dayColumns.filter(({ value }) => days.some((day) => value(day) !== ""))

const counterColumns: ReadonlyArray<Column<ZReport.ZReportSummary>> = [
  { title: "Currency", value: ({ currency }) => currency ?? "" },
  { title: "Counter", value: ({ counterType }) => counterType },
  { title: "Tax", align: "right", value: ({ taxId }) => (taxId === null ? "" : String(taxId)) },
  {
    title: "Percent",
    align: "right",
    value: ({ taxPercent }) => (taxPercent === null ? "" : Money.formatPlain(taxPercent))
  },
  { title: "Payment", value: ({ paymentMethod }) => paymentMethod ?? "" },
  { title: "Amount", align: "right", value: ({ amount }) => Money.formatAmount(amount) }
]

const comparisonColumns: ReadonlyArray<Column<ZReportComparison.CounterRow>> = [
  { title: "Currency", value: ({ currency }) => currency },
  { title: "Counter", value: ({ counter }) => counter },
  { title: "Tax", align: "right", value: ({ tax }) => (tax === null ? "" : String(tax)) },
  { title: "Payment", value: ({ counter, payment }) => payment ?? (counter === "Balance" ? "not stated" : "") },
  { title: "Device", align: "right", value: ({ device }) => (device === null ? "" : Money.formatAmount(device)) },
  { title: "Store", align: "right", value: ({ store }) => (store === null ? "" : Money.formatAmount(store)) }
]
