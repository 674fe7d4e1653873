/** Figures keep their scale, instants their offset. For staging only; the wire has its own form. */
import { BigDecimal, DateTime } from "effect"
import * as Instant from "../document/Instant.ts"
import * as Stored from "../submission/ledger/Stored.ts"

const plain = (value: unknown): unknown => {
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return value.map(plain)
  if (BigDecimal.isBigDecimal(value)) return { $money: `${value.value}e${value.scale}` }
  if (DateTime.isDateTime(value) && DateTime.isZoned(value)) return { $instant: Instant.format(value) }
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) copy[name] = plain((value as Record<string, unknown>)[name])
  return copy
}

export const encode = (value: object): string => JSON.stringify(plain(value))

const restored = (value: unknown): unknown => {
  if (value === null || typeof value !== "object") return value
  if ("$money" in value) {
    const [digits, scale] = String(value.$money).split("e")
    return BigDecimal.make(BigInt(digits!), Number(scale))
  }
  if ("$instant" in value) return Stored.instant(value.$instant, () => "a date of a staged document")
  const fields: Record<string, unknown> = value as Record<string, unknown>
  for (const name of Object.keys(fields)) {
    const field = fields[name]
    if (field !== null && typeof field === "object") fields[name] = restored(field)
  }
  return fields
}

export const decode = <A extends object>(text: string): A => restored(JSON.parse(text)) as A
