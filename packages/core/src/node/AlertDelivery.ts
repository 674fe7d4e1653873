/** Delivers an alert to a command or a URL; each attempt ends within 30 seconds. */
import { Effect } from "effect"
import { escaped } from "../document/EscapedText.ts"
import * as NamedCommand from "../file/NamedCommand.ts"
import type { AlertTarget, Deliver } from "../attention/Alert.ts"

/** Time limit of a delivery. The lease of an alert (sending/Alerting) is longer. */
const limit = "30 seconds"

const tooLong = () => Effect.fail(`it took longer than ${limit}`)

const post =
  (url: string): Deliver =>
  (event) =>
    Effect.tryPromise({
      try: async (signal) => {
        const answer = await fetch(url, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: escaped(JSON.stringify(event)),
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
  target._tag === "Command"
    ? (event) => Effect.asVoid(NamedCommand.run(target.argv, `${escaped(JSON.stringify(event))}\n`, "dropped"))
    : post(target.url)
