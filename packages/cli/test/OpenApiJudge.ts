/**
 * Validates recorded exchanges against an OpenAPI 3.1 document, with a third-party JSON Schema
 * validator.
 */
import { Ajv2020 } from "ajv/dist/2020.js"
import type { Exchange } from "./RecordingProxy.ts"

interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
}

interface OperationObject {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
}

/**
 * Problems of an exchange; `operation` is undefined if the document does not have the method and
 * path.
 */
export interface Judgment {
  readonly operation: string | undefined
  readonly problems: ReadonlyArray<string>
}

const pointer = (...keys: ReadonlyArray<string>) =>
  keys.map((key) => `/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")

const mediaType = (text: string | undefined) => (text ?? "").split(";")[0]!.trim()

export const judgeBy = (document: OpenApiDocument) => {
  // The sandbox itself checks dates: the validator has no formats.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ ...document, $id: "document" })
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation,
      // A path without parameters has priority over one with parameters.
      rank: path.split("{").length,
      pattern: new RegExp(
        `^${path
          .split(/\{[^}]*\}/)
          .map((part) => RegExp.escape(part))
          .join("([^/]+)")}$`
      )
    }))
  )

  const against = (value: unknown, what: string, ...place: ReadonlyArray<string>): ReadonlyArray<string> => {
    const validate = ajv.compile({ $ref: `document#${pointer(...place, "schema")}` })
    return validate(value) ? [] : (validate.errors ?? []).map((e) => `${what}${e.instancePath}: ${e.message}`)
  }

  return ({ answer, body, contentType, headers, method, status, url }: Exchange): Judgment => {
    const found = operations
      .filter((one) => one.method === method.toLowerCase() && one.pattern.test(url.pathname))
      .toSorted((a, b) => a.rank - b.rank)[0]
    if (found === undefined) return { operation: undefined, problems: [`no operation ${method} ${url.pathname}`] }
    const { operation, path } = found
    const place = ["paths", path, found.method]
    const parameters = operation.parameters ?? []
    const problems = parameters.flatMap((parameter, index) => {
      const given =
        parameter.in === "header"
          ? headers[parameter.name.toLowerCase()]
          : parameter.in === "query"
            ? url.searchParams.get(parameter.name)
            : decodeURIComponent(found.pattern.exec(url.pathname)?.[1] ?? "")
      if (given === null || given === undefined) return parameter.required ? [`${parameter.name} is missing`] : []
      return against(given, parameter.name, ...place, "parameters", String(index))
    })
    const named = new Set(parameters.map(({ name }) => name))
    const strangers = [...url.searchParams.keys()].filter((name) => !named.has(name))
    const wanted = Object.keys(operation.requestBody?.content ?? {})
    const sent = mediaType(headers["content-type"])
    const ofBody =
      operation.requestBody === undefined
        ? body === ""
          ? []
          : ["a body where there is none"]
        : wanted.includes(sent)
          ? against(JSON.parse(body), "body", ...place, "requestBody", "content", sent)
          : [`content type "${sent}"`]
    const answered = mediaType(contentType)
    const response = operation.responses[String(status)]
    const ofAnswer =
      response === undefined
        ? [`an answer ${status} that is not in the document`]
        : response.content === undefined || answered === "application/pdf"
          ? []
          : against(
              answered === "application/json" ? JSON.parse(answer) : answer,
              "answer",
              ...place,
              "responses",
              String(status),
              "content",
              answered
            )
    return {
      operation: operation.operationId,
      problems: [...problems, ...strangers.map((name) => `a parameter ${name}`), ...ofBody, ...ofAnswer]
    }
  }
}
