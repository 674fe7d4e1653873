/** A value: nothing about an account is ever global. */
import { Effect, Redacted, Result, Schema, SchemaIssue } from "effect"
import { AssumptionSwitches } from "./AssumptionSwitches.ts"
import { isLoopback } from "./Loopback.ts"
import { type OperationId, operations, placeholders } from "./Operation.ts"

const headerValue = /^[\x21-\x7e]([\x20-\x7e]{0,198}[\x21-\x7e])?$/
const headerExpected = "1 to 200 printable ASCII characters, no white space at either end"

const HeaderValue = Schema.String.check(Schema.isPattern(headerValue, { message: `expected ${headerExpected}` }))

const withDefault = <S extends Schema.Constraint>(schema: S, standard: S["Encoded"]) =>
  Schema.withDecodingDefaultKey<S>(Effect.succeed(standard))(schema)

const duration = (standard: string, description: string) =>
  withDefault(Schema.String.annotate({ description }).pipe(Schema.decodeTo(Schema.DurationFromString)), standard)

const Timeouts = Schema.Struct({
  write: duration("60 seconds", "a submission or a change of a mapping, its answer's last byte included"),
  read: duration("30 seconds", "one try of a read, its answer's last byte included"),
  download: duration("2 minutes", "one try of a PDF, its last byte included")
}).annotate({ description: "how long a request may take, as 30 seconds or 2 minutes" })

const Times = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))

const Retries = Schema.Struct({
  times: withDefault(Times.annotate({ description: "tries after the first" }), 4),
  base: duration("500 millis", "the longest first wait; it doubles with every try"),
  longest: duration("15 seconds", "no drawn wait is longer"),
  longestRetryAfter: duration("1 minute", "a Retry-After is followed up to this long"),
  within: duration("3 minutes", "no further try begins later than this after the first")
}).annotate({ description: "how a read is repeated; a submission never is" })

const isOperation = (id: string): id is OperationId => Object.hasOwn(operations, id)

const pathProblem = (id: string, path: string): string | undefined => {
  if (!isOperation(id)) return "no such operation"
  const expected = placeholders(operations[id].path)
  const fits = /^\/[\x21-\x7e]*$/.test(path) && !/[?#]/.test(path) && placeholders(path).join() === expected.join()
  const inBraces = expected.length === 0 ? "nothing in braces" : `{${expected.join()}} in it once`
  return fits ? undefined : `expected a path that begins with / and has ${inBraces}`
}

const Paths = Schema.Record(Schema.String, Schema.String)
  .annotate({ description: "paths under the base URL, by operation; other operations keep their paths" })
  .check(
    Schema.makeFilter((paths) =>
      Object.entries(paths).flatMap(([id, path]) => {
        const issue = pathProblem(id, path)
        return issue === undefined ? [] : [{ path: [id], issue }]
      })
    )
  )

const baseUrlProblem = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return "expected an address such as https://gateway.example/api"
  if (url.username !== "" || url.password !== "") return "expected no user name and no password in the address"
  return url.search !== "" || url.hash !== "" ? "expected no ? and no # in the address" : undefined
}

const BaseUrl = Schema.String.annotate({ description: "https address, its path prefix kept (AUTH-7)" }).check(
  Schema.makeFilter((text) => baseUrlProblem(text))
)

/** Settings of an account in a configuration file: plain JSON, no secrets. */
export const GatewaySettings = Schema.Struct({
  account: Schema.NonEmptyString.annotate({ description: "our own name of the account; never sent" }),
  baseUrl: BaseUrl,
  application: HeaderValue.annotate({ description: "X-Application" }),
  station: HeaderValue.annotate({ description: "X-App-Station, one per till; never changed once set (AUTH-4)" }),
  version: withDefault(HeaderValue.annotate({ description: "X-App-Version" }), "1"),
  timeouts: withDefault(Timeouts, {}),
  retries: withDefault(Retries, {}),
  paths: withDefault(Paths, {}),
  assumptions: withDefault(AssumptionSwitches, {})
})

/** Secrets for identifying an account and signing its requests. */
export interface GatewaySecrets {
  readonly apiKey: Redacted.Redacted<string>
  readonly secret?: Redacted.Redacted<string> | undefined
  /**
   * Secrets before a rotation. Former secrets still verify deliveries, and sign nothing (AUTH-6).
   */
  readonly formerSecrets?: ReadonlyArray<Redacted.Redacted<string>> | undefined
}

/** Settings as written (defaults left out), together with the account's secrets. */
export type GatewayConfig = typeof GatewaySettings.Encoded & GatewaySecrets

/** A configuration with all defaults, checked against all rules. */
export type SettledConfig = typeof GatewaySettings.Type &
  GatewaySecrets & { readonly paths: { readonly [Id in OperationId]: string } }

const ConfigProblem = Schema.Struct({ path: Schema.String, message: Schema.String })
type ConfigProblem = typeof ConfigProblem.Type

/**
 * A configuration that cannot work. Contains every problem with its path; values of secrets are not
 * quoted.
 */
export class ConfigError extends Schema.TaggedError<ConfigError>("@fiscal-connector/core/unstable/gateway/ConfigError")(
  "ConfigError",
  { account: Schema.String, problems: Schema.Array(ConfigProblem) }
) {
  override get message() {
    return `account ${this.account}: ${this.problems.map(({ path, message }) => `${path}: ${message}`).join("; ")}`
  }
}

const decode = Schema.decodeUnknownResult(GatewaySettings, { errors: "all", onExcessProperty: "error" })
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * A shorter secret is guessed quickly, and cannot be distinguished from a word if a gateway echoes
 * it.
 */
const shortestSecret = 8

const secretProblems = ({ apiKey, formerSecrets = [], secret }: GatewaySecrets): ReadonlyArray<ConfigProblem> => [
  ...(headerValue.test(Redacted.value(apiKey)) ? [] : [{ path: "apiKey", message: `expected ${headerExpected}` }]),
  ...[secret, ...formerSecrets].flatMap((each, index) =>
    each === undefined || /^\S(?=.{7})(.*\S)$/s.test(Redacted.value(each))
      ? []
      : [
          {
            path: index === 0 ? "secret" : `formerSecrets.${index - 1}`,
            message: `expected at least ${shortestSecret} characters, no white space at either end: a shorter text is a word, and cannot be kept out of messages`
          }
        ]
  )
]

const clearTextProblems = ({ assumptions, baseUrl }: GatewayConfig): ReadonlyArray<ConfigProblem> => {
  const url = URL.parse(baseUrl)
  const exposed = url?.protocol === "http:" && !isLoopback(url.hostname) && assumptions?.["AUTH-7"] !== "http-too"
  const message = "expected https: http is for loopback only, since the key travels in every request (AUTH-7)"
  return exposed ? [{ path: "baseUrl", message }] : []
}

/** Fills in the defaults and checks everything. The failure lists all problems. */
export const withDefaults = (config: GatewayConfig): Result.Result<SettledConfig, ConfigError> => {
  const { apiKey, formerSecrets, secret, ...written } = config
  const settings = decode(written)
  const issues = Result.isFailure(settings) ? issuesOf(settings.failure.issue).issues : []
  const problems = [
    ...issues.map(({ message, path = [] }) => ({ path: path.map(String).join("."), message })),
    ...clearTextProblems(config),
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
