/**
 * Sources of the configuration with an interval (`every`), read by `work` and `serve` beside the
 * lanes.
 */
import { SqliteStaging } from "@fiscal-connector/core/node"
import { SourceRuns, type Sync } from "@fiscal-connector/core/sync"
import { LiveSourceError } from "@fiscal-connector/core/adapter"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Cause, Effect, Exit, Option } from "effect"
import type * as ConfigAccount from "../../account/ConfigAccount.ts"
import * as Opening from "../../account/Opening.ts"
import * as SourceOfConfig from "../../account/SourceOfConfig.ts"
import type { WorkerLine } from "../../worker/WorkerLine.ts"
import * as Working from "../../worker/Working.ts"
import * as SourceRun from "./SourceRun.ts"
import * as SyncText from "./SyncText.ts"

const read = (report: Sync.SyncReport): WorkerLine | null => {
  const { counts, goLive, mode, source } = report
  if (mode === "quiet") return null
  const { changed, new: found, read, refused } = counts
  const first = `; a first run is a plan: ${goLive.after} documents from ${goLive.day} on are sent from the next run on, ${goLive.before} earlier ones never`
  const figures = `${read} read, ${found} new, ${changed} changed, ${refused} refused`
  const message = `source ${source}: ${figures}${mode === "first-plan" ? first : ""}`
  return {
    level: refused === 0 ? "info" : "warn",
    code: "source-read",
    message,
    text: `source ${SyncText.figures(report)}${mode === "first-plan" ? first : ""}`,
    fields: { source, mode, read, new: found, changed, refused }
  }
}

const stopped = (source: string, cause: Cause.Cause<{ readonly message: string }>): WorkerLine => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  const code = Option.getOrNull(
    Option.map(LiveSourceError.liveSourceErrorOf(failure), (error) => LiveSourceError.finding(error).code)
  )
  return {
    level: "warn",
    code: "source-stopped",
    message: `source ${source}: nothing was taken${code === null ? "" : ` (${code})`}`,
    text: `source ${source}: nothing was taken: ${failure?.message ?? "an internal error"}`,
    fields: { source, finding: code }
  }
}

/**
 * Reads the sources until it is interrupted. A source that cannot be opened is reported in every
 * interval, and the others go on.
 */
export const work = Effect.fnUntraced(function* (
  file: string,
  { sources }: Pick<ConfigAccount.Running, "sources">,
  given: Opening.OpeningInput
) {
  const all = sources.flatMap((source) => {
    const { config } = source
    const { every, name, tenant } = config
    if (every === null) return []
    const run = Effect.scoped(
      Effect.flatMap(SourceOfConfig.open(source), (live) =>
        Effect.flatMap(
          SourceRun.once(file, config, live, (witness) => Effect.succeed(Opening.optionsOf(given, witness)), "left"),
          Effect.fromResult
        )
      )
    )
    return [{ source: name, tenant, every, run }]
  })
  const store = yield* SubmissionStore.SubmissionStore
  return yield* SourceRuns.work(all, ({ source }, exit) => {
    const line = Exit.isSuccess(exit) ? read(exit.value) : stopped(source, exit.cause)
    const said = line === null ? Effect.void : Working.say(line)
    // the run had the store open for itself: the worker learns here that it cannot be written
    return Exit.isSuccess(exit) ? said : Effect.andThen(said, store.tryWrite)
  }).pipe(Effect.provide(SqliteStaging.layer))
})
