import { StatusPoller } from "@fiscal-connector/core/worker"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { describedCommand } from "../output/Flags.ts"
import { config } from "../account/AccountFlags.ts"
import * as AwaitedStore from "../worker/AwaitedStore.ts"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import * as Engine from "../account/Engine.ts"
import * as Opening from "../account/Opening.ts"
import { notDone } from "../output/ExitError.ts"
import * as DayReport from "../import/DayReport.ts"
import * as Reload from "../worker/Reload.ts"
import * as StatusPages from "../worker/StatusPages.ts"
import * as BesideWorker from "./sync/BesideWorker.ts"
import * as WorkerLine from "../worker/WorkerLine.ts"
import * as Working from "../worker/Working.ts"

const statusOf = ({ accounts, token }: ConfigAccount.Running & Pick<StatusPages.StatusSettings, "token">) => ({
  retention: StatusPoller.retentionOf(accounts),
  token
})

export const work = describedCommand(
  "work",
  "Send planned documents and poll for results until stopped; runs on any number of machines",
  {
    config,
    ...Working.workingFlags,
    ...Opening.openingFlags,
    statusPort: StatusPages.portFlag,
    statusToken: StatusPages.tokenFlag,
    report: Flag.String("report").pipe(
      Flag.withMetavar("FOLDER"),
      Flag.withDescription(
        "write a report of the day's changes at the end of each day and when stopped: FOLDER/2026-03-01.html"
      ),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* (given) {
    if (given.lanes < 1) return yield* notDone("--lanes is to be 1 or more.")
    if (Option.isSome(given.statusToken) && Option.isNone(given.statusPort))
      return yield* notDone("--status-token-file needs --status-port: without it nothing is served.")
    const load = Effect.gen(function* () {
      return { ...(yield* ConfigAccount.running(given.config)), token: yield* StatusPages.token(given.statusToken) }
    })
    const first = yield* Reload.opened(Effect.catchTag(load, "ConfigFileError", ConfigAccount.refused))
    const { accounts, store } = first.running
    yield* AwaitedStore.reachable(store)
    const working = Effect.gen(function* () {
      const status = Option.isNone(given.statusPort)
        ? undefined
        : yield* StatusPages.open(given.statusPort.value, statusOf(first.running))
      if (status !== undefined) yield* Working.say(WorkerLine.listening(status.url))
      return yield* Reload.working(first, {
        load,
        adopt: (running) => (status === undefined ? Effect.void : status.change(statusOf(running))),
        work: (running, how) =>
          Effect.raceAllFirst([
            ConfigAccount.alerting(running),
            BesideWorker.work(given.config, running, given),
            Working.work(running.accounts, Opening.optionsOf(given, running.witness), given, how)
          ])
      })
    })
    return yield* Option.match(given.report, {
      onNone: () => working,
      onSome: (folder) =>
        Effect.andThen(
          Effect.forkScoped(DayReport.daily(folder)),
          Effect.onInterrupt(working, () => Effect.orDie(DayReport.ofToday(folder)))
        )
    }).pipe(
      Effect.provide(Option.isSome(given.statusPort) ? Engine.answering(store, accounts.length) : Engine.layer(store))
    )
  }, Effect.scoped)
)
