/** Each reason has a code (LiveSourceFinding); none quotes the source's response. */
import { DateTime, type Option, Schema } from "effect"
import * as Finding from "../finding/Finding.ts"
import { LiveSourceFinding } from "./LiveSourceFinding.ts"

const reason = <Tag extends string, Fields extends Schema.Struct.Fields>(tag: Tag, fields: Fields) =>
  Schema.TaggedStruct(tag, fields)

/** Every reason why a source could not be read. */
export const LiveSourceReason = Schema.Union([
  /** `invalid_grant`, or a missing refresh token. */
  reason("LoginEnded", { text: Schema.String }),
  /**
   * `retryAt`: milliseconds since the epoch, by this machine's clock. `limit`: name of the rate
   * limit, as the source spells it.
   */
  reason("Limited", { limit: Schema.String, retryAt: Schema.Int }),
  reason("Unreached", { text: Schema.String }),
  /** `cause`: error code of the transport. */
  reason("Certificate", { cause: Schema.String }),
  reason("AnswerUnreadable", { text: Schema.String }),
  reason("Refused", { status: Schema.Int }),
  /** `other`: the source of this store that has taken the listed documents. */
  reason("OtherTenant", { text: Schema.String, other: Schema.optionalKey(Schema.String) }),
  reason("AccountChanged", { was: Schema.String, is: Schema.String }),
  reason("ClockOff", { aheadSeconds: Schema.Int }),
  reason("TokenUnusable", { text: Schema.String })
])
export type LiveSourceReason = typeof LiveSourceReason.Type

/** The source could not be read, and no data was taken. */
export class LiveSourceError extends Schema.TaggedError<LiveSourceError>(
  "@fiscal-connector/core/source/LiveSourceError"
)("LiveSourceError", {
  source: Schema.String,
  operation: Schema.String,
  reason: LiveSourceReason
}) {
  override get message() {
    return `${this.source}, ${this.operation}: ${reasonText(this.reason)}`
  }
}

/** Returns the value as a LiveSourceError by its tag and fields, like `adapterErrorOf`. */
export const liveSourceErrorOf: (value: unknown) => Option.Option<LiveSourceError> =
  Schema.decodeUnknownOption(LiveSourceError)

const reasonText = (reason: LiveSourceReason): string => {
  switch (reason._tag) {
    case "LoginEnded":
      return `the login has ended (${reason.text})`
    case "Limited":
      return `the source wants fewer requests (limit: ${reason.limit}); next try at ${DateTime.formatIso(DateTime.makeUnsafe(reason.retryAt))}`
    case "Unreached":
      return `no answer (${reason.text})`
    case "Certificate":
      return `its certificate ${reason.cause === "CERT_HAS_EXPIRED" ? "has expired" : "is not trusted"} (${reason.cause})`
    case "AnswerUnreadable":
      return reason.text
    case "Refused":
      return `the source refused the request (${reason.status})`
    case "OtherTenant":
      return reason.text
    case "AccountChanged":
      return `its documents were sent for the account ${reason.was}, and the configuration says ${reason.is}`
    case "ClockOff":
      return `this machine's clock is ${Math.abs(reason.aheadSeconds)} s ${reason.aheadSeconds > 0 ? "ahead of" : "behind"} the source's`
    case "TokenUnusable":
      return reason.text
  }
}

const codes = {
  LoginEnded: LiveSourceFinding.SOURCE_LOGIN_ENDED,
  Limited: LiveSourceFinding.SOURCE_LIMITED,
  Unreached: LiveSourceFinding.SOURCE_UNREACHED,
  Certificate: LiveSourceFinding.SOURCE_CERTIFICATE,
  AnswerUnreadable: LiveSourceFinding.SOURCE_ANSWER_UNREADABLE,
  Refused: LiveSourceFinding.SOURCE_REFUSED,
  OtherTenant: LiveSourceFinding.SOURCE_OTHER_TENANT,
  AccountChanged: LiveSourceFinding.SOURCE_ACCOUNT_CHANGED,
  ClockOff: LiveSourceFinding.SOURCE_CLOCK,
  TokenUnusable: LiveSourceFinding.SOURCE_TOKEN_UNUSABLE
} as const

const steps: { readonly [Reason in LiveSourceReason["_tag"]]?: "source-login" | "forget-source" } = {
  LoginEnded: "source-login",
  OtherTenant: "forget-source"
}

/** Returns the finding for the operator: the code of the reason, with the failed operation. */
export const finding = (error: LiveSourceError): Finding.Finding => {
  const step = steps[error.reason._tag]
  const other = error.reason._tag === "OtherTenant" ? error.reason.other : undefined
  return Finding.make(codes[error.reason._tag], {
    message: error.message,
    ...(step !== undefined && { steps: [{ do: step, source: other ?? error.source }] })
  })
}
