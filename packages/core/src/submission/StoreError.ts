/** The submission store could not do its work. */
import { Schema } from "effect"

export class StoreError extends Schema.TaggedError<StoreError>("@fiscal-connector/core/submission/StoreError")(
  "StoreError",
  {
    operation: Schema.String,
    reason: Schema.Literals(["unavailable", "corrupt", "foreign", "newer-version", "moved", "conflict"]),
    problem: Schema.String
  }
) {
  override get message() {
    return `the store, ${this.operation}: ${this.problem}`
  }
}
