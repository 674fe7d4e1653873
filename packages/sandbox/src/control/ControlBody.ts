/** Rejects an invalid body with all its problems, without any effect. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpApiError from "effect/http-api/HttpApiError"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Answer from "../http/Answer.ts"
import * as Problems from "../wire/Problems.ts"

export const NotTaken = Answer.ErrorBody.annotate({
  identifier: "NotTaken",
  httpApiStatus: 400,
  description: "The sandbox does not take this"
})

export class ControlBody extends HttpApiMiddleware.Service<ControlBody>()("@fiscal-connector/sandbox/ControlBody", {
  error: NotTaken
}) {}

const noJson = "a control takes Content-Type: application/json, as curl --json sends it"

/** The schema's text names our internal types. */
const ofWhole = (problem: string): string =>
  problem.startsWith("Expected ") && !problem.includes("JSON") ? "the body must be a JSON object" : problem

const hasBody = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

const isJson = (contentType = "application/json"): boolean => /^application\/json\s*(;|$)/i.test(contentType.trim())

const refused = (status: 400 | 415, message: string, errors?: ReadonlyArray<string>) =>
  Answer.declined(new Answer.Declined({ status, message, ...(errors && { errors }) }))

export const layer = Layer.succeed(ControlBody, (handled, { endpoint }) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const what = `${endpoint.method} ${endpoint.path}`
    if (hasBody(request)) {
      if (endpoint.payload.size === 0) return Effect.succeed(refused(400, `${what} takes no body`))
      if (!isJson(request.headers["content-type"])) return Effect.succeed(refused(415, noJson))
    }
    return Effect.catch(handled, (error) => {
      // An invalid answer of the sandbox itself is not a mistake of the caller.
      if (!HttpApiError.HttpApiSchemaError.is(error) || error.kind === "Body" || error.kind === "ResponseHeaders") {
        return Effect.fail(error)
      }
      const problems = Problems.of(error.cause).map(ofWhole)
      const message = `${what} does not take this: ${problems.join("; ")}`
      return Effect.succeed(refused(400, message, problems))
    })
  })
)
