/** Reads the file of `connector sandbox --config FILE`. */
import { type Finding, Provenance } from "@fiscal-connector/core/adapter"
import { TextFile } from "@fiscal-connector/core/host"
import { BookText } from "@fiscal-connector/core/host/import"
import * as SandboxConfig from "@fiscal-connector/sandbox/SandboxConfig"
import { Effect, Path, Result, Schema, SchemaIssue } from "effect"
import { systemText } from "../output/SystemText.ts"
import { notDone } from "../output/ExitError.ts"

const decode = Schema.decodeUnknownResult(SandboxConfig.SandboxConfig, { errors: "all", onExcessProperty: "error" })
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * Loads the file. Resolves a state file relative to the configuration file. Fails with ExitError
 * and every problem of the file.
 */
export const load = Effect.fnUntraced(function* (file: string) {
  const path = yield* Path.Path
  const quit = (problems: ReadonlyArray<string>) =>
    notDone(`The sandbox's configuration ${file} cannot be used:\n  ${problems.join("\n  ")}`)
  const written = yield* Effect.mapError(TextFile.read(file), (error) => quit([systemText(error)]))
  const located = (at: Provenance.Provenance | undefined, message: string) =>
    at === undefined ? message : `${Provenance.format(at)}  ${message}`
  const text = yield* Effect.mapError(Effect.fromResult(BookText.read(file, written)), (findings) =>
    quit(findings.map(({ at, message }) => located(at, message)))
  )
  const config = decode(text.value)
  const issues = Result.isFailure(config) ? issuesOf(config.failure.issue).issues : []
  const problems = [
    ...text.repeated.map(({ at, message }) => located(at, message)),
    ...issues.map(({ message, path = [] }) => {
      const keys: Finding.Path = path.map((key) => (typeof key === "number" ? key : String(key)))
      return located(text.locate(keys), `${keys.join(".") || "the file"}: ${message}`)
    })
  ]
  if (problems.length > 0) return yield* quit(problems)
  const input = text.value as SandboxConfig.Input
  if (input.stateFile === undefined) return input
  return { ...input, stateFile: path.resolve(path.dirname(file), input.stateFile) }
})
