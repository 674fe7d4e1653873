/** One account's way to the gateway, as a value: nothing about an account is ever global. */
import { Effect, Redacted, Result, Schema, SchemaIssue } from "effect"
import { AssumptionSwitches } from "./AssumptionSwitches.ts"
import { type OperationId, operations, placeholders } from "./Operation.ts"

const headerValue = /^[\x21-\x7e]([\x20-\x7e]{0,198}[\x21-\x7e])?$/
const headerExpected = "1 to 200 printable ASCII characters, no white space at either end"

const HeaderValue = Schema.String.check(Schema.isPattern(headerValue, { message: `expected ${headerExpected}` }))

const withDefault = <S extends Schema.Constraint>(schema: S, standard: S["Encoded"], description: string) =>
  Schema.withDecodingDefaultKey<S>(Effect.succeed(standard))(schema).annotate({ description })

const Timeouts = Schema.Struct({
  write: withDefault(
    Schema.DurationFromString,
    "60 seconds",
    "a submission or a change of a mapping, its answer's last byte included"
  ),
  read: withDefault(Schema.DurationFromString, "30 seconds", "one try of a read, its answer's last byte included"),
  download: withDefault(Schema.DurationFromString, "2 minutes", "one try of a PDF, its last byte included")
})

const Retries = Schema.Struct({
  times: withDefault(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })), 4, "tries after the first"),
  base: withDefault(Schema.DurationFromString, "500 millis", "the longest first wait; it doubles with every try"),
  longest: withDefault(Schema.DurationFromString, "15 seconds", "no drawn wait is longer"),
  longestRetryAfter: withDefault(Schema.DurationFromString, "1 minute", "a Retry-After is followed up to this long"),
  within: withDefault(Schema.DurationFromString, "3 minutes", "no further try begins later than this after the first")
})

const isOperation = (id: string): id is OperationId => Object.hasOwn(operations, id)

const pathProblem = (id: string, path: string): string | undefined => {
  if (!isOperation(id)) return "no such operation"
  const expected = placeholders(operations[id].path)
  const fits = /^\/[\x21-\x7e]*$/.test(path) && !/[?#]/.test(path) && placeholders(path).join() === expected.join()
  const inBraces = expected.length === 0 ? "nothing in braces" : `{${expected.join()}} in it once`
  return fits ? undefined : `expected a path that begins with / and has ${inBraces}`
}

const Paths = Schema.Record(Schema.String, Schema.String).check(
  Schema.makeFilter((paths) =>
    Object.entries(paths).flatMap(([id, path]) => {
      const issue = pathProblem(id, path)
      return issue === undefined ? [] : [{ path: [id], issue }]
    })
  )
)

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const baseUrlProblem = (text: string, http: AssumptionSwitches["AUTH-7"]): string | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return "expected an address such as https://gateway.example/api"
  if (url.username !== "" || url.password !== "") return "expected no user name and no password in the address"
  if (url.search !== "" || url.hash !== "") return "expected no ? and no # in the address"
  const clear = url.protocol === "http:" && !loopback.test(url.hostname) && http === "https"
  return clear
    ? "expected https: http is for loopback only, since the key travels in every request (AUTH-7)"
    : undefined
}

/** What a configuration file holds of an account: plain JSON, no secrets. */
export const GatewaySettings = Schema.Struct({
  account: Schema.NonEmptyString.pipe(Schema.annotate({ description: "our own name of the account; never sent" })),
  baseUrl: Schema.String.pipe(Schema.annotate({ description: "https address, its path prefix kept (AUTH-7)" })),
  application: HeaderValue.pipe(Schema.annotate({ description: "X-Application" })),
  station: HeaderValue.pipe(
    Schema.annotate({ description: "X-App-Station, one per till; never changed once set (AUTH-4)" })
  ),
  version: withDefault(HeaderValue, "1", "X-App-Version"),
  timeouts: withDefault(Timeouts, {}, "how long a request may take, as 30 seconds or 2 minutes"),
  retries: withDefault(Retries, {}, "how a read is repeated; a submission never is"),
  paths: withDefault(Paths, {}, "paths under the base URL, by operation; what is not named keeps its own"),
  assumptions: withDefault(AssumptionSwitches, {}, "where the gateway differs from what we take")
}).check(
  Schema.makeFilter((settings) => {
    const issue = baseUrlProblem(settings.baseUrl, settings.assumptions["AUTH-7"])
    return issue === undefined ? undefined : { path: ["baseUrl"], issue }
  })
)

export interface GatewaySecrets {
  readonly apiKey: Redacted.Redacted<string>
  /** Signs what is sent; without it requests go unsigned and webhooks are never believed. */
  readonly secret?: Redacted.Redacted<string> | undefined
  /** Secrets before a rotation: they still verify deliveries, and sign nothing (AUTH-6). */
  readonly formerSecrets?: ReadonlyArray<Redacted.Redacted<string>> | undefined
}

/** The settings as written (defaults left out) and the account's secrets. */
export type GatewayConfig = typeof GatewaySettings.Encoded & GatewaySecrets

/** A configuration with every default filled in and every rule held. */
export type SettledConfig = typeof GatewaySettings.Type &
  GatewaySecrets & { readonly paths: { readonly [Id in OperationId]: string } }

/** A configuration that cannot work: every problem at once, each with its path; values of secrets are not quoted. */
export class ConfigError extends Schema.TaggedError<ConfigError>("@fiscal-connector/core/gateway/ConfigError")(
  "ConfigError",
  { account: Schema.String, problems: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })) }
) {
  override get message() {
    return `account ${this.account}: ${this.problems.map(({ path, message }) => `${path}: ${message}`).join("; ")}`
  }
}

const decode = Schema.decodeUnknownResult(GatewaySettings, { errors: "all", onExcessProperty: "error" })
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const secretProblems = ({ apiKey, formerSecrets = [], secret }: GatewaySecrets) => {
  const problem = (path: string, message: string) => ({ path, message })
  return [
    ...(headerValue.test(Redacted.value(apiKey)) ? [] : [problem("apiKey", `expected ${headerExpected}`)]),
    ...[secret, ...formerSecrets].flatMap((each, index) =>
      each !== undefined && !/^\S(.*\S)?$/s.test(Redacted.value(each))
        ? [
            problem(
              index === 0 ? "secret" : `formerSecrets.${index - 1}`,
              "expected some text, no white space at either end"
            )
          ]
        : []
    )
  ]
}

/** Fills in the defaults and checks everything; the failure lists all problems. */
export const settle = (config: GatewayConfig): Result.Result<SettledConfig, ConfigError> => {
  const { apiKey, formerSecrets, secret, ...written } = config
  const settings = decode(written)
  const problems = [
    ...(Result.isFailure(settings)
      ? issuesOf(settings.failure.issue).issues.map(({ message, path = [] }) => ({
          path: path.map(String).join("."),
          message
        }))
      : []),
    ...secretProblems(config)
  ]
  if (Result.isFailure(settings) || problems.length > 0) {
    return Result.fail(new ConfigError({ account: String(config.account), problems }))
  }
  const paths = Object.fromEntries(
    Object.entries(operations).map(([id, { path }]) => [id, settings.success.paths[id] ?? path])
  )
  return Result.succeed({
    ...settings.success,
    paths: paths as SettledConfig["paths"],
    apiKey,
    secret,
    formerSecrets
  })
}
