/**
 * Shared parts of the subcommands of `connector gateway`: flags, a call of one operation, and its
 * answer as a table or JSON.
 */
import type { GatewayOperations } from "@fiscal-connector/core/gateway/Gateway"
import type { GatewayError } from "@fiscal-connector/core/gateway/contract/GatewayError"
import { Effect, FileSystem, type Option } from "effect"
import { Argument, Flag } from "effect/cli"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import * as Answer from "../../output/Answer.ts"
import * as GatewayProblem from "../../account/GatewayProblem.ts"
import { Call } from "../../output/Call.ts"
import { ExitError } from "../../output/ExitError.ts"
import { systemText } from "../../output/SystemText.ts"
import { accountFlags } from "../../account/AccountFlags.ts"
import * as Output from "../../output/Output.ts"

export const flags = {
  ...accountFlags
}

export const out = Flag.Path("out").pipe(Flag.withDescription("the file to write, for its owner only"))
export const id = Argument.Int("id").pipe(Argument.withDescription("the mapping's Id"))

export interface Given {
  readonly config: string
  readonly account: Option.Option<string>
}

/**
 * Ends with exit code 2 if the gateway declined, 3 if the operation may have been done, 1 if it
 * certainly was not.
 */
const asQuit = (error: GatewayError) =>
  Effect.flatMap(Call, (call) => {
    const { _tag } = error.reason
    const code = _tag === "UnknownOutcome" ? 3 : _tag === "Declined" ? 2 : 1
    return Effect.fail(new ExitError({ code, text: GatewayProblem.text(error, call) }))
  })

/**
 * Prints the result of a call. `show` selects the values for the table; JSON has the whole result.
 */
export const print = <A, R>(
  call: Effect.Effect<A, GatewayError | ExitError, R>,
  show: (value: A) => unknown = (value) => value
) =>
  Effect.gen(function* () {
    const value = yield* call.pipe(Effect.catchTag("GatewayError", asQuit))
    yield* Output.answer("gateway-answer", value, Answer.toText(show(value)))
  })

/** Runs an operation of the account and prints its result. */
export const answer = <A, R>(
  given: Given,
  call: (gateway: GatewayOperations) => Effect.Effect<A, GatewayError | ExitError, R>,
  show?: (value: A) => unknown
) =>
  Effect.gen(function* () {
    const { operations } = yield* ConfigAccount.gateway(given.config, given.account)
    yield* GatewayProblem.tellMisfits(operations)
    yield* print(call(operations), show)
  }).pipe(Effect.scoped)

/** Writes downloaded bytes into the file of `--out`. */
export const download = (
  given: Given & { readonly out: string },
  call: (gateway: GatewayOperations) => Effect.Effect<Uint8Array, GatewayError>
) =>
  answer(given, (gateway) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const bytes = yield* call(gateway)
      yield* fs
        .writeFile(given.out, bytes, { mode: 0o600 })
        .pipe(Effect.mapError((error) => new ExitError({ code: 1, text: systemText(error) })))
      return { file: given.out, bytes: bytes.length }
    })
  )
