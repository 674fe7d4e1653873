/**
 * The configuration file: accounts as JSON with comments. Secrets come from the environment or from files of their own, never from this file;
 * what the environment says goes before what the file says.
 */
import { Data, Effect, FileSystem, Option, Path, Result, Schema, SchemaIssue } from "effect"
import * as Finding from "../finding/Finding.ts"
import * as BookText from "../mapping/BookText.ts"
import * as AccountConfig from "./AccountConfig.ts"
import { ConfigFinding } from "./ConfigFinding.ts"
import * as ConfigVariables from "./ConfigVariables.ts"

/** The file could not be read as a configuration at all. */
export class ConfigFileError extends Data.TaggedError("ConfigFileError")<{
  readonly file: string
  readonly findings: ReadonlyArray<Finding.Finding>
}> {
  override get message() {
    return `${this.file}: ${this.findings.length} problem(s) in the configuration`
  }
}
