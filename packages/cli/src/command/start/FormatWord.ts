/**
 * Adds the format of an export to the call's arguments, detected by content if the operator does
 * not name it.
 */
import { Effect, FileSystem, Result } from "effect"
import { names } from "../../format/Formats.ts"
import { shellText, plainFlags } from "../../output/Call.ts"
import { ExitError } from "../../output/ExitError.ts"
import { systemText } from "../../output/SystemText.ts"
import { printable } from "../../output/Terminal.ts"
import { nearest } from "../../why/Nearest.ts"

const commands: ReadonlySet<string> = new Set(["plan", "import", "columns", "reconcile"])

const operands = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.filter((arg, i) => {
    const before = args[i - 1] ?? ""
    const isValue = /^--?[a-z]/i.test(before) && !before.includes("=") && !plainFlags.has(before)
    return !isValue && (arg === "-" || !arg.startsWith("-"))
  })

const noFormat = (word: string, without: ReadonlyArray<string>) => {
  const [meant] = nearest(word, names)
  const text = [
    `${printable(word)} is not a format${meant === undefined ? "" : `; ${meant} is`}. Nothing was read.`,
    "Without the word the format is found by the content:",
    `  ${shellText(without)}`
  ].join("\n")
  return Effect.fail(new ExitError({ code: 1, text }))
}

const withoutName = (command: string) =>
  Effect.fail(
    new ExitError({
      code: 1,
      text: `Standard input has no name: say by which format it is read, as\n  ${shellText([command, "csv", "-"])}`
    })
  )

export const found = (args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [command = "", ...rest] = args
    if (!commands.has(command) || names.has(rest[0] ?? "") || rest[0] === "acknowledge") return args
    if (rest.some((arg) => /^--(adapter|help|completions)\b/.test(arg))) return args
    const fs = yield* FileSystem.FileSystem
    const [file, ...others] = operands(rest)
    if (file === undefined) return args
    if (file === "-") return yield* withoutName(command)
    const found = yield* Effect.result(fs.stat(file))
    if (Result.isFailure(found)) {
      if (found.failure.reason._tag === "NotFound") {
        if (others.length > 0) return yield* noFormat(file, [command, ...rest.toSpliced(rest.indexOf(file), 1)])
        // a single word may be a mistyped format: the parser suggests similar names
        if (!/[./\\]/.test(file)) return args
      }
      return yield* new ExitError({ code: 1, text: systemText(found.failure, "read") })
    }
    const ExportFormat = yield* Effect.promise(() => import("./ExportFormat.ts"))
    const { adapter } = yield* Effect.scoped(ExportFormat.formatOf(file))
    return [command, adapter.name, ...rest]
  })
