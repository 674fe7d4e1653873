import { Effect, Layer, type Scope, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { StoreError, storeError } from "../submission/ledger/StoreError.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import { contended } from "./database/Contention.ts"
import { type BeforeUpgrade, migrate } from "./database/Migrations.ts"
import * as Place from "./database/Place.ts"
import { type Elsewhere, planned } from "./database/Planned.ts"
import * as Transaction from "./database/Transaction.ts"
import * as Decisions from "./evidence/Decisions.ts"
import * as Polls from "./evidence/Polls.ts"
import * as Claimable from "./lanes/Claimable.ts"
import * as KnownAttempts from "./lanes/KnownAttempts.ts"
import * as Older from "./lanes/Older.ts"
import * as LaneStep from "./LaneStep.ts"
import * as KeepImport from "./planning/KeepImport.ts"
import * as LedgerQuery from "./planning/LedgerQuery.ts"
import * as Plan from "./planning/Plan.ts"
import * as PulledRuns from "./planning/PulledRuns.ts"
import * as RefusedDocuments from "./evidence/RefusedDocuments.ts"
import * as Repin from "./planning/Repin.ts"
import * as AcceptedUnknowns from "./queries/AcceptedUnknowns.ts"
import { lastAttempts } from "./queries/Explain.ts"
import * as HealthQuery from "./queries/HealthQuery.ts"
import * as ImportQueries from "./queries/ImportQueries.ts"
import * as LiveSourceQueries from "./queries/LiveSourceQueries.ts"
import * as Queries from "./queries/Queries.ts"

export { latest, newer, schemaOf } from "./database/Migrations.ts"
export { NextStoreId } from "./database/Place.ts"
export { channel } from "./database/Planned.ts"
export type { AheadConnection } from "./database/Statements.ts"

const operations = (database: Transaction.Database, elsewhere: Elsewhere): SubmissionStoreOperations => {
  const known = KnownAttempts.make()
  const imports = KeepImport.make(database)
  return {
    ...Place.make(database),
    ...Older.make(database, known),
    ...Claimable.make(database, known),
    ...LaneStep.make(database, known),
    ...Repin.make(database, imports.handOver),
    ...Plan.make(database),
    ...imports,
    ...ImportQueries.make(database),
    ...Polls.make(database, known),
    ...Decisions.make(database),
    ...Queries.make(database),
    ...HealthQuery.make(database),
    ...AcceptedUnknowns.make(database),
    lastAttempts: database.read("list attempts", lastAttempts),
    refused: RefusedDocuments.make(database),
    liveSources: { ...LiveSourceQueries.make(database), ...PulledRuns.make(database) },
    ledger: LedgerQuery.make(database),
    planned: planned(database.changes, elsewhere),
    changes: Stream.fromPubSub(database.changes),
    sourceChanges: Stream.fromPubSub(database.sourceChanges)
  }
}

export interface OpenOptions {
  readonly beforeUpgrade?: BeforeUpgrade
  /** `as-it-is`: the database is neither created nor upgraded. Default `up-to-date`. */
  readonly schema?: "up-to-date" | "as-it-is"
  /**
   * Clock for leases, quiet periods and polls. `database`: PostgreSQL's clock, for several
   * machines. Default `host`: the Clock.
   */
  readonly time?: Transaction.Time
  /** Source of notifications about plans of other processes. Default none. */
  readonly elsewhere?: Elsewhere
  /** Detects that another database replaced the open one. Default: no detection. */
  readonly replaced?: Transaction.ReplacedNotice
}

/**
 * Upgrades the database and opens the store. Fails with `newer-version` if a newer version of this
 * library wrote the database.
 */
export const open = ({
  beforeUpgrade = () => Effect.void,
  elsewhere = () => Effect.never,
  replaced = () => null,
  schema = "up-to-date",
  time = "host"
}: OpenOptions = {}): Effect.Effect<SubmissionStoreOperations, StoreError, SqlClient | Scope.Scope> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    if (schema === "up-to-date") {
      yield* contended(
        Effect.catchTag(migrate(beforeUpgrade), "MigrationError", ({ cause, message }) =>
          Effect.fail(
            new StoreError({
              operation: "open",
              reason: "unavailable",
              text: cause instanceof Error ? `${message}: ${cause.message}` : message
            })
          )
        )
      )
    }
    const database = yield* Transaction.make(sql, time, replaced)
    if (schema === "up-to-date") yield* database.write("open", Place.ensure)(yield* yield* Place.NextStoreId)
    return operations(database, elsewhere)
  }).pipe(Effect.mapError(storeError("open")))

export const make: Effect.Effect<SubmissionStoreOperations, StoreError, SqlClient | Scope.Scope> = open()

export const layer: Layer.Layer<SubmissionStore, StoreError, SqlClient> = Layer.effect(SubmissionStore, make)
