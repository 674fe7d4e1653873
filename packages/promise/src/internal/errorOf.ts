import type { ConfigFile, Connector, Session, StopReason } from "@fiscal-connector/core/session"
import type { Submitter } from "@fiscal-connector/core/worker"
import type { GatewayConfig, GatewayError } from "@fiscal-connector/core/gateway"
import type { StoreError } from "@fiscal-connector/core/store"
import type { BookFile } from "@fiscal-connector/core/book"
import { Data, Duration, Effect, Redacted } from "effect"
import { type ErrorCode, FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { Problem } from "../Problem.ts"
import { problemOf } from "./problemOf.ts"

/** An exception of the caller's own code, rethrown as it is. The text may name a buyer. */
export class CallerThrew extends Data.TaggedError("CallerThrew")<{ readonly thrown: Redacted.Redacted<unknown> }> {}

export const failing = (...given: ConstructorParameters<typeof FiscalConnectorError>) =>
  Effect.fail(new FiscalConnectorError(...given))

export type Failure =
  | StopReason.AccountStopped
  | BookFile.BookError
  | CallerThrew
  | GatewayConfig.ConfigError
  | ConfigFile.ConfigFileError
  | FiscalConnectorError
  | GatewayError.GatewayError
  | Session.ImportRefused
  | Connector.StillPending
  | StoreError.StoreError
  | Submitter.SubmitterConfigError

/** Returns the value to throw: the package's error, or the caller's own exception. */
export const thrownOf = (failure: Failure): unknown =>
  failure instanceof CallerThrew ? Redacted.value(failure.thrown) : errorOf(failure)

export const errorOf = (failure: Exclude<Failure, CallerThrew>): FiscalConnectorError => {
  if (!("_tag" in failure)) return failure
  const { message } = failure
  switch (failure._tag) {
    case "AccountStopped":
      return ofStop(failure)
    case "BookError":
      return new FiscalConnectorError("book_invalid", withFindings(message, failure.findings), {
        problems: failure.findings.map((finding) => problemOf(finding)),
        cause: failure
      })
    case "ConfigFileError":
      return new FiscalConnectorError("config_invalid", message, {
        problems: failure.findings.map((finding) => problemOf(finding)),
        cause: failure
      })
    case "ConfigError":
    case "SubmitterConfigError":
      return new FiscalConnectorError("config_invalid", message, { cause: failure })
    case "GatewayError":
      return ofGateway(failure)
    case "ImportRefused":
      return new FiscalConnectorError(refusals[failure.reason._tag], message, { cause: failure })
    case "StillPending":
      return new FiscalConnectorError("pending", message, { retryable: true, cause: failure })
    case "StoreError":
      return ofStore(failure)
  }
}

/**
 * Returns the refusal to send a plan, with the problems of all refused documents. The documents
 * that would become late are among them.
 */
export const refusedBecauseOf = (
  failure: Session.ImportRefused,
  problems: ReadonlyArray<Problem>
): FiscalConnectorError => {
  const error = errorOf(failure)
  if (failure.reason._tag !== "WouldBecomeLate") return error
  return new FiscalConnectorError(
    error.code,
    `${error.message}. Correct the refused documents (problems)${failure.reason.stops === "any" ? ', or send the rest: whenLate: "send-rest"' : ""}`,
    {
      problems,
      cause: failure
    }
  )
}

export const internal = (cause: unknown): FiscalConnectorError =>
  new FiscalConnectorError(
    "internal",
    `something went wrong that should not: ${cause instanceof Error ? cause.message : String(cause)}. Nothing is sent twice by trying again.`,
    { cause }
  )

const withFindings = (message: string, findings: ReadonlyArray<{ readonly message: string }>): string =>
  `${message}: ${findings.map((finding) => finding.message).join("; ")}`

const refusals = {
  HistoricalRefused: "historical_refused",
  MappingsDiffer: "mappings_differ",
  OtherDestination: "device_changed",
  WouldBecomeLate: "would_become_late"
} as const satisfies Record<Session.ImportRefused["reason"]["_tag"], ErrorCode>

const ofStore = (failure: StoreError.StoreError): FiscalConnectorError => {
  const { message, reason } = failure
  switch (reason) {
    case "unavailable":
    case "conflict":
      return new FiscalConnectorError("store_unavailable", message, { retryable: true, cause: failure })
    case "corrupt":
      return new FiscalConnectorError("store_corrupt", message, { cause: failure })
    case "stopped":
      return new FiscalConnectorError("store_older", message, { cause: failure })
    case "denied":
    case "foreign":
    case "moved":
    case "replaced":
    case "newer-version":
      return new FiscalConnectorError("store_unusable", message, { cause: failure })
  }
}

const ofGateway = (failure: GatewayError.GatewayError): FiscalConnectorError => {
  const { message, reason } = failure
  const error = (code: ErrorCode, retryable: boolean, retryAfter?: Duration.Duration) =>
    new FiscalConnectorError(code, message, {
      retryable,
      retryAfterMs: retryAfter && Duration.toMillis(retryAfter),
      cause: failure
    })
  switch (reason._tag) {
    case "CredentialsRefused":
      return error("credentials_refused", false)
    case "Limited":
      return error("gateway_limited", true, reason.retryAfter)
    case "NotSent":
    case "UnknownOutcome":
      return error("gateway_unreachable", true)
    case "Unavailable":
      return error("gateway_unreachable", true, reason.retryAfter)
    case "NotFound":
      return error(
        reason.what === "pdf" ? "not_found" : reason.what === "device" ? "device_refuses" : "gateway_refused",
        false
      )
    case "Declined":
    case "MalformedAnswer":
    case "Misdirected":
      return error("gateway_refused", false)
  }
}

const codeOf = (reason: StopReason.StopReason): ErrorCode => {
  switch (reason._tag) {
    case "Unasked":
    case "DeviceMissing":
      return ofGateway(reason.error).code
    case "DeviceRefuses":
      return "device_refuses"
    case "DeviceChanged":
      return "device_changed"
    case "OriginChanged":
    case "LiveExposed":
      return "config_invalid"
    case "LiveNotAllowed":
      return "live_not_allowed"
    case "FirstUse":
      return "first_use"
    case "StoreOlder":
    case "StoreUnproven":
    case "StoreBehind":
      return "store_older"
    case "StoreNotDurable":
      return "store_unusable"
    case "ClockWrong":
      return "clock_wrong"
  }
}

const ofStop = (failure: StopReason.AccountStopped): FiscalConnectorError => {
  const [first] = failure.reasons
  const asked = failure.reasons.find((reason) => reason._tag === "FirstUse")
  const unasked = first._tag === "Unasked" ? ofGateway(first.error) : undefined
  return new FiscalConnectorError(codeOf(first), failure.message, {
    retryable: unasked?.retryable ?? first._tag === "ClockWrong",
    retryAfterMs: unasked?.retryAfterMs,
    problems: failure.findings.map((finding) => problemOf(finding)),
    firstUse: asked?._tag === "FirstUse" ? asked.code : undefined,
    cause: failure
  })
}
