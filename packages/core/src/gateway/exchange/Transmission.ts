/**
 * How far a request got on its way out: what tells "certainly not sent" from "may have been processed".
 * Only an HttpClient that keeps this record (core/node's does) lets a failed submission be called not sent.
 */
import { type Clock, Context } from "effect"
import type { Stage } from "../contract/Exchanged.ts"
import type { NotSent } from "../contract/GatewayError.ts"
import { type Deadline, isPast, never } from "../contract/HandOverBy.ts"

/**
 * Written by the HttpClient, read when a request failed or was timed out.
 * `untracked`: the client does not say; `waiting`: no byte has been given to a socket; `handed-over`: some may have been, for good;
 * `answering`: the answer's head came; `answered`: all of it did.
 */
export interface Transmission {
  stage: "untracked" | "waiting" | "handed-over" | "answering" | "answered"
  /** Of the answer whose head came. */
  status: number | null
  /** When the certificate of the server ended, where the connection failed for it; null where it did not, or nobody could look. */
  certificateEnd: string | null
  /** Until when it may be handed over (contract/HandOverBy). */
  readonly handOverBy: Deadline
}

export const make = (handOverBy = never): Transmission => ({
  stage: "untracked",
  status: null,
  certificateEnd: null,
  handOverBy
})

/** Whether it must not be handed over any more. */
export const isTooLate = ({ handOverBy }: Transmission, clock: Clock.Clock): boolean => isPast(handOverBy, clock)

/** The record of the request that the current fiber sends; undefined where nobody asks. */
export const Transmission = Context.Reference<Transmission | undefined>(
  "@fiscal-connector/core/unstable/gateway/exchange/Transmission",
  {
    defaultValue: () => undefined
  }
)

/** How far the exchange got that such a request was made for. */
export const stageOf = ({ stage }: Transmission): Stage => {
  switch (stage) {
    case "waiting":
      return "not-sent"
    case "untracked":
    case "handed-over":
      return "sent"
    case "answering":
      return "answered-in-part"
    case "answered":
      return "answered"
  }
}

const unresolved = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "EAI_NODATA", "EAI_NONAME", "ENODATA"])

const tls = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO_SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/

const ours = new Set(["UND_ERR_ABORTED", "UND_ERR_INVALID_ARG", "UND_ERR_DESTROYED", "UND_ERR_CLOSED"])

/** A proxy that answers CONNECT with a no. */
const isOfProxy = (cause: unknown): boolean => cause instanceof Error && cause.message.startsWith("Proxy response")

/** Names why a request that was never handed over failed, from the transport's error code. */
export const whyNotSent = (cause: unknown): NotSent["cause"] => {
  const code = codeOf(cause)
  if (unresolved.has(code)) return "name-not-resolved"
  if (tls.test(code) || (cause instanceof Error && cause.message.includes("secure TLS connection")))
    return "tls-failure"
  return ours.has(code) && !isOfProxy(cause) ? "aborted-before-sending" : "not-connected"
}

const word = /^\w{1,60}$/

/** The transport's error code (`ECONNREFUSED`), which may stand in a cause of the cause, else the error's name; never its text, which may quote what was sent. */
export const codeOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "unknown"
  for (let each: unknown = cause, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    if ("code" in each && typeof each.code === "string" && word.test(each.code)) return each.code
  }
  return word.test(cause.name) ? cause.name : "unknown"
}
