import { BigDecimal, DateTime, Redacted } from "effect"
import { plain } from "./Output.ts"
import { table } from "./Table.ts"
import { padEnd, printable } from "./Terminal.ts"

const cell = (value: unknown): string => {
  const shown = plain(value)
  return shown === null ? "" : typeof shown === "string" ? shown : JSON.stringify(shown)
}

const fieldsOf = (record: object): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(record).filter(([name, value]) => name !== "unknownFields" || Object.keys(value ?? {}).length > 0)

const isRecord = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  !BigDecimal.isBigDecimal(value) &&
  !DateTime.isDateTime(value) &&
  !Redacted.isRedacted(value)

export const toText = (value: unknown): string => {
  if (Array.isArray(value)) {
    if (!value.every(isRecord)) return value.map(cell).join("\n")
    const names = [...new Set(value.flatMap((record) => fieldsOf(record).map(([name]) => name)))]
    const columns = names.map((name) => ({
      title: name,
      value: (record: object) => cell(Object.fromEntries(fieldsOf(record))[name])
    }))
    return value.length === 0 ? "none" : table(columns, value)
  }
  if (!isRecord(value)) return printable(cell(value))
  const fields = fieldsOf(value)
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields
    .map(([name, field]) => {
      const isNested = Array.isArray(field) ? field.length > 0 && field.every(isRecord) : isRecord(field)
      if (!isNested) return `${padEnd(name, width)}  ${printable(cell(field))}`
      const inner = toText(field)
      return `${name}\n${inner.replace(/^/gm, "  ")}`
    })
    .join("\n")
}
