/**
 * Checks requests and answers against the vendor's published interface: path, method, names of
 * parameters and headers, and types (fixtures/published).
 */
import type { SourceAnswer, SourceQuestion } from "@fiscal-connector/sandbox/source/SourceAnswers"
import { Ajv, type ValidateFunction } from "ajv"
import { readFileSync } from "node:fs"
import { join } from "node:path"

interface Parameter {
  readonly $ref?: string
  readonly in: "query" | "header" | "path"
  readonly name: string
  readonly schema: { readonly type: string }
}

interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<Parameter>
}

interface Path {
  readonly parameters?: ReadonlyArray<Parameter>
  readonly get: Operation
}

interface Published {
  readonly servers: readonly [{ readonly url: string }]
  readonly paths: Readonly<Record<string, Path>>
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> }
}

const files = ["xero-accounting.json", "xero-identity.json"].map(
  (name) =>
    JSON.parse(readFileSync(join(import.meta.dirname, "../../../fixtures/published", name), "utf8")) as Published
)

/** An operation of the interface, with its parameters by name. */
export interface PublishedOperation {
  readonly name: string
  readonly query: ReadonlyMap<string, string>
  readonly headers: ReadonlySet<string>
  readonly path: RegExp
  readonly answer: ValidateFunction
}

/** Every operation that the source uses. */
export const operations: ReadonlyArray<PublishedOperation> = files.flatMap((file, n) => {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addSchema(file, `file${n}`)
  const base = new URL(file.servers[0].url).pathname.replace(/\/$/, "")
  return Object.entries(file.paths).map(([path, { get, parameters = [] }]): PublishedOperation => {
    const all = [...parameters, ...get.parameters].map((one) =>
      one.$ref === undefined ? one : file.components.parameters![one.$ref.split("/").at(-1)!]!
    )
    const of = (place: Parameter["in"]) => all.filter((one) => one.in === place)
    const pointer = `/paths/${path.replaceAll("/", "~1")}/get/responses/200/content/application~1json/schema`
    return {
      name: get.operationId,
      query: new Map(of("query").map(({ name, schema }) => [name, schema.type])),
      headers: new Set(of("header").map(({ name }) => name.toLowerCase())),
      // hosts answer to a path in any case
      path: new RegExp(`^${base}${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`, "i"),
      answer: ajv.compile({ $ref: `file${n}#${encodeURI(pointer)}` })
    }
  })
})

/** Headers of HTTP and of the login, which no operation lists. */
const general = new Set(["accept", "authorization", "host", "connection", "user-agent", "traceparent", "b3"])

const isOf = (type: string | undefined, value: string): boolean =>
  type === "integer" ? /^\d+$/.test(value) : type === "boolean" ? /^(true|false)$/.test(value) : value !== ""

/** Returns what the request states and the operation does not have. */
export const problemsOf = ({ headers, method, path }: Omit<SourceQuestion, "body">): ReadonlyArray<string> => {
  const url = new URL(path, "http://localhost")
  const operation = operations.find((one) => one.path.test(url.pathname))
  if (operation === undefined || method !== "GET") return [`there is no operation ${method} ${url.pathname}`]
  return [
    ...Array.from(url.searchParams).flatMap(([name, value]) =>
      isOf(operation.query.get(name), value) && operation.query.has(name)
        ? []
        : [`${operation.name} has no ${name}=${value}`]
    ),
    ...Object.keys(headers)
      .filter((name) => !general.has(name) && !operation.headers.has(name) && !name.startsWith("sec-"))
      .filter((name) => name !== "accept-encoding" && name !== "accept-language")
      .filter((name) => !(name === "xero-tenant-id" && operation.name === "getConnections"))
      .map((name) => `${operation.name} has no header ${name}`)
  ]
}

/** Returns the differences of an answer from the published schema; none for other than JSON. */
export const differencesOf = (path: string, { body, status }: SourceAnswer): ReadonlyArray<string> => {
  const operation = operations.find((one) => one.path.test(new URL(path, "http://localhost").pathname))
  if (operation === undefined || status !== 200 || (!body.endsWith("}") && !body.endsWith("]"))) return []
  return operation.answer(JSON.parse(body))
    ? []
    : (operation.answer.errors ?? []).map(({ instancePath, message }) => `${operation.name}${instancePath} ${message}`)
}
