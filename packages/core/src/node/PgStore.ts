/**
 * Submission store in a separate schema of a PostgreSQL database, for several machines that send
 * for the same lanes.
 */
import { Clock, Effect, Layer, Queue, Redacted, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { channel, latest, newer, open, type OpenOptions, schemaOf } from "../store/SqlStore.ts"
import { StoreError, storeError } from "../submission/ledger/StoreError.ts"
import { defaultSchema, describe, hostOf, isThisMachine, type PostgresPlace } from "../submission/StorePlace.ts"
import * as PgPipeline from "./PgPipeline.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

export interface PgConfig extends Omit<PostgresPlace, "_tag"> {
  /**
   * Clock for leases, quiet periods and polls. Default `database`; a simulation passes a different
   * clock.
   */
  readonly time?: OpenOptions["time"]
}

const refused = (text: string) => new StoreError({ operation: "open", reason: "unavailable", text })

const parsed = (url: Redacted.Redacted): Effect.Effect<URL, StoreError> =>
  // an unreadable address is not quoted: the address may contain the password
  URL.canParse(Redacted.value(url))
    ? Effect.succeed(new URL(Redacted.value(url)))
    : Effect.fail(refused("its address is not a URL; it must begin with postgres://"))

const encryption = ({ authorities, encryption = "verified" }: PgConfig, url: URL) =>
  encryption === "insecure" || isThisMachine(url)
    ? {}
    : { ssl: { rejectUnauthorized: true, ...(authorities === undefined ? {} : { ca: authorities }) } }

const session = (schema: string, access: "read" | "write") => ({
  search_path: schema,
  default_transaction_isolation: "read committed",
  // never switched off for writing: an administrator who made the database read-only means this
  // program too
  ...(access === "read" && { default_transaction_read_only: "on" }),
  // a wait for a stalled machine ends with an error, and a machine that never continues loses its
  // transaction
  lock_timeout: "10s",
  idle_in_transaction_session_timeout: "30s"
})

const schemaName = ({ schema = defaultSchema }: PgConfig): Effect.Effect<string, StoreError> =>
  /^[a-z_][a-z0-9_]{0,62}$/.test(schema) && !schema.startsWith("pg_")
    ? Effect.succeed(schema)
    : Effect.fail(refused("the name of its schema is to be of lower-case letters, digits and _"))

/** Runs connection ages and pauses on real time, even under simulated time. */
const inRealTime = Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())

export const sessionAt = (config: PgConfig, url: URL) => ({
  url: config.url,
  host: hostOf(url),
  ...(config.password === undefined ? {} : { password: config.password }),
  ...encryption(config, url),
  applicationName: "fiscal-connector"
})

const connect = (config: PgConfig, url: URL, schema: string, access: "read" | "write") =>
  PgPipeline.make({
    ...sessionAt(config, url),
    ...(config.stream === undefined ? {} : { stream: config.stream }),
    startupParameters: session(schema, access),
    maxConnections: config.connections ?? 10
  }).pipe(inRealTime)

const tablesIn = (sql: SqlClient, schema: string) =>
  sql<{ readonly name: string }>`select tablename as name from pg_tables where schemaname = ${schema}`

const foreign = (text: string) => new StoreError({ operation: "open", reason: "foreign", text })

/**
 * Objects that could change or invent the store's data: a view or another relation instead of a
 * table, a trigger, a rule, and row security, which hides rows. Our own trigger only refuses
 * attempts of earlier versions (store/database/Migrations).
 */
const programsIn = (sql: SqlClient, schema: string) =>
  sql<{ readonly name: string }>`
    with ours as (
      select c.oid, c.relname, c.relkind, c.relrowsecurity from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema} and c.relname like 'fiscal\\_%')
    select relname as name from ours where relkind not in ('r', 'i', 'S', 't') or relrowsecurity
    union all
    select t.tgname from pg_trigger t join ours on ours.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal and not (t.tgname = 'fiscal_attempt_of_this_version'
        and p.prosrc ~ '^ *begin raise exception ''[^'']*''; end *$')
    union all
    select r.rulename from pg_rewrite r join ours on ours.oid = r.ev_class where ours.relkind = 'r'
    limit 1`

/**
 * The schema belongs to another program: other tables without ours, or ours with unknown programs.
 */
const isOurs = (sql: SqlClient, schema: string): Effect.Effect<void, SqlError | StoreError> =>
  Effect.gen(function* () {
    const tables = yield* tablesIn(sql, schema)
    if (tables.length === 0) return
    if (!tables.some(({ name }) => name === "fiscal_migrations")) {
      return yield* foreign(
        "it is another program's. Say which schema is the store's, or let the first import make a new one"
      )
    }
    const [strange] = yield* programsIn(sql, schema)
    if (strange !== undefined) {
      return yield* foreign(
        `it has a view, a trigger, a rule or row security that no version of this program makes (${strange.name})`
      )
    }
  })

