/** Temporary database of one import; deleted when its scope closes. */
import { Context, type Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { StoreError } from "../submission/ledger/StoreError.ts"

/** Opens an empty SQLite database. Durability is not needed: the data is not evidence. */
export class Staging extends Context.Service<
  Staging,
  { readonly open: Effect.Effect<SqlClient, StoreError, Scope.Scope> }
>()("@fiscal-connector/core/import/Staging") {}
