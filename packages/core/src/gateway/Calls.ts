/** The ways an operation calls the gateway: a read decoded by a schema, a read of bytes, a write. */
import { Effect, Result, Schema, SchemaIssue } from "effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Money from "../document/Money.ts"
import * as Answer from "./Answer.ts"
import * as AnswerText from "./AnswerText.ts"
import * as Exchange from "./Exchange.ts"
import type { SettledConfig } from "./GatewayConfig.ts"
import { GatewayError, type GatewayErrorReason, MalformedAnswer, UnknownOutcome } from "./GatewayError.ts"
import { operations } from "./Operation.ts"
import * as ReadRetry from "./ReadRetry.ts"

/** Reads an answer's JSON, or says what is wrong with it. */
export type Decode<A> = (value: unknown) => Result.Result<A, string>

export interface Calls {
  readonly config: SettledConfig
  /** Repeated while its failure is passing; an answer that does not decode is a MalformedAnswer. */
  read<A>(request: Exchange.Request, decode: Decode<A>): Effect.Effect<A, GatewayError>
  /** The same, for an answer that is no JSON. */
  readBytes(request: Exchange.Request): Effect.Effect<Answer.Answer, GatewayError>
  /** Sent once; succeeds with the 2xx answer, whatever its body. */
  write(request: Exchange.Request): Effect.Effect<Answer.Answer, GatewayError>
  /** Sent once; a 2xx that does not decode is an UnknownOutcome. */
  writeAndRead<A>(request: Exchange.Request, decode: Decode<A>): Effect.Effect<A, GatewayError>
}

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** The first three issues, with their paths; rejected values are not quoted. */
const problemOf = ({ issue }: Schema.SchemaError): string =>
  AnswerText.line(
    issuesOf(issue)
      .issues.slice(0, 3)
      .map(({ message, path = [] }) => `${path.map(String).join(".") || "the body"}: ${message}`)
      .join("; "),
    300
  )

/** A decoder of answers from a schema whose encoded form is the wire's. */
export const decoding = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): Decode<S["Type"]> => {
  const decode = Schema.decodeUnknownResult(schema)
  return (value) => Result.mapError(decode(value), problemOf)
}

export const make = (config: SettledConfig, client: HttpClient.HttpClient): Calls => {
  const exchange = Exchange.make(config, client)

  const once = (request: Exchange.Request): Effect.Effect<Answer.Answer, GatewayError> => {
    const operation = operations[request.operation]
    return exchange(request).pipe(
      Effect.filterOrFail(Answer.isSuccess, (answer) => Answer.refusal(operation, answer)),
      Effect.mapError((reason) => new GatewayError({ operation: operation.name, reason }))
    )
  }

  const spanned = <A>(effect: Effect.Effect<A, GatewayError>, { operation }: Exchange.Request) =>
    Effect.withSpan(effect, `Gateway.${operation}`, { kind: "client", attributes: { account: config.account } })

  const decoded = <A>(
    answer: Answer.Answer,
    { operation }: Exchange.Request,
    decode: Decode<A>,
    reason: (problem: string, answer: Answer.Answer) => GatewayErrorReason
  ): Effect.Effect<A, GatewayError> =>
    Result.match(Result.flatMap(Money.parseJson(Answer.text(answer)), decode), {
      onSuccess: Effect.succeed,
      onFailure: (problem) =>
        Effect.fail(new GatewayError({ operation: operations[operation].name, reason: reason(problem, answer) }))
    })

  const readBytes: Calls["readBytes"] = (request) => ReadRetry.repeating(once(request), config.retries)

  return {
    config,
    readBytes: (request) => spanned(readBytes(request), request),
    read: (request, decode) =>
      readBytes(request).pipe(
        Effect.flatMap((answer) => decoded(answer, request, decode, malformed)),
        (effect) => spanned(effect, request)
      ),
    write: (request) => spanned(once(request), request),
    writeAndRead: (request, decode) =>
      once(request).pipe(
        Effect.flatMap((answer) => decoded(answer, request, decode, unknown)),
        (effect) => spanned(effect, request)
      )
  }
}

const malformed = (problem: string, answer: Answer.Answer) =>
  new MalformedAnswer({ problem, excerpt: Answer.excerpt(answer) })

const unknown = (problem: string, answer: Answer.Answer) =>
  new UnknownOutcome({ status: answer.status, problem: `answered, but not as documented: ${problem}` })
