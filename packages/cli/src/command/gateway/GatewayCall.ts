import type { Gateway, GatewayError } from "@fiscal-connector/core/gateway"
import { Effect, FileSystem } from "effect"
import { type Command, Flag } from "effect/cli"
import { describedCommand } from "../../output/Flags.ts"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import * as Answer from "../../output/Answer.ts"
import * as GatewayProblem from "../../account/GatewayProblem.ts"
import { Call } from "../../output/Call.ts"
import { ExitError, notDone } from "../../output/ExitError.ts"
import { systemText } from "../../output/SystemText.ts"
import { accountFlags } from "../../account/AccountFlags.ts"
import * as Output from "../../output/Output.ts"

/**
 * Exit code 2 if the gateway declined, 3 if the operation may have been done, 1 if it certainly was
 * not.
 */
const asQuit = (error: GatewayError.GatewayError) =>
  Effect.flatMap(Call, (call) => {
    const { _tag } = error.reason
    const code = _tag === "UnknownOutcome" ? 3 : _tag === "Declined" ? 2 : 1
    return Effect.fail(new ExitError({ code, text: GatewayProblem.text(error, call) }))
  })

export const print = <A, R>(
  call: Effect.Effect<A, GatewayError.GatewayError | ExitError, R>,
  show: (value: A) => unknown = (value) => value
) =>
  Effect.gen(function* () {
    const value = yield* call.pipe(Effect.catchTag("GatewayError", asQuit))
    yield* Output.answer("gateway-answer", value, Answer.toText(show(value)))
  })

type CallSettings<Config extends Command.Command.Config> = Command.Command.Config.Infer<{
  readonly given: Config
}>["given"]

export const operation = <const Config extends Command.Command.Config, A, R>(
  name: string,
  description: string,
  config: Config,
  call: (
    gateway: Gateway.GatewayOperations,
    given: CallSettings<Config>
  ) => Effect.Effect<A, GatewayError.GatewayError | ExitError, R>,
  show?: (value: A) => unknown
) =>
  describedCommand(
    name,
    description,
    { ...accountFlags, given: config },
    Effect.fnUntraced(function* ({ account, config, given }) {
      const { operations } = yield* ConfigAccount.gateway(config, account)
      yield* GatewayProblem.tellMisfits(operations)
      yield* print(call(operations, given), show)
    }, Effect.scoped)
  )

const out = Flag.Path("out").pipe(Flag.withDescription("the file to write, for its owner only"))

export const download = <const Config extends Command.Command.Config>(
  name: string,
  description: string,
  config: Config,
  call: (
    gateway: Gateway.GatewayOperations,
    given: CallSettings<Config>
  ) => Effect.Effect<Uint8Array, GatewayError.GatewayError>
) =>
  operation(
    name,
    description,
    { given: config, out },
    Effect.fnUntraced(function* (gateway, { given, out }) {
      const fs = yield* FileSystem.FileSystem
      const bytes = yield* call(gateway, given)
      yield* fs.writeFile(out, bytes, { mode: 0o600 }).pipe(Effect.mapError((error) => notDone(systemText(error))))
      return { file: out, bytes: bytes.length }
    })
  )
