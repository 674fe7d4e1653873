/** A read may be repeated, a write is sent once. */
import { Clock, Effect, Option, Result } from "effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Money from "../../document/Money.ts"
import * as Answer from "./Answer.ts"
import type { Misfit } from "./AnswerLaw.ts"
import type { Decode, RecordRead } from "./AnswerRecord.ts"
import * as AnswerText from "./AnswerText.ts"
import * as Exchange from "./Exchange.ts"
import * as ExchangeFacts from "../contract/ExchangeFacts.ts"
import type { SettledConfig } from "../contract/GatewayConfig.ts"
import {
  GatewayError,
  type GatewayErrorReason,
  MalformedAnswer,
  UnknownOutcome,
  withTexts
} from "../contract/GatewayError.ts"
import { type OperationId, operations } from "../contract/Operation.ts"
import * as ReadRetry from "./ReadRetry.ts"
import * as ServerClock from "./ServerClock.ts"
import { traced } from "../contract/Traced.ts"

/**
 * Reads a 2xx answer of an operation: the value and its misfits, or the reason why the answer is
 * not usable.
 */
export type Interpret<A> = (answer: Answer.GatewayAnswer) => Result.Result<RecordRead<A>, GatewayErrorReason>

export const fitting = <A>(value: A): RecordRead<A> => ({ value, misfits: [] })

export interface AnswerMisfits {
  readonly operation: OperationId
  readonly misfits: ReadonlyArray<Misfit>
}

export interface Calls {
  readonly config: SettledConfig
  read<A>(request: Exchange.Request, interpret: Interpret<A>): Effect.Effect<A, GatewayError>
  write<A>(request: Exchange.Request, interpret: Interpret<A>): Effect.Effect<A, GatewayError>
  readonly clock: Effect.Effect<Option.Option<ServerClock.ClockSample>>
  readonly misfits: Effect.Effect<ReadonlyArray<AnswerMisfits>>
}

// Redacts before any text is cut to its length, because a cut might leave half of a secret.
const fromJson = <A>(answer: Answer.GatewayAnswer, decode: Decode<A>) =>
  Result.flatMap(Money.parseJson(Answer.text(answer)), (value) =>
    Result.mapError(decode(answer.redaction.value(value)), (problem) =>
      AnswerText.oneLine(problem.startsWith("expected") ? `the body: ${problem}` : problem, 300)
    )
  )

export const readJson =
  <A>(decode: Decode<A>): Interpret<A> =>
  (answer) =>
    Result.mapError(fromJson(answer, decode), (text) => new MalformedAnswer({ text, excerpt: Answer.excerpt(answer) }))

/** Reads a JSON answer to a write. If the answer cannot be decoded, the outcome is unknown. */
export const writtenJson =
  <A>(decode: Decode<A>): Interpret<A> =>
  (answer) =>
    Result.mapError(
      fromJson(answer, decode),
      (problem) => new UnknownOutcome({ status: answer.status, text: `not as documented: ${problem}` })
    )

export const done: Interpret<void> = () => Result.succeed(fitting(undefined))

/** Every result passes here, so a secret that the gateway echoes in any field is removed. */
const taken = <A>(
  answer: Answer.GatewayAnswer,
  result: Result.Result<A, GatewayErrorReason>
): Result.Result<A, GatewayErrorReason> =>
  Result.mapBoth(result, {
    onSuccess: answer.redaction.value,
    onFailure: (reason) => withTexts(reason, answer.redaction.text)
  })

export const make = (config: SettledConfig, client: HttpClient.HttpClient): Calls => {
  let clock: Option.Option<ServerClock.ClockSample> = Option.none()
  const unfit = new Map<OperationId, ReadonlyArray<Misfit>>()
  const send = Exchange.make(config, client)
  const exchange: Exchange.Exchange = (request, kept) =>
    Effect.flatMap(Clock.currentTimeMillis, (sentAt) =>
      Effect.tap(send(request, kept), ({ headers, receivedAt }) =>
        Effect.sync(() => {
          clock = Option.some(ServerClock.read(headers, sentAt, receivedAt))
        })
      )
    )

  const once = <A>(request: Exchange.Request, interpret: Interpret<A>): Effect.Effect<A, GatewayError> => {
    const operation = operations[request.operation]
    const failed = (reason: GatewayErrorReason, { facts }: ExchangeFacts.StoredFacts) =>
      new GatewayError({ operation: operation.name, reason, ...(facts && { exchanged: facts }) })
    return Effect.withFiber((fiber) => {
      const kept = fiber.getRef(ExchangeFacts.StoredFacts) ?? { facts: undefined }
      return exchange(request, kept).pipe(
        Effect.flatMap((answer) =>
          Effect.fromResult(
            taken(
              answer,
              Answer.isSuccess(answer)
                ? interpret(answer)
                : Result.fail(Answer.refusal(operation, answer, config.assumptions))
            )
          )
        ),
        Effect.map(({ misfits, value }) => {
          unfit.set(request.operation, misfits)
          return value
        }),
        Effect.mapError((reason) => failed(reason, kept))
      )
    })
  }

  const spanned = <A>(effect: Effect.Effect<A, GatewayError>, { operation }: Exchange.Request) =>
    traced(effect, `Gateway.${operation}`, () => ({ kind: "client", attributes: { account: config.account } }))

  return {
    config,
    read: (request, interpret) => spanned(ReadRetry.repeating(once(request, interpret), config.retries), request),
    write: (request, interpret) => spanned(once(request, interpret), request),
    clock: Effect.sync(() => clock),
    misfits: Effect.sync(() =>
      Array.from(unfit, ([operation, misfits]) => ({ operation, misfits })).filter(({ misfits }) => misfits.length > 0)
    )
  }
}
