/** Sends what the lanes have to send: one request in flight per lane, lanes side by side. */
import { Context, type Duration, type Effect, Schema } from "effect"
import type { LaneStop, LaneWait } from "./Lane.ts"
import type { StoreError } from "./StoreError.ts"
import type { SubmittingAccount } from "./SubmittingAccount.ts"
import type { DateTime } from "effect"

/** The options do not fit together; nothing was started. */
export class SubmitterConfigError extends Schema.TaggedError<SubmitterConfigError>(
  "@fiscal-connector/core/submission/SubmitterConfigError"
)("SubmitterConfigError", { problem: Schema.String }) {
  override get message() {
    return this.problem
  }
}

export interface SubmitterOptions {
  /** How long a lane belongs to its holder without a sign of life. Longer than `longestRequest`. Default 2 minutes. */
  readonly lease?: Duration.Input
  /** No submission takes longer; the client's own timeout is shorter. Default 75 s. */
  readonly longestRequest?: Duration.Input
  /** Under `resend-flagged`: how long an Unknown is left alone. Longer than lease + longestRequest. Default both and a minute. */
  readonly quietPeriod?: Duration.Input
  /** The back-off of a stopped lane: doubles from `first` to `longest`, full jitter. Default 1 s and 10 minutes. */
  readonly backOff?: { readonly first: Duration.Input; readonly longest: Duration.Input }
  /** How far a receipt date may lie ahead of the clock (RCPT031). Default 0. */
  readonly skew?: Duration.Input
  /** How many lanes send at once. Default 16. */
  readonly lanes?: number
  /** Who claims lanes: unique per process, and how to tell that another such process is gone (see node/SqliteHolder). Default a random name, never. */
  readonly holder?: { readonly name: string; readonly presumedDead: (name: string) => boolean }
}

/** How a lane was left. */
export type LaneEnd =
  | { readonly _tag: "Drained" }
  | { readonly _tag: "Waiting"; readonly wait: LaneWait }
  | { readonly _tag: "Stopped"; readonly stop: LaneStop }
  /** Another worker has the lane. */
  | { readonly _tag: "Busy"; readonly holder: string; readonly until: DateTime.Utc }

export interface LaneReport {
  readonly lane: string
  /** Attempts made in this run. */
  readonly attempts: number
  readonly end: LaneEnd
}

export interface SubmitterShape {
  /**
   * Sends everything that can be sent now in the lanes of these accounts, and says how each lane was left. Unknown outcomes are looked at
   * first. A stopped lane whose back-off is over is probed with a harmless GET. May be called at any time, by any number of workers.
   */
  drain(accounts: ReadonlyArray<SubmittingAccount>): Effect.Effect<ReadonlyArray<LaneReport>, StoreError | SubmitterConfigError>
}

export class Submitter extends Context.Service<Submitter, SubmitterShape>()("@fiscal-connector/core/submission/Submitter") {}
