import { OperatorRecord } from "@fiscal-connector/core/decisions"
import { Reconcile } from "@fiscal-connector/core/session"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Console, DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import { describedCommand } from "../output/Flags.ts"
import { onStore, storeFlags } from "../account/StoreFlags.ts"
import * as Output from "../output/Output.ts"
import { notDone } from "../output/ExitError.ts"
import { Screen } from "../output/Screen.ts"
import { type Column, table } from "../output/Table.ts"
import * as Times from "../output/Times.ts"

const all = SubmissionStore.SubmissionStore.use(Reconcile.decisionsOf)

const columnsIn = (zone: DateTime.TimeZone): ReadonlyArray<Column<OperatorRecord.RecordedDecision>> => [
  { title: Times.title("When", zone), value: ({ at }) => Times.shown(at, zone) },
  { title: "Who", limit: 20, keep: "always", value: ({ who }) => who },
  { title: "Decision", keep: "always", value: ({ act }) => act },
  {
    title: "About",
    limit: 40,
    value: ({ account, subject }) => (account === null ? subject : `${subject} (${account})`)
  },
  { title: "What", limit: 40, value: ({ what }) => what },
  { title: "Why", limit: 60, keep: "always", value: ({ because }) => because ?? "" }
]

const show = Effect.gen(function* () {
  const found = yield* all
  if ((yield* Output.Output).form === "json") {
    return yield* Effect.forEach(found, ({ at, ...entry }) =>
      Output.tell("audit-entry", { ...entry, at: DateTime.formatIso(at) })
    )
  }
  const zone = yield* Times.zoneOfStore
  yield* Console.log(found.length === 0 ? "No decision is recorded yet." : table(columnsIn(zone), found, yield* Screen))
})

const check = Effect.gen(function* () {
  const result = OperatorRecord.verify(yield* all)
  if (result._tag === "Changed") {
    return yield* notDone(`The record of decisions was changed: ${result.text}. Compare it with a backup of the store.`)
  }
  yield* Output.answer(
    "audit-verified",
    { entries: result.entries, digest: result.digest },
    `${result.entries} decisions, none changed. Digest of the last: ${result.digest || "none"}\nNote the digest elsewhere: it then also shows whether the end of the record was cut off.`
  )
})

const verify = describedCommand(
  "verify",
  "Check that no recorded decision was changed or removed",
  storeFlags,
  (which) => onStore(which, check)
)

export const audit = Command.make("audit", storeFlags, (which) => onStore(which, show)).pipe(
  Command.withDescription("List operator decisions: who, when, what and why"),
  Command.withSubcommands([verify])
)
