import type { HealthMetrics } from "@fiscal-connector/core/attention"
import { StatusListener } from "@fiscal-connector/core/node"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { HttpListening } from "@fiscal-connector/core/host/account"
import { type Duration, Effect, FileSystem, Option, Redacted, type Redacted as Secret } from "effect"
import { Flag } from "effect/cli"
import { printable } from "../output/Terminal.ts"
import { notDone } from "../output/ExitError.ts"
import { optional } from "../output/Flags.ts"

/** Loopback only: the pages show business figures, so no other machine may read them. */
const loopback = "127.0.0.1"

export const portFlag = optional(
  Flag.Int("status-port"),
  "the port of /health and /metrics on the loopback interface; 0 uses a free port. Without it they are not served"
)

export const tokenFlag = optional(
  Flag.File("status-token-file", { mustExist: true }),
  "a file with a token that /health and /metrics require (Authorization: Bearer)"
)

export const token = Effect.fnUntraced(function* (file: Option.Option<string>) {
  if (Option.isNone(file)) return undefined
  const fs = yield* FileSystem.FileSystem
  const text = (yield* fs.readFileString(file.value)).trim()
  if (text === "") return yield* notDone(`${printable(file.value)} is empty. Write the token into it.`)
  return Redacted.make(text)
})

export interface StatusSettings {
  readonly retention: Duration.Duration
  readonly token: Secret.Redacted<string> | undefined
}

export interface StatusPages {
  readonly url: string
  readonly change: (settings: StatusSettings) => Effect.Effect<void>
}

/**
 * Listens on the loopback address until the scope closes. `more`: additional metrics besides the
 * store's.
 */
export const open = Effect.fnUntraced(function* (
  port: number,
  first: StatusSettings,
  more: () => ReadonlyArray<HealthMetrics.Measure> = () => []
) {
  const store = yield* SubmissionStore.SubmissionStore
  const make = ({ retention, token }: StatusSettings) =>
    Effect.provideService(StatusListener.make(retention, more, token), SubmissionStore.SubmissionStore, store)
  let listener = yield* make(first)
  const url = yield* HttpListening.listen((request, response) => listener(request, response), {
    host: loopback,
    port
  }).pipe(Effect.catchTag("NotListening", ({ message }) => Effect.fail(notDone(message))))
  const change = (settings: StatusSettings) => Effect.map(make(settings), (made) => void (listener = made))
  return { url, change } satisfies StatusPages
})

export const where = (url: string): string => `How it goes: ${url}/health and ${url}/metrics`
