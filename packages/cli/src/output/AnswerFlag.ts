/** An answer to what is open about an export, as this command takes it: a flag, or a line of the column map. */
import type { Answer } from "@fiscal-connector/core/finding/Answer"

/** Settings whose flag is not their name in kebab case. */
const flags: { readonly [setting: string]: string } = { creditNotePrefixes: "credit-note-prefix" }

const flag = (setting: string): string =>
  `--${flags[setting] ?? setting.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** What a person fills in, by the setting. */
const places: { readonly [setting: string]: string } = {
  columns: "FILE",
  currency: "CODE",
  sheet: "NAME",
  headerLine: "LINE",
  original: "CN=INV"
}

/** As a person types it: `--dates dmy`, `--currency CODE`, or what to write into the column map. */
export const flagOf = (answer: Answer, adapter = "csv"): string => {
  if ("settings" in answer)
    return Object.entries(answer.settings)
      .map(([setting, value]) =>
        setting === "statuses"
          ? statusFlag(value)
          : typeof value === "object"
            ? inMap({ [setting]: value })
            : `${flag(setting)} ${typed(value)}`
      )
      .join(" ")
  if ("layout" in answer) return `--layout ${answer.layout}`
  if ("columns" in answer) return inMap(...answer.columns)
  if ("map" in answer) return inMap(answer.map)
  const proposal = answer.ask === "columns" ? ` (connector columns ${adapter} proposes one)` : ""
  return `${flag(answer.ask)} ${places[answer.ask] ?? answer.ask.toUpperCase()}${proposal}`
}

/** A name with blanks in it is one word only in quotes. */
const typed = (value: unknown): string => {
  const text = String(value)
  return /^[\w.+-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

const statusFlag = (statuses: unknown): string =>
  Object.entries(statuses ?? {})
    .map(([status, meaning]) => `--status ${status}=${meaning}`)
    .join(" ")

const inMap = (...parts: ReadonlyArray<object>): string =>
  `${parts.map((part) => JSON.stringify(part)).join(", ")} in the column map (--columns FILE)`
