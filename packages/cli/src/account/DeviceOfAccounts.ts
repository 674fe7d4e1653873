import { SubmissionStore } from "@fiscal-connector/core/store"
import { Effect, Option } from "effect"
import { notDone } from "../output/ExitError.ts"
import { printable } from "../output/Terminal.ts"

/** Returns the lane of the only device. Fails if the store knows none, or several. */
export const find = Effect.fnUntraced(function* (accounts: ReadonlyArray<string>) {
  const store = yield* SubmissionStore.SubmissionStore
  const pins = yield* Effect.forEach(accounts, store.pinOf)
  const [lane, ...others] = new Set(pins.flatMap(Option.toArray).map(({ lane }) => lane))
  const names = printable(accounts.join(", "))
  if (lane === undefined) return yield* notDone(`Nothing was changed: the store never sent for the account ${names}.`)
  if (others.length > 0)
    return yield* notDone(`Nothing was changed: the accounts ${names} use several devices; name one with --account.`)
  return lane
})
