/** Worker that logs its actions: alone in `work`, beside the webhook receiver in `serve`. */
import type { AccountSettings, OpenAccount } from "@fiscal-connector/core/session"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Submitter, Worker } from "@fiscal-connector/core/worker"
import { Effect, Stream } from "effect"
import { Flag } from "effect/cli"
import * as LogLine from "../output/LogLine.ts"
import * as Output from "../output/Output.ts"
import * as WorkerLine from "./WorkerLine.ts"

export const workingFlags = {
  lanes: Flag.Int("lanes").pipe(
    Flag.withDescription("the number of devices this process sends to at the same time; default 16"),
    Flag.withDefault(16)
  ),
  logFormat: LogLine.flag
}

export interface WorkInput {
  readonly lanes: number
}

export const say = ({ text, ...entry }: WorkerLine.WorkerLine) => Output.log(entry, text)

export const { stopped } = WorkerLine

/** Works until it is interrupted, the normal end. With `reloaded`, logs no start. */
export const work = Effect.fnUntraced(function* (
  accounts: ReadonlyArray<AccountSettings.AccountSettings>,
  opening: OpenAccount.OpeningOptions,
  { lanes }: WorkInput,
  how: "started" | "reloaded" = "started"
) {
  const store = yield* SubmissionStore.SubmissionStore
  const { holder } = yield* Submitter.Submitter
  if (how === "started") yield* say(WorkerLine.started(holder.name, accounts.length, lanes))
  const watching = Stream.runForEach(store.changes, (change) => {
    const line = WorkerLine.ofChange(change)
    return line === null ? Effect.void : say(line)
  })
  yield* Effect.forkScoped(watching)
  return yield* Worker.work(accounts, opening, { lanes, observe: (event) => say(WorkerLine.ofEvent(event)) })
}, Effect.scoped)
