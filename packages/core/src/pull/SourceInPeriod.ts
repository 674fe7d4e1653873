/** Reads the present state of a live source for the account of a period. */
import { DateTime, Effect, type FileSystem, type Scope, Stream } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import * as CivilDate from "../document/CivilDate.ts"
import type { Staging } from "../import/Staging.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as Reconcile from "../session/Reconcile.ts"
import type { LiveSource } from "../source/LiveSource.ts"
import * as Readings from "../source/Readings.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as Pulling from "./Pulling.ts"
import type { SyncSettings } from "./Sync.ts"

export interface SourceOrder<Options> {
  readonly live: LiveSource<Options>
  readonly settings: Pick<SyncSettings, "source" | "tenant" | "clockSkew">
  readonly account: AccountSettings
  readonly book: MappingBook
  readonly period: Reconcile.ReconcileOrder["period"]
}

/**
 * Reads documents changed since 60 days before the period, and by identifier each document of the
 * store dated in it. Records nothing. The plan is usable while the scope is open.
 */
export const read = <Options>({
  account,
  book,
  live,
  period: { from, to },
  settings
}: SourceOrder<Options>): Effect.Effect<
  Reconcile.SourceInput,
  StoreError,
  SubmissionStore | Staging | FileSystem.FileSystem | Scope.Scope
> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const query = { accounts: [account.account], datedFrom: from, datedTo: to }
    const stored = yield* Stream.runCollect(Stream.map(store.stream(query), ({ id }) => id))
    const since = DateTime.subtractDuration(CivilDate.at(from, 0, book.zone), Reconcile.earlier)
    const { files, unanswered } = yield* Pulling.present({ ...settings, live }, since.epochMilliseconds, stored)
    const readings = Readings.from(live.adapter, { files }, live.options, book)
    const read = yield* Reconcile.sourceOf(account, { readings, book }, settings.source)
    return read._tag === "Read" ? { ...read, unanswered } : read
  }).pipe(
    Effect.catchIf(
      (error) => error._tag !== "StoreError",
      ({ message }) => Effect.succeed({ _tag: "NotRead", text: message } as const)
    )
  )
