/** `connector sandbox`: a gateway to run against, until Ctrl-C. */
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { defaultAccount } from "@fiscal-connector/sandbox/SandboxConfig"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Quit } from "../Quit.ts"

export const sandbox = Command.make(
  "sandbox",
  {
    port: Flag.Int("port").pipe(Flag.withDescription("port on the loopback interface"), Flag.withDefault(4010))
  },
  Effect.fnUntraced(function* ({ port }) {
    const { url } = yield* Sandbox.make({ port }).pipe(
      Effect.mapError((error) => new Quit({ code: 1, text: error.message }))
    )
    yield* Console.log(`The sandbox gateway listens at ${url}

  X-Api-Key       ${defaultAccount.key}
  API secret      ${String(defaultAccount.secret)}   (signs request bodies: X-Api-Signature)
  X-Application   ${defaultAccount.application}
  X-App-Station   ${defaultAccount.station}
  Device          ${defaultAccount.device}

  Operations      ${url}/openapi.json
  What it took    ${url}/_control/accepted
  Faults          POST ${url}/_control/faults  {"kind":"drop","stage":"after","times":1}

Ctrl-C stops it; nothing is kept.`)
    return yield* Effect.never
  }, Effect.scoped)
).pipe(Command.withDescription("Run a gateway of our own to try things against"))
