/**
 * Values of stored rows, read back. What cannot be read throws `Unreadable` with the place it stands in; `readable` makes a StoreError (`corrupt`)
 * of it. The value itself is not named: it may be a buyer's.
 */
import { DateTime, Effect, Option } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"
import * as Money from "../document/Money.ts"
import { damaged, StoreError } from "./StoreError.ts"

/** A stored value that this version cannot read, and the place it stands in. */
export class Unreadable extends Error {}

/** `place`: what cannot be read, and whose it is. */
export const corrupt = (place: string): StoreError =>
  new StoreError({ operation: "read a row", reason: "corrupt", problem: `${place} cannot be read. ${damaged}` })

/** What a stored row says that this version cannot read is an error, wherever in the work it is met. */
export const readable = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreError, R> =>
  Effect.catchDefect(work, (defect) =>
    defect instanceof Unreadable ? Effect.fail(corrupt(defect.message)) : Effect.die(defect)
  )

/** What is said of a value: `total of invoice INV-1`. */
export type Place = () => string

const unreadable = (place: Place): never => {
  throw new Unreadable(place())
}

const orElse = <A>(value: Option.Option<A>, place: Place): A => Option.getOrElse(value, () => unreadable(place))

export const money = (text: unknown, place: Place): Money.Money =>
  orElse(typeof text === "string" ? Money.parse(text) : Option.none(), place)

export const instant = (text: unknown, place: Place): Instant.Instant =>
  orElse(typeof text === "string" ? Instant.parse(text) : Option.none(), place)

export const civilDate = (text: unknown, place: Place): CivilDate.CivilDate =>
  orElse(typeof text === "string" ? CivilDate.parse(text) : Option.none(), place)

export const text = (value: unknown, place: Place): string => (typeof value === "string" ? value : unreadable(place))

/** A name is not empty. */
export const name = <A extends string>(value: unknown, place: Place): A =>
  value === "" ? unreadable(place) : (text(value, place) as A)

export const integer = (value: unknown, place: Place): number => {
  const read = typeof value === "bigint" ? Number(value) : value
  return typeof read === "number" && Number.isSafeInteger(read) ? read : unreadable(place)
}

/** Milliseconds since the epoch. */
export const time = (value: unknown, place: Place): DateTime.Utc => orElse(DateTime.make(integer(value, place)), place)

export const oneOf = <A extends string>(values: ReadonlyArray<A>, value: unknown, place: Place): A =>
  values.includes(value as A) ? (value as A) : unreadable(place)

/** A JSON object. */
export const record = (value: unknown, place: Place): Readonly<Record<string, unknown>> => {
  const read = json(value, place)
  return typeof read === "object" && read !== null && !Array.isArray(read) ? { ...read } : unreadable(place)
}

/** A JSON list. */
export const list = (value: unknown, place: Place): ReadonlyArray<unknown> => {
  const read = json(value, place)
  return Array.isArray(read) ? read : unreadable(place)
}

const json = (value: unknown, place: Place): unknown => {
  try {
    return JSON.parse(text(value, place))
  } catch {
    return unreadable(place)
  }
}

/** Null stays null. */
export const nullable = <A, B>(value: A, read: (value: NonNullable<A>) => B): B | null =>
  value === null || value === undefined ? null : read(value)
