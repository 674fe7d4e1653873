/** Where the documents of one import are kept while it is planned: a database of its own that goes away with the scope. */
import { Context, type Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { StoreError } from "../ledger/StoreError.ts"

/** The database is empty, in SQLite's dialect, and need not survive anything: it is no evidence. */
export class Staging extends Context.Service<
  Staging,
  { readonly open: Effect.Effect<SqlClient, StoreError, Scope.Scope> }
>()("@fiscal-connector/core/import/Staging") {}
