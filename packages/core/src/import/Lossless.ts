/** Documents as JSON text and back, nothing lost: figures with their scale, instants with their offset. For staging; the wire has its own form. */
import { BigDecimal, DateTime, Option } from "effect"
import * as Instant from "../document/Instant.ts"

const plain = (value: unknown): unknown => {
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return value.map(plain)
  if (BigDecimal.isBigDecimal(value)) return { $money: `${value.value}e${value.scale}` }
  if (DateTime.isDateTime(value) && DateTime.isZoned(value)) return { $instant: Instant.format(value) }
  const copy: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) copy[name] = plain(field)
  return copy
}

export const encode = (value: object): string => JSON.stringify(plain(value))

const restored = (_name: string, value: unknown): unknown => {
  if (value === null || typeof value !== "object") return value
  if ("$money" in value) {
    const [digits, scale] = String(value.$money).split("e")
    return BigDecimal.make(BigInt(digits!), Number(scale))
  }
  return "$instant" in value ? Option.getOrThrow(Instant.parse(String(value.$instant))) : value
}

/** Reads what `encode` wrote; the caller knows what it was. */
export const decode = <A extends object>(text: string): A => JSON.parse(text, restored)
