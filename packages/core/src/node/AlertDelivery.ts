/** Hands an alert to a command or a URL; each ends within half a minute, one way or the other. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { HostProcess } from "../file/HostProcess.ts"
import type { AlertTarget, Deliver } from "../attention/Alert.ts"

const limit = "30 seconds"

/** What is the connector's own to know: accounts' keys, the store's password. */
const isOurs = (name: string): boolean => /^(FISCAL_CONNECTOR_|PG)|^DATABASE_URL$/.test(name)

/** The environment of a command: this process's, without what is the connector's own. */
export const environment = (own: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(own).filter(([name]) => !isOurs(name)))

const tooLong = () => Effect.fail(`it took longer than ${limit}`)

const command =
  ([executable, ...rest]: readonly [string, ...ReadonlyArray<string>]): Deliver =>
  (event) =>
    Effect.flatMap(HostProcess, ({ cwd, env }) =>
      Effect.callback<void, string>((resume) => {
        const child = spawn(executable, rest, {
          cwd,
          env: environment(env),
          stdio: ["pipe", "ignore", "ignore"],
          // a group of its own: what it starts ends with it
          detached: process.platform !== "win32"
        })
        const kill = () => {
          try {
            if (child.pid !== undefined) process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL")
          } catch {
            // it has ended
          }
        }
        child.on("error", ({ message }) => resume(Effect.fail(message)))
        child.on("close", (code, signal) =>
          resume(code === 0 ? Effect.void : Effect.fail(`${executable} ended with ${signal ?? `exit code ${code}`}`))
        )
        // one that does not read it may end well all the same
        child.stdin.on("error", () => undefined)
        child.stdin.end(`${JSON.stringify(event)}\n`)
        return Effect.sync(kill)
      })
    ).pipe(Effect.timeoutOrElse({ duration: limit, orElse: tooLong }))

const post =
  (url: string): Deliver =>
  (event) =>
    Effect.tryPromise({
      try: async (signal) => {
        const answer = await fetch(url, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(event),
          redirect: "manual",
          signal
        })
        await answer.body?.cancel()
        return answer.status
      },
      catch: (cause) => {
        const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
        return inner instanceof Error ? inner.message : String(inner)
      }
    }).pipe(
      Effect.flatMap((status) =>
        status >= 200 && status < 300 ? Effect.void : Effect.fail(`${new URL(url).host} answered ${status}`)
      ),
      Effect.timeoutOrElse({ duration: limit, orElse: tooLong })
    )

export const make = (target: AlertTarget): Deliver =>
  target._tag === "Command" ? command(target.argv) : post(target.url)
