/** The format of an export as a word of the call: found by the content of the file where the operator does not say it. */
import { Effect, FileSystem } from "effect"
import { plainFlags } from "../../output/Call.ts"

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

/** The arguments with the format in them. What says its format, asks for help or names no file stays as it is. */
export const found = (args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [command = "", ...rest] = args
    if (!commands.has(command) || words.has(rest[0] ?? "")) return args
    if (rest.some((arg) => /^--(adapter|help|completions)\b/.test(arg))) return args
    const fs = yield* FileSystem.FileSystem
    const [file] = operands(rest)
    if (file === undefined || !(yield* Effect.orElseSucceed(fs.exists(file), () => false))) return args
    const ExportFormat = yield* Effect.promise(() => import("./ExportFormat.ts"))
    const { name } = yield* Effect.scoped(ExportFormat.formatOf(file))
    return [command, name, ...rest]
  })
