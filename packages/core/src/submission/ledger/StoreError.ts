import { type DateTime, type Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { problemOf, staging } from "./StoreProblem.ts"

/** Error of the submission store. `reason` is the kind of failure. */
export class StoreError extends Schema.TaggedError<StoreError>("@fiscal-connector/core/ledger/StoreError")(
  "StoreError",
  {
    operation: Schema.String,
    reason: Schema.Literals([
      "unavailable",
      "denied",
      "corrupt",
      "foreign",
      "newer-version",
      "moved",
      "replaced",
      "stopped",
      "conflict"
    ]),
    text: Schema.String
  }
) {
  override get message() {
    switch (this.operation) {
      case "open":
        return `The store cannot be opened: ${this.text}`
      case "copy":
        return `Nothing was copied: ${this.text}`
      case staging:
        return `Nothing was sent. Documents wait in a temporary file while an export is planned, and it failed: ${this.text}. TMPDIR names another folder for temporary files`
      default:
        return `The store could not do its work (${this.operation}): ${this.text}`
    }
  }
}

/** Writes of this process that the store does not take, although it may still be readable. */
export interface WriteFailure {
  readonly since: DateTime.Utc
  readonly text: string
}

/** An operation of the store. */
export type StoreEffect<A> = Effect.Effect<A, StoreError>

/** Instructions for an operator with an unreadable store. */
export const damaged =
  "Send nothing more from it and keep the file as it is; put the last backup of it back, and look at the gateway before anything is sent from a copy (STORE_CORRUPT)"

const other = `it is not a database. If another file was intended, name it; if it is the store, it is damaged. ${damaged}`

const describe = (error: SqlError): Pick<StoreError, "reason" | "text"> => {
  const { reason } = error
  switch (reason._tag) {
    case "UniqueViolation":
    case "ConstraintError":
      return { reason: "conflict", text: "two writers planned the same at once; try again" }
    case "LockTimeoutError":
    case "DeadlockError":
    case "SerializationError":
      return { reason: "unavailable", text: "another process keeps it locked; try again" }
    case "AuthenticationError":
    case "AuthorizationError":
      return {
        reason: "denied",
        text: `the database refuses this user or this password (${problemOf(reason.cause instanceof Error ? reason.cause : error)})`
      }
    default: {
      const { cause } = reason
      const detail = cause instanceof Error ? cause.message : error.message
      const isCorrupt = /not a database|malformed|corrupt/i.test(detail)
      return isCorrupt
        ? { reason: "corrupt", text: `${/not a database/i.test(detail) ? other : `${detail}. ${damaged}`}` }
        : { reason: "unavailable", text: problemOf(cause instanceof Error ? cause : error) }
    }
  }
}

/**
 * A code that is glued to letters or digits, also by `-`, `_`, `/`, `.` or `#`, is a part of a
 * name. A code beside one of these marks is not returned either, except before a stop.
 */
export const storeError =
  (operation: string) =>
  (error: SqlError | StoreError): StoreError =>
    error._tag === "StoreError" ? error : new StoreError({ operation, ...describe(error) })
