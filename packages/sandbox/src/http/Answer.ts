import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Schema from "effect/Schema"
import * as ExactJson from "../wire/ExactJson.ts"

/** Error body of the sandbox. The interface does not show the gateway's own. */
export const ErrorBody = Schema.Struct({
  Message: Schema.String,
  Errors: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ identifier: "ErrorBody" })

/**
 * Refusal with a 4xx: its status, a readable sentence, and the problems. Never contains a value of
 * the request.
 */
export class Declined extends Data.TaggedError("Declined")<{
  readonly status: 400 | 401 | 404 | 413 | 415
  readonly message: string
  readonly errors?: ReadonlyArray<string>
}> {}

export const json = (value: ExactJson.Printable, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(ExactJson.print(value), { status, contentType: "application/json; charset=utf-8" })

export const text = (body: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, { contentType: "text/plain; charset=utf-8" })

export const pdf = (bytes: Uint8Array): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(bytes, { contentType: "application/pdf" })

export const declined = ({ errors, message, status }: Declined): HttpServerResponse.HttpServerResponse =>
  json({ Message: message, Errors: errors }, status)

export const respond = <R>(
  handler: Effect.Effect<HttpServerResponse.HttpServerResponse, Declined, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catchTag(handler, "Declined", (no) => Effect.succeed(declined(no)))
