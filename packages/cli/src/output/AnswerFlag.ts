/**
 * Shows an answer to an open question of an export in the command's form: a flag, or an entry of
 * the column map.
 */
import type { Answer } from "@fiscal-connector/core/finding/Answer"
import { shellText, placeholders, quoted } from "./Call.ts"

/** Returns the name of a setting's flag; for a setting of several values in the singular. */
export const flagNameOf = (setting: string): string =>
  setting
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replaceAll("_", "-")
    .replace(/(prefix|status)es$/, "$1")

const flag = (setting: string): string => `--${flagNameOf(setting)}`

/** Settings with a flag for pairs, as `--status PAID=issued`. */
const pairs: ReadonlySet<string> = new Set(["statuses", "contents", "titles"])

/** Returns the answer as arguments of a call. Empty if the answer belongs in the column map. */
export const argsOf = (answer: Answer): ReadonlyArray<string> => {
  if ("settings" in answer)
    return Object.entries(answer.settings).flatMap(([setting, value]) =>
      pairs.has(setting)
        ? Object.entries(value ?? {}).flatMap(([name, meaning]) => [flag(setting), `${name}=${meaning}`])
        : typeof value === "object"
          ? []
          : [flag(setting), String(value)]
    )
  return "layout" in answer ? ["--layout", answer.layout] : []
}

/**
 * Returns the answer as the user types it: `--dates dmy`, `--currency CODE`, or the text for the
 * column map. `file`: the export concerned. `format`: format for the command.
 */
export const flagOf = (answer: Answer, file: string = "FILE", format = "csv"): string => {
  const args = argsOf(answer)
  if (args.length > 0) return args.map((arg) => quoted(arg)).join(" ")
  if ("settings" in answer)
    return Object.entries(answer.settings)
      .map(([key, value]) => inMap({ [key]: value }))
      .join(" ")
  if ("columns" in answer) return inMap(...answer.columns)
  if ("layout" in answer) return ""
  if ("map" in answer) return inMap(answer.map)
  const asked = flag(answer.ask)
  const asking = file === "-" ? "" : `${shellText(["start", file])} asks for the columns; `
  const proposal = answer.ask === "columns" ? ` (${asking}${shellText(["columns", format, file])} proposes one)` : ""
  return `${asked} ${placeholders[asked.slice(2)] ?? answer.ask.toUpperCase()}${proposal}`
}

const inMap = (...parts: ReadonlyArray<object>): string =>
  `${parts.map((part) => JSON.stringify(part)).join(", ")} in the column map (--columns FILE)`
