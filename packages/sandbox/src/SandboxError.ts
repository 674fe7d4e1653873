import * as Schema from "effect/Schema"

/**
 * The configuration, a fault or a setting is not valid; one text line per problem, each with its
 * path.
 */
export class Invalid extends Schema.TaggedError<Invalid>("@fiscal-connector/sandbox/Invalid")("Invalid", {
  problems: Schema.Array(Schema.String)
}) {}

/** The port could not be opened. */
export class NotListening extends Schema.TaggedError<NotListening>("@fiscal-connector/sandbox/NotListening")(
  "NotListening",
  { host: Schema.String, port: Schema.Int, cause: Schema.Defect() }
) {}

/** The state file cannot be read or written, or does not belong to the configuration. */
export class StateUnusable extends Schema.TaggedError<StateUnusable>("@fiscal-connector/sandbox/StateUnusable")(
  "StateUnusable",
  { file: Schema.String, problem: Schema.String }
) {}

/** Error of the sandbox; `reason` is the specific error. */
export class SandboxError extends Schema.TaggedError<SandboxError>("@fiscal-connector/sandbox/SandboxError")(
  "SandboxError",
  { reason: Schema.Union([Invalid, NotListening, StateUnusable]) }
) {
  override get message(): string {
    switch (this.reason._tag) {
      case "Invalid":
        return `the sandbox does not take this:\n${this.reason.problems.map((problem) => `  ${problem}`).join("\n")}`
      case "NotListening":
        return `the sandbox cannot listen on ${this.reason.host}:${this.reason.port}; another program may use the port: end that one, or take another port, 0 for a free one`
      case "StateUnusable":
        return `the sandbox cannot keep its state in ${this.reason.file}: ${this.reason.problem}`
    }
  }
}
