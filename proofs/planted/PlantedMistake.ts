/**
 * One mistake of an adapter: one value of one document is wrong, as caused by a wrong field name or
 * a missed case.
 */
import * as Money from "../../packages/core/src/document/Money.ts"
import type { Adapter, Reading } from "../../packages/core/src/source/Adapter.ts"
import type { SourceDocument } from "../../packages/core/src/source/SourceDocument.ts"
import { BigDecimal, DateTime, Stream } from "effect"
import type { Random } from "../Random.ts"

type Path = ReadonlyArray<string | number>

/** Mistake in a single value. */
export interface Mistake {
  readonly what: string
  readonly of: "a figure" | "a word"
  apply<Options>(adapter: Adapter<Options>): Adapter<Options>
}

const fields = [
  "kind",
  "id",
  "number",
  "date",
  "currency",
  "taxMode",
  "buyer",
  "lines",
  "charges",
  "totals",
  "originals",
  "reference",
  "paymentMethod"
] as const satisfies ReadonlyArray<keyof SourceDocument>

const isParted = (value: unknown): value is object =>
  value !== null && typeof value === "object" && !BigDecimal.isBigDecimal(value) && !DateTime.isDateTime(value)

/** Returns the paths of all stated values; an id of the buyer is compared separately. */
const leaves = (value: unknown, path: Path = []): ReadonlyArray<Path> =>
  value === undefined
    ? []
    : isParted(value)
      ? Object.entries(value).flatMap(([key, part]) => leaves(part, [...path, key]))
      : path.join(".") === "buyer.id"
        ? []
        : [path]

const others: { readonly [value: string]: string } = {
  invoice: "credit-note",
  "credit-note": "invoice",
  inclusive: "exclusive",
  exclusive: "inclusive",
  untaxed: "exclusive",
  unstated: "exclusive",
  id: "number",
  number: "id",
  shipping: "fee",
  fee: "shipping",
  discount: "rounding",
  rounding: "discount"
}

const nextDay = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

const another = (value: unknown): unknown => {
  if (BigDecimal.isBigDecimal(value)) return BigDecimal.sum(value, Money.cent)
  if (DateTime.isDateTime(value)) return DateTime.add(value, { days: 1 })
  if (typeof value !== "string") return value
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? nextDay(value) : (others[value] ?? `${value}x`)
}

const replaced = (value: unknown, [key, ...rest]: Path): unknown => {
  if (key === undefined) return another(value)
  if (Array.isArray(value)) return value.map((part, i) => (i === Number(key) ? replaced(part, rest) : part) as unknown)
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest) }
}

const changed = (document: SourceDocument, [field, ...rest]: Path): SourceDocument => {
  const copy = Object.create(
    Object.getPrototypeOf(document) as object,
    Object.getOwnPropertyDescriptors(document)
  ) as SourceDocument
  const value = replaced(document[field as keyof SourceDocument], rest)
  Object.defineProperty(copy, field!, { value, enumerable: true })
  return copy
}

const nameOf = ({ id, kind, number }: SourceDocument): string => `${kind} ${id} ${number}`

/** Draws a mistake in one document of the readings. */
export const planted = (readings: ReadonlyArray<Reading>, random: Random): Mistake => {
  const documents = readings.filter((reading) => reading._tag === "SourceDocument")
  const document = random.pick(documents)
  const path = random.pick(fields.flatMap((field) => leaves(document[field], [field])))
  const value = path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document)
  const own = nameOf(document)
  return {
    what: `another ${path.join(".")} of ${own}`,
    of: BigDecimal.isBigDecimal(value) ? "a figure" : "a word",
    apply: (adapter) => ({
      ...adapter,
      read: (input, options) =>
        Stream.map(adapter.read(input, options), (reading) =>
          reading._tag === "SourceDocument" && nameOf(reading) === own ? changed(reading, path) : reading
        )
    })
  }
}
