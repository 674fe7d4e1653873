import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Answer from "./Answer.ts"
import { GatewayApi } from "./GatewayApi.ts"

const places = Object.values(GatewayApi.groups).flatMap(({ endpoints }) =>
  Object.values(endpoints).map(({ method, path }) => ({ method: String(method), path: String(path) }))
)

const isAt = (path: string, pattern: string): boolean => {
  const [asked, written] = [path.split("/"), pattern.split("/")]
  return asked.length === written.length && written.every((part, i) => part.startsWith(":") || part === asked[i])
}

/**
 * Returns the answer for a full request path, with or without the sandbox's prefix. The root, and
 * the root below the prefix, state the place of the docs.
 */
export const answer = (
  prefix: string,
  { method, url }: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse => {
  const path = url.replace(/[?#].*$/s, "")
  if (method === "GET" && (path === "/" || path === prefix || path === `${prefix}/`))
    return Answer.text(welcome(prefix))
  return Answer.declined(
    new Answer.Declined({ status: 404, message: `there is no ${method} ${path}: ${instead(prefix, path)}` })
  )
}

const welcome = (prefix: string): string => `This is a fiscal invoicing gateway to try things against.

Operations and controls  ${prefix}/docs
The same for programs    ${prefix}/openapi.json
`

const instead = (prefix: string, path: string): string => {
  if (prefix !== "" && !path.startsWith(`${prefix}/`)) {
    return `every path of this sandbox begins with ${prefix}; all of them are at ${prefix}/docs`
  }
  const within = path.slice(prefix.length)
  const methods = places.filter((place) => isAt(within, place.path)).map((place) => place.method)
  if (methods.length > 0) return `this path takes ${methods.join(", ")}; everything is at ${prefix}/docs`
  if (!/^\/_control(\/|$)/.test(within)) return `the gateway has no such operation; all of them are at ${prefix}/docs`
  const controls = places.filter((place) => place.path.startsWith("/_control"))
  return `the controls are ${controls.map((place) => `${place.method} ${prefix}${place.path}`).join(", ")}`
}
