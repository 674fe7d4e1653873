/**
 * Reads the configuration of `work` and `serve` again on SIGHUP. The worker stops first, as on
 * SIGTERM. An unusable configuration changes nothing.
 */
import type { ConfigFile } from "@fiscal-connector/core/session"
import { ConfigFinding } from "@fiscal-connector/core/host/account"
import { StorePlace } from "@fiscal-connector/core/store"
import { Deferred, Effect, Exit, Queue, Redacted, Scope } from "effect"
import type * as ConfigAccount from "../account/ConfigAccount.ts"
import { StandardStreams } from "../output/StandardStreams.ts"
import { HangUp } from "./HangUp.ts"
import type { WorkerLine } from "./WorkerLine.ts"
import * as Working from "./Working.ts"

const reloaded = (accounts: number): WorkerLine => {
  const message = `the new configuration is used, for ${accounts} account${accounts === 1 ? "" : "s"}`
  return { level: "info", code: "configuration-reloaded", message, text: message, fields: { accounts } }
}

const kept = (error: { readonly message: string } | ConfigFile.ConfigFileError): WorkerLine => {
  const findings = "findings" in error ? [...new Set(error.findings.map(({ code }) => code))] : []
  const { code, meaning } = ConfigFinding.ConfigFinding.CONFIG_NOT_RELOADED
  return {
    level: "error",
    code: "configuration-kept",
    message: `${meaning}; the old one goes on${findings.length === 0 ? "" : ` (${findings.join(", ")})`}`,
    text: `${code}: ${meaning}; the old one stays in use: ${error.message}`,
    fields: { finding: code, findings }
  }
}

const needsRestart = (what: string): WorkerLine => {
  const { code } = ConfigFinding.ConfigFinding.CONFIG_NEEDS_RESTART
  return {
    level: "warn",
    code: "configuration-needs-restart",
    message: `${what}; start again to use it`,
    text: `${code}: ${what}; start again to use it`,
    fields: { finding: code }
  }
}

/** To compare places with their secrets, never printed. */
const all = (place: StorePlace.StorePlace): string =>
  JSON.stringify(place, (_, value: unknown) => (Redacted.isRedacted(value) ? Redacted.value(value) : value))

type Running = ConfigAccount.Running

export interface Generation<A extends Running> {
  readonly running: A
  readonly scope: Scope.Closeable
}

export const opened = <A extends Running, E, R>(load: Effect.Effect<A, E, R | Scope.Scope>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope)
    const running = yield* Scope.provide(load, scope).pipe(
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
    return { running, scope } satisfies Generation<A>
  })

/**
 * Several signals become one. SIGHUP of a closed terminal ends the command, because no operator
 * could see or stop it.
 */
const signals = Effect.gen(function* () {
  const [{ listen }, { inputIsTerminal, output }] = [yield* HangUp, yield* StandardStreams]
  const wanted = yield* Queue.sliding<void>(1)
  const gone = yield* Deferred.make<never>()
  const heard = () => {
    if (inputIsTerminal || output.isTerminal) Deferred.doneUnsafe(gone, Effect.interrupt)
    else Queue.offerUnsafe(wanted, undefined)
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => listen(heard)),
    (forget) => Effect.sync(forget)
  )
  return { wanted, gone: Deferred.await(gone) }
})

export interface SettingUse<A extends Running, E1, R1, E2, R2> {
  readonly load: Effect.Effect<A, E1, R1 | Scope.Scope>
  readonly adopt: (running: A) => Effect.Effect<void>
  readonly work: (running: A, how: "started" | "reloaded") => Effect.Effect<never, E2, R2>
}

/**
 * Works with `first`, then with the new configuration after each SIGHUP, until it is interrupted.
 */
export const working = <A extends Running, E1 extends { readonly message: string }, R1, E2, R2>(
  first: Generation<A>,
  { adopt, load, work }: SettingUse<A, E1, R1, E2, R2>
) =>
  Effect.gen(function* () {
    const { gone, wanted } = yield* signals
    const next = Effect.fnUntraced(function* (now: A) {
      for (;;) {
        yield* Queue.take(wanted)
        const read = yield* Effect.result(opened(load))
        if (read._tag === "Failure") {
          yield* Working.say(kept(read.failure))
          continue
        }
        const { running, scope } = read.success
        const [before, after] = [now.store, running.store]
        if (StorePlace.describe(before) !== StorePlace.describe(after)) {
          yield* Working.say(needsRestart("the new configuration names another store, and nothing of it is used"))
          yield* Scope.close(scope, Exit.void)
          continue
        }
        if (all(before) !== all(after))
          yield* Working.say(needsRestart("the new settings and password of the store are not used yet"))
        yield* adopt(running)
        return read.success
      }
    })
    const from = (
      { running, scope }: Generation<A>,
      how: "started" | "reloaded"
    ): Effect.Effect<never, E2, R1 | R2 | Scope.Scope> =>
      Effect.gen(function* () {
        const following = yield* Effect.raceFirst(work(running, how), next(running))
        yield* Scope.close(scope, Exit.void)
        yield* Working.say(reloaded(following.running.accounts.length))
        return yield* from(following, "reloaded")
      })
    yield* adopt(first.running)
    return yield* Effect.raceFirst(from(first, "started"), gone)
  }).pipe(Effect.onInterrupt(() => Working.say(Working.stopped)))
