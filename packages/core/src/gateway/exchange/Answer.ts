/** A complete answer of the gateway: status, headers, and the body to its last byte. */
import { type Duration, Result } from "effect"
import * as Headers from "effect/http/Headers"
import * as AnswerText from "./AnswerText.ts"
import type { AssumptionSwitches } from "../contract/AssumptionSwitches.ts"
import type { Redaction } from "./Redaction.ts"
import { certainlyNotProcessed } from "../contract/CertainlyNotProcessed.ts"
import * as GatewayError from "../contract/GatewayError.ts"
import { isSubmission, type GatewayOperation } from "../contract/Operation.ts"

export interface GatewayAnswer {
  readonly status: number
  readonly headers: Headers.Headers
  readonly body: Uint8Array
  /** Time at which the answer was complete, in milliseconds since the epoch. */
  readonly receivedAt: number
  readonly redaction: Redaction
}

const decoder = new TextDecoder()

export const text = (answer: GatewayAnswer): string => decoder.decode(answer.body)

/** Returns the first 200 characters of the body, fit to show. */
export const excerpt = (answer: GatewayAnswer): string =>
  AnswerText.oneLine(answer.redaction.text(decoder.decode(answer.body.subarray(0, 4096))), 200)

const page = /^<(!doctype html|html|head|body|title|h1|center)\b/i

const form = (text: string): string => {
  if (text === "") return "an empty body"
  if (text.startsWith("<")) return page.test(text) ? "an HTML page" : "markup"
  if (/^[{[]/.test(text)) return "JSON"
  return text.includes("\0") || text.includes("\ufffd") ? "bytes that are no text" : "text"
}

export const shown = (answer: GatewayAnswer): string => {
  const text = answer.redaction.text(decoder.decode(answer.body.subarray(0, 65_536))).trim()
  const reason = AnswerText.oneLine(AnswerText.fromErrorBody(text), 300)
  return reason === "" ? form(text) : `${form(text)}: ${reason}`
}

export const isSuccess = (answer: GatewayAnswer): boolean => answer.status >= 200 && answer.status < 300

const retryAfter = ({ headers, receivedAt }: GatewayAnswer): { readonly retryAfter?: Duration.Duration } => {
  const hint = headers["retry-after"]
  const parsed = hint === undefined ? undefined : Result.getOrUndefined(Headers.parseRetryAfter(hint))
  return parsed === undefined ? {} : { retryAfter: Headers.retryAfterDelay(parsed, receivedAt) }
}

type ListedStatus = Extract<(typeof certainlyNotProcessed)[number], { readonly when: "answered" }>["status"]

const listed: ReadonlySet<number> = new Set(
  certainlyNotProcessed.flatMap((entry) => (entry.when === "answered" ? [entry.status] : []))
)

const isListed = (status: number): status is ListedStatus => listed.has(status)

/**
 * Returns the error reason for an answer other than 2xx. A write that was not certainly refused has
 * an unknown outcome. LIM-1 decides whether a listed status of a submission counts as refused.
 */
export const refusal = (
  operation: GatewayOperation,
  answer: GatewayAnswer,
  switches: Pick<AssumptionSwitches, "LIM-1">
): GatewayError.GatewayErrorReason => {
  const { status } = answer
  const mayBeTaken = isSubmission(operation) && switches["LIM-1"] === "unknown"
  if (mayBeTaken || !isListed(status)) {
    const redirect = status < 400 ? "a redirect, which is not followed" : undefined
    return operation.effect === "write"
      ? new GatewayError.UnknownOutcome({ status, text: redirect ?? shown(answer) })
      : new GatewayError.Unavailable({ status, text: redirect ?? reasonOf(answer), ...retryAfter(answer) })
  }
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return new GatewayError.Declined({ status, text: reasonOf(answer) })
    case 401:
    case 403:
      return new GatewayError.CredentialsRefused({ status, text: reasonOf(answer) })
    case 404:
      return new GatewayError.NotFound({ what: operation.notFound })
    case 405:
    case 411:
      return new GatewayError.Misdirected({ status })
    case 429:
      return new GatewayError.Limited(retryAfter(answer))
  }
}

const reasonOf = (answer: GatewayAnswer): string => {
  const reason = AnswerText.fromErrorBody(answer.redaction.text(decoder.decode(answer.body.subarray(0, 65_536))))
  return reason === "" ? "the gateway gave no reason" : reason
}
