/**
 * An unreadable value throws `Unreadable` with its place, which `readable` converts to a StoreError
 * (`corrupt`). The error does not contain the value, which may be personal data of a buyer.
 */
import { DateTime, Effect, Option } from "effect"
import * as CivilDate from "../../document/CivilDate.ts"
import * as Instant from "../../document/Instant.ts"
import * as Money from "../../document/Money.ts"
import { damaged, StoreError } from "./StoreError.ts"

/** A stored value that this version cannot read, with its place. */
export class Unreadable extends Error {}

export const corrupt = (place: string): StoreError =>
  new StoreError({ operation: "read a row", reason: "corrupt", text: `${place} cannot be read. ${damaged}` })

export const readable = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreError, R> =>
  Effect.catchDefect(work, (defect) =>
    defect instanceof Unreadable ? Effect.fail(corrupt(defect.message)) : Effect.die(defect)
  )

/** Describes a value: `total of invoice INV-1`. */
export type StoreLocation = () => string

const unreadable = (place: StoreLocation): never => {
  throw new Unreadable(place())
}

const orElse = <A>(value: Option.Option<A>, place: StoreLocation): A => Option.getOrElse(value, () => unreadable(place))

export const money = (text: unknown, place: StoreLocation): Money.Money =>
  orElse(typeof text === "string" ? Money.parse(text) : Option.none(), place)

export const instant = (text: unknown, place: StoreLocation): Instant.Instant =>
  orElse(typeof text === "string" ? Instant.parse(text) : Option.none(), place)

export const civilDate = (text: unknown, place: StoreLocation): CivilDate.CivilDate =>
  orElse(typeof text === "string" ? CivilDate.parse(text) : Option.none(), place)

export const text = (value: unknown, place: StoreLocation): string =>
  typeof value === "string" ? value : unreadable(place)

/** Reads a name, which must not be empty. */
export const name = <A extends string>(value: unknown, place: StoreLocation): A =>
  value === "" ? unreadable(place) : (text(value, place) as A)

export const integer = (value: unknown, place: StoreLocation): number => {
  const read = typeof value === "bigint" ? Number(value) : value
  return typeof read === "number" && Number.isSafeInteger(read) ? read : unreadable(place)
}

/** Reads milliseconds since the epoch. */
export const time = (value: unknown, place: StoreLocation): DateTime.Utc =>
  orElse(DateTime.make(integer(value, place)), place)

export const oneOf = <A extends string>(values: ReadonlyArray<A>, value: unknown, place: StoreLocation): A =>
  values.includes(value as A) ? (value as A) : unreadable(place)

export const among =
  <A extends string>(values: ReadonlyArray<A>) =>
  (value: unknown, place: StoreLocation): A =>
    oneOf(values, value, place)

export const record = (value: unknown, place: StoreLocation): Readonly<Record<string, unknown>> => {
  const read = json(value, place)
  return typeof read === "object" && read !== null && !Array.isArray(read) ? { ...read } : unreadable(place)
}

export const list = (value: unknown, place: StoreLocation): ReadonlyArray<unknown> => {
  const read = Array.isArray(value) ? value : json(value, place)
  return Array.isArray(read) ? read : unreadable(place)
}

const json = (value: unknown, place: StoreLocation): unknown => {
  try {
    return JSON.parse(text(value, place))
  } catch {
    return unreadable(place)
  }
}

export const nullable = <A, B>(value: A, read: (value: NonNullable<A>) => B): B | null =>
  value === null || value === undefined ? null : read(value)

/** Returns readers for a row's columns. `whose`: the row, for the place of an unreadable column. */
export const columns = <Row extends object>(row: Row, whose: string) => {
  const place = (name: string) => () => `${name} of ${whose}`
  return {
    column: <A>(name: keyof Row & string, read: (value: unknown, place: StoreLocation) => A): A =>
      read(row[name], place(name)),
    optional: <A>(name: keyof Row & string, read: (value: unknown, place: StoreLocation) => A): A | null =>
      nullable<unknown, A>(row[name], (value) => read(value, place(name)))
  }
}