/** Only one of several processes creates the schema. */
const settleSchema = (sql: SqlClient, schema: string) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const found = sql`select 1 from pg_namespace where nspname = ${schema}`
      // a role without the right to create schemas may use an existing schema
      if ((yield* found).length > 0) return
      yield* sql`select pg_advisory_xact_lock(hashtextextended(${`fiscal-connector schema ${schema}`}, 0))`
      if ((yield* found).length === 0) yield* sql`create schema ${sql(schema)}`
    })
  )

const made = Effect.fnUntraced(function* (config: PgConfig, url: URL, schema: string) {
  const client = yield* connect(config, url, schema, "write")
  yield* settleSchema(client, schema)
  yield* isOurs(client, schema)
  return client
})

type PgOpening = Effect.Effect<SubmissionStoreOperations, SqlError | StoreError, Scope.Scope | Reactivity.Reactivity>

/**
 * Listens on a dedicated connection, and again after a failure; one wake-up makes up for missed
 * notifications.
 */
const elsewhere =
  (client: PgPipeline.PipelinedClient, schema: string): NonNullable<OpenOptions["elsewhere"]> =>
  (wake) => {
    const listening = Effect.gen(function* () {
      const notifications = yield* client.listen(channel)
      yield* wake
      return yield* Effect.forever(
        Effect.flatMap(Queue.take(notifications), ({ payload }) => (payload === schema ? wake : Effect.void))
      )
    })
    return Effect.scoped(listening).pipe(
      Effect.ignore,
      Effect.andThen(Effect.sleep("1 second")),
      Effect.forever,
      inRealTime
    )
  }

const opened = (client: SqlClient, options: OpenOptions) => Effect.provideService(open(options), SqlClient, client)

const writing = (config: PgConfig, url: URL, schema: string): PgOpening =>
  Effect.gen(function* () {
    const client = yield* made(config, url, schema)
    return yield* opened(client, { time: config.time ?? "database", elsewhere: elsewhere(client, schema) })
  })

const reading = (config: PgConfig, url: URL, schema: string): PgOpening =>
  Effect.gen(function* () {
    const client = yield* connect(config, url, schema, "read")
    yield* isOurs(client, schema)
    const found = yield* schemaOf(client)
    if (found > latest) return yield* newer(found)
    if (found < latest) {
      return yield* refused(
        found === 0
          ? "there is no store yet. The first import creates it"
          : `an earlier version wrote it (schema ${found}; this version reads ${latest}). The next command that writes to it upgrades it; make a copy before (pg_dump)`
      )
    }
    return yield* opened(client, { schema: "as-it-is", time: config.time ?? "database" })
  })

export const inPlace = <A>(
  config: PgConfig,
  use: (url: URL, schema: string) => Effect.Effect<A, SqlError | StoreError, Scope.Scope | Reactivity.Reactivity>
): Effect.Effect<A, StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const url = yield* parsed(config.url)
    const schema = yield* schemaName(config)
    return yield* Effect.mapError(use(url, schema), (error) => {
      const { operation, reason, text } = storeError("open")(error)
      return new StoreError({ operation, reason, text: `${describe({ ...config, _tag: "Postgres" })}: ${text}` })
    })
  }).pipe(Effect.provide(Reactivity.layer))

/**
 * Opens, creates and upgrades the store, each in one transaction, safe with any number of
 * concurrent processes. Connections are closed with the layer's scope. Fails with `foreign` if the
 * schema belongs to another program, and leaves the schema alone.
 */
export const layer = (config: PgConfig): Layer.Layer<SubmissionStore, StoreError> =>
  Layer.effect(
    SubmissionStore,
    inPlace(config, (url, schema) => writing(config, url, schema))
  )

/** Opens the store read-only: nothing is created, upgraded or changed, and every write fails. */
export const layerReading = (config: PgConfig): Layer.Layer<SubmissionStore, StoreError> =>
  Layer.effect(
    SubmissionStore,
    inPlace(config, (url, schema) => reading(config, url, schema))
  )

/**
 * Returns the schema version of the store, readable or not; 0 without a store. Creates nothing.
 * Fails with `foreign` if the schema belongs to another program.
 */
export const schemaAt = (config: PgConfig): Effect.Effect<number, StoreError, Scope.Scope> =>
  inPlace(
    config,
    Effect.fnUntraced(function* (url, schema) {
      const client = yield* connect(config, url, schema, "read")
      yield* isOurs(client, schema)
      return yield* schemaOf(client)
    })
  )

/**
 * True if a store of any version exists; creates nothing. Fails with `foreign` if the
 * schema belongs to another program.
 */
export const isThere = (config: PgConfig): Effect.Effect<boolean, StoreError> =>
  Effect.scoped(Effect.map(schemaAt(config), (found) => found > 0))

export const database = (config: PgConfig): Effect.Effect<SqlClient, StoreError, Scope.Scope> =>
  inPlace(config, (url, schema) => made(config, url, schema))
