import { Context, Schema } from "effect"

/**
 * Progress of an exchange. `not-sent`: no byte was given to a socket. `sent`: some bytes may have
 * been sent. `answered-in-part`: a status came, but not the complete body. `answered`: a complete
 * answer came.
 */
export const stages = ["not-sent", "sent", "answered-in-part", "answered"] as const
export type ExchangeStage = (typeof stages)[number]

/**
 * Facts of one exchange. `status` is the answer's status, also if the answer came in part; null if
 * no answer came. `code` is the transport's error code (`ECONNRESET`, a TLS code), or `TIMEOUT` if
 * we gave up; null if nothing failed. `millis` is the time from the start to the last byte or to
 * the failure.
 */
export const ExchangeFacts = Schema.Struct({
  stage: Schema.Literals(stages),
  status: Schema.NullOr(Schema.Int),
  code: Schema.NullOr(Schema.String),
  millis: Schema.Int
})
export interface ExchangeFacts extends Schema.Schema.Type<typeof ExchangeFacts> {}

export interface StoredFacts {
  facts: ExchangeFacts | undefined
}

/**
 * Holder for the current fiber's next call. Undefined if no caller asked for the facts. Parallel
 * calls each need a separate holder.
 */
export const StoredFacts = Context.Reference<StoredFacts | undefined>(
  "@fiscal-connector/core/unstable/gateway/contract/ExchangeFacts",
  {
    defaultValue: () => undefined
  }
)
