/** The format of an export as a word of the call: found by the content of the file where the operator does not say it. */
import { Effect, FileSystem, Result } from "effect"
import { line, plainFlags } from "../../output/Call.ts"
import { Quit } from "../../output/Quit.ts"
import { systemText } from "../../output/SystemText.ts"
import { printable } from "../../output/Terminal.ts"
import { nearest } from "../../why/Nearest.ts"

/** Commands that take a format. */
const commands: ReadonlySet<string> = new Set(["plan", "import", "columns"])
const words: ReadonlySet<string> = new Set(["csv", "xlsx", "xero-like", "quickbooks-like", "odoo-like", "erpnext-like"])

/** Arguments that are neither flags nor their values. */
const operands = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.filter((arg, i) => {
    const before = args[i - 1] ?? ""
    const isValue = /^--?[a-z]/i.test(before) && !before.includes("=") && !plainFlags.has(before)
    return !isValue && (arg === "-" || !arg.startsWith("-"))
  })

/** Ends the command: a word in the place of a format that is neither a format nor a file. */
const noFormat = (word: string, without: ReadonlyArray<string>) => {
  const [meant] = nearest(word, words)
  const text = [
    `${printable(word)} is not a format${meant === undefined ? "" : `; ${meant} is`}. Nothing was read.`,
    "Without the word the format is found by the content:",
    `  ${line(without)}`
  ].join("\n")
  return Effect.fail(new Quit({ code: 1, text }))
}

/** Ends the command: what comes in on standard input is read by a format that is named. */
const withoutName = (command: string) =>
  Effect.fail(
    new Quit({
      code: 1,
      text: `Standard input has no name: say by which format it is read, as\n  ${line([command, "csv", "-"])}`
    })
  )

/** The arguments with the format in them. What says its format, asks for help or names no file stays as it is. */
export const found = (args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [command = "", ...rest] = args
    if (!commands.has(command) || words.has(rest[0] ?? "")) return args
    if (rest.some((arg) => /^--(adapter|help|completions)\b/.test(arg))) return args
    const fs = yield* FileSystem.FileSystem
    const [file, ...others] = operands(rest)
    if (file === undefined) return args
    if (file === "-") return yield* withoutName(command)
    const found = yield* Effect.result(fs.stat(file))
    if (Result.isFailure(found)) {
      if (found.failure.reason._tag === "NotFound") {
        if (others.length > 0) return yield* noFormat(file, [command, ...rest.toSpliced(rest.indexOf(file), 1)])
        // a single word may be a mistyped format: the parser names those that are near
        if (!/[./\\]/.test(file)) return args
      }
      return yield* new Quit({ code: 1, text: systemText(found.failure, "read") })
    }
    const ExportFormat = yield* Effect.promise(() => import("./ExportFormat.ts"))
    const { name } = yield* Effect.scoped(ExportFormat.formatOf(file))
    return [command, name, ...rest]
  })
