/** What is known of one exchange with the gateway, whatever came of it: kept with the attempt, and carried by the error. */
import { Context, Schema } from "effect"

/**
 * How far an exchange got. `not-sent`: no byte was given to a socket; `sent`: some may have been; `answered-in-part`: a status came, its body
 * not to the last byte; `answered`: a complete answer came.
 */
export const stages = ["not-sent", "sent", "answered-in-part", "answered"] as const
export type Stage = (typeof stages)[number]

/**
 * The facts of one exchange. `status`: the answer's, also of one that came in part; null where none came. `code`: the transport's word for
 * what broke (`ECONNRESET`, a TLS code), or `TIMEOUT` where we gave up; null where nothing did. `millis`: from the start to the last byte
 * or to the failure.
 */
export const Exchanged = Schema.Struct({
  stage: Schema.Literals(stages),
  status: Schema.NullOr(Schema.Int),
  code: Schema.NullOr(Schema.String),
  millis: Schema.Int
})
export interface Exchanged extends Schema.Schema.Type<typeof Exchanged> {}

/** Where an exchange leaves its facts, for whoever needs them of a success or of a call that was broken off, too. */
export interface Kept {
  facts: Exchanged | undefined
}

/** The place of the current fiber's next call; undefined where nobody asks. Of calls side by side each needs its own. */
export const Kept = Context.Reference<Kept | undefined>("@fiscal-connector/core/unstable/gateway/contract/Exchanged", {
  defaultValue: () => undefined
})
