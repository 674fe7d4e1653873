/**
 * Reads sources beside a worker; loads the code for it only if a source of the configuration has an
 * interval.
 */
import { Effect } from "effect"
import type * as ConfigAccount from "../../account/ConfigAccount.ts"
import type * as Opening from "../../account/Opening.ts"

export const work = (file: string, running: Pick<ConfigAccount.Running, "sources">, given: Opening.OpeningInput) =>
  running.sources.some(({ config }) => config.every !== null)
    ? Effect.flatMap(
        Effect.promise(() => import("./WorkedSources.ts")),
        (WorkedSources) => WorkedSources.work(file, running, given)
      )
    : Effect.never
