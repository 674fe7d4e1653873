/**
 * Store, submitter and poller, at three in the afternoon of 10 January 2026, with short functions
 * to run them.
 */
import { DateTime, Effect, Layer, Option } from "effect"
import { type Body, told } from "../It.ts"
import { TestClock } from "effect/testing"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import type { AccountSettings, PollingAccount } from "../../src/account/AccountSettings.ts"
import * as OpenAccount from "../../src/account/OpenAccount.ts"
import type { PlannedDocument, SubmissionKey } from "../../src/submission/PlannedDocument.ts"
import * as Runner from "../../src/sending/Runner.ts"
import { seen } from "./PassingTime.ts"
import * as StatusPoller from "../../src/sending/StatusPoller.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import { seeded } from "../Property.ts"
import * as QueryPlans from "../store/QueryPlans.ts"

export const now = "2026-01-10T15:00:00+02:00"

export const at = (text: string) => TestClock.setTime(DateTime.makeUnsafe(text).epochMilliseconds)

/**
 * True if the stores of this run are in PostgreSQL, where a transaction waits for a server several
 * times.
 */
export const onPostgres = process.env["FISCAL_TEST_STORE"] === "postgres"

/**
 * Options of a property whose runs each have a separate store, so that few runs are enough.
 */
export const runs = seeded({ runs: onPostgres ? 6 : 30 })

/**
 * Store in memory, or in a separate PostgreSQL schema in a run of vitest.postgres.config.ts. Times
 * are the test's in both cases.
 */
const store = Effect.gen(function* () {
  if (!onPostgres) return Layer.fresh(SqliteStore.layer({ filename: ":memory:", open: QueryPlans.opened }))
  const { fresh } = yield* Effect.promise(() => import("../postgres/Database.ts"))
  const PgStore = yield* Effect.promise(() => import("../../src/node/PgStore.ts"))
  const opened = Layer.fresh(PgStore.layer({ ...fresh(), time: "host" }))
  return Layer.provideMerge(Layer.effect(SubmissionStore, Effect.map(SubmissionStore, seen)), opened)
})

export const engine = (options: Submitter.SubmitterOptions = {}) =>
  Layer.mergeAll(Submitter.layer(options), StatusPoller.layer).pipe(
    Layer.provideMerge(Layer.fresh(Layer.unwrap(store)))
  )

type Services = SubmissionStore | Submitter.Submitter | StatusPoller.StatusPoller

/** Runs a test on a separate engine. */
export const test =
  (body: Body<[], Services>, options: Submitter.SubmitterOptions = {}) =>
  () =>
    Effect.andThen(at(now), told(body)).pipe(Effect.provide(engine(options)))

export const plan = (...documents: ReadonlyArray<PlannedDocument>) =>
  SubmissionStore.use((store) => store.plan(documents))

const opened = new WeakMap<AccountSettings, OpenAccount.OpenAccount>()

/**
 * Returns the permission to send for the account: the existing one if the account was opened on
 * this store before.
 */
export const open = (settings: AccountSettings) =>
  Effect.gen(function* () {
    const { id } = yield* (yield* SubmissionStore).identity
    const known = opened.get(settings)
    if (known !== undefined && OpenAccount.isFor(known, id)) return known
    const account = yield* OpenAccount.open(settings)
    opened.set(settings, account)
    return account
  })

export const drain = (...accounts: ReadonlyArray<AccountSettings>) =>
  Effect.flatMap(Effect.forEach(accounts, open), (accounts) =>
    Submitter.Submitter.use((submitter) => submitter.drain(accounts))
  )
/** Runs the given accounts after opening them. */
export const runAccounts = (accounts: ReadonlyArray<AccountSettings>, options?: Runner.RunOptions) =>
  Effect.flatMap(Effect.forEach(accounts, open), (accounts) => Runner.run(accounts, options))
export const sweep = (...accounts: ReadonlyArray<PollingAccount>) =>
  StatusPoller.StatusPoller.use((poller) => poller.sweep(accounts))

/** Returns the end of the first lane's run. */
export const ended = (...accounts: ReadonlyArray<AccountSettings>) =>
  Effect.map(drain(...accounts), ([report]) => report!.end)

export const key = (
  id: string,
  kind: SubmissionKey["kind"] = id.startsWith("c") ? "credit-note" : "invoice"
): SubmissionKey => ({
  account: "shop",
  kind,
  id
})

export const get = (id: string) => SubmissionStore.use((store) => Effect.map(store.get(key(id)), Option.getOrThrow))
export const explain = (id: string) =>
  SubmissionStore.use((store) => Effect.map(store.explain(key(id)), Option.getOrThrow))

/** Returns `id State` of every submission, in the order of planning. */
export const states = SubmissionStore.use((store) =>
  Effect.map(store.list({}), (rows) => rows.map(({ id, state }) => `${id} ${state}`))
)
export const stateOf = (id: string) => Effect.map(get(id), ({ state }) => state)
