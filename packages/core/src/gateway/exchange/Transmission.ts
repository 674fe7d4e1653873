/**
 * Distinguishes "certainly not sent" from "may have been processed". A failed submission counts as
 * not sent only with an HttpClient that keeps this record (core/node's does).
 */
import { type Clock, Context } from "effect"
import type { ExchangeStage } from "../contract/ExchangeFacts.ts"
import type { NotSent } from "../contract/GatewayError.ts"
import { type Deadline, isPast, never } from "../contract/SendDeadline.ts"

/**
 * Record written by the HttpClient and read after a failure or timeout. `untracked`: the client
 * does not keep the record. `waiting`: no byte was given to a socket. `handed-over`: some bytes may
 * have been given to a socket, irrevocably. `answering`: the head of the answer came. `answered`:
 * the whole answer came.
 */
export interface Transmission {
  stage: "untracked" | "waiting" | "handed-over" | "answering" | "answered"
  status: number | null
  /**
   * End of the server certificate's validity, if the connection failed because of the certificate.
   * Null if there was another cause, or if the certificate could not be read.
   */
  certificateEnd: string | null
  readonly handOverBy: Deadline
}

export const make = (handOverBy = never): Transmission => ({
  stage: "untracked",
  status: null,
  certificateEnd: null,
  handOverBy
})

export const isTooLate = ({ handOverBy }: Transmission, clock: Clock.Clock): boolean => isPast(handOverBy, clock)

/** Record of the request that the current fiber sends. Undefined if no caller needs the record. */
export const Transmission = Context.Reference<Transmission | undefined>(
  "@fiscal-connector/core/unstable/gateway/exchange/Transmission",
  {
    defaultValue: () => undefined
  }
)

export const stageOf = ({ stage }: Transmission): ExchangeStage => {
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

const isOfProxy = (cause: unknown): boolean => cause instanceof Error && cause.message.startsWith("Proxy response")

/** Returns why a request that was never handed over failed, from the transport's error code. */
export const whyNotSent = (cause: unknown): NotSent["cause"] => {
  const code = codeOf(cause)
  if (unresolved.has(code)) return "name-not-resolved"
  if (tls.test(code) || (cause instanceof Error && cause.message.includes("secure TLS connection")))
    return "tls-failure"
  return ours.has(code) && !isOfProxy(cause) ? "aborted-before-sending" : "not-connected"
}

const plain = /^\w{1,60}$/

/**
 * Returns the transport's error code (`ECONNREFUSED`), also from a cause of the cause, else the
 * error's name. Never returns the error's text, which may quote the request.
 */
export const codeOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "unknown"
  for (let each: unknown = cause, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    if ("code" in each && typeof each.code === "string" && plain.test(each.code)) return each.code
  }
  return plain.test(cause.name) ? cause.name : "unknown"
}
