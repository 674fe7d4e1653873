/** The submission store in one SQLite file, or in memory: no server, durable by default. */
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { storeError } from "../submission/sql/Transaction.ts"
import { make as makeStore } from "../submission/SqlStore.ts"
import { StoreError } from "../submission/StoreError.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import { make as makeClient, type SqliteConfig } from "./SqliteClient.ts"

/** Opens, creates (mode 0600) and migrates it; closed with the layer's scope. Several processes may have it open at once. */
export const layer = (config: SqliteConfig): Layer.Layer<SubmissionStore, StoreError> => {
  const named = (error: SqlError | StoreError) => {
    const { operation, problem, reason } = storeError("open")(error)
    return new StoreError({ operation, reason, problem: `${config.filename}: ${problem}` })
  }
  return Layer.effect(
    SubmissionStore,
    makeClient(config).pipe(
      Effect.flatMap((client) => Effect.provideService(makeStore, SqlClient, client)),
      Effect.mapError(named)
    )
  ).pipe(Layer.provide(Reactivity.layer))
}
