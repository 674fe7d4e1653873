/** One run of a source of the configuration, by whatever starts it: the command, or a worker. */
import { Sync } from "@fiscal-connector/core/sync"
import type { OpenAccount, StoreWitness } from "@fiscal-connector/core/session"
import type { ConfigSource } from "@fiscal-connector/core/host/account"
import { Effect, Option } from "effect"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import type * as SourceOfConfig from "../../account/SourceOfConfig.ts"
import * as BookOfExport from "../../import/BookOfExport.ts"
import * as ConfiguredSource from "../../account/ConfiguredSource.ts"

type Live = Effect.Success<ReturnType<typeof SourceOfConfig.open>>

/**
 * Fails only where the book or the account cannot be used. The book is read each time: a corrected
 * book counts from the next run on.
 */
export const once = Effect.fnUntraced(function* <E, R>(
  file: string,
  config: ConfigSource.SourceConfig,
  live: Live,
  opening: (witness: StoreWitness.StoreWitness | undefined) => Effect.Effect<OpenAccount.OpeningOptions, E, R>,
  sending: "here" | "left" = "here"
) {
  const book = yield* BookOfExport.load(config.book)
  const chosen = yield* ConfigAccount.choose(file, Option.some(config.account), book.zone, [config.book])
  const order = {
    settings: ConfiguredSource.settingsOf(config),
    live,
    book,
    account: chosen.settings,
    opening: yield* opening(chosen.witness),
    sending
  }
  return yield* Effect.result(Sync.run(order))
}, Effect.scoped)
