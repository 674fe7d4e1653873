import { StoreOpening } from "@fiscal-connector/core/node"
import { StorePlace } from "@fiscal-connector/core/store"
import { Effect } from "effect"
import { Flag } from "effect/cli"
import { describedCommand } from "../../output/Flags.ts"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import * as RunEffect from "../../account/RunEffect.ts"
import { missing, placeOf } from "../../account/StoreFlags.ts"
import { notDone } from "../../output/ExitError.ts"
import * as Output from "../../output/Output.ts"

const place = (name: string, what: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`${what}: a file, postgres://user@host/database, or a configuration (.json) that names one`)
  )

const placeNamed = (text: string) => (/\.jsonc?$/i.test(text) ? ConfigAccount.storeOf(text) : placeOf(text))

const rows = (counts: StoreOpening.MovedStore): string => {
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0)
  const of = (table: string) => counts[table] ?? 0
  return `${of("fiscal_submission")} documents, ${of("fiscal_attempt")} attempts, ${all} rows in all`
}

export const copy = describedCommand(
  "copy",
  "Move the store between a file and PostgreSQL and compare every row; the old store is closed permanently. Refused while documents are being sent",
  { from: place("from", "the existing store"), to: place("to", "the new store, which must not exist") },
  Effect.fnUntraced(function* ({ from, to }) {
    const [source, target] = [yield* placeNamed(from), yield* placeNamed(to)]
    const [old, next] = [StorePlace.describe(source), StorePlace.describe(target)]
    if (old === next) return yield* notDone(`${old} cannot be moved to itself.`)
    if (!(yield* StoreOpening.isThere(source))) return yield* missing(source)
    const counts = yield* StoreOpening.move(source, target)
    yield* RunEffect.changed
    yield* Output.answer(
      "store-copied",
      { from: old, to: next, rows: counts },
      `${old} was moved to ${next}: ${rows(counts)}, each compared with the copy.
Nothing is sent from ${old} any more; it can still be read. Name the new place in the configuration: "store".`
    )
  })
)
