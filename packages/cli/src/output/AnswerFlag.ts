import type { Answer } from "@fiscal-connector/core/adapter"
import { shellText, placeholders, quoted } from "./Call.ts"

export const flagNameOf = (setting: string): string =>
  setting
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replaceAll("_", "-")
    .replace(/(prefix|status)es$/, "$1")

const flag = (setting: string): string => `--${flagNameOf(setting)}`

const pairs: ReadonlySet<string> = new Set(["statuses", "contents", "titles"])

export const argsOf = (answer: Answer.Answer): ReadonlyArray<string> => {
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
 * `--dates dmy`, `--currency CODE`, or the text for the column map. `file`: the export concerned.
 */
export const flagOf = (answer: Answer.Answer, file: string = "FILE", format = "csv"): string => {
  const args = argsOf(answer)
  if (args.length > 0) return args.map((arg) => quoted(arg)).join(" ")
  if ("settings" in answer)
    return Object.entries(answer.settings)
      .map(([key, value]) => inMap({ [key]: value }))
      .join(" ")
  if ("layout" in answer) return ""
  if ("map" in answer) return inMap(answer.map)
  const asked = flag(answer.ask)
  const asking = file === "-" ? "" : `${shellText(["start", file])} asks for the columns; `
  const proposal = answer.ask === "columns" ? ` (${asking}${shellText(["columns", format, file])} proposes one)` : ""
  return `${asked} ${placeholders[asked.slice(2)] ?? answer.ask.toUpperCase()}${proposal}`
}

const inMap = (part: object): string => `${JSON.stringify(part)} in the column map (--columns FILE)`
