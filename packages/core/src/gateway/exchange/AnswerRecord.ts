/**
 * Decodes objects by the laws of their fields: keys in any case, every unknown field kept, every
 * misfit reported.
 */
import { Result, Schema, SchemaIssue, SchemaTransformation } from "effect"
import type * as Money from "../../document/Money.ts"
import { type Decoded, type FieldLaw, type Misfit, type WhenAbsent, within } from "./AnswerLaw.ts"

export const AnswerFields = Schema.Record(Schema.String, Schema.Unknown)
type AnswerFields = typeof AnswerFields.Type

export const isFields = Schema.is(AnswerFields)

/** Schema of a whole number, also as a JSON string (NUM-1). */
export const WholeNumber = Schema.Union([
  Schema.Finite,
  Schema.String.check(Schema.isPattern(/^\s*-?\d{1,16}\s*$/, { message: "expected a whole number" }))
]).pipe(
  Schema.decodeTo(
    Schema.Int,
    SchemaTransformation.transform({ decode: (wire) => Number(wire), encode: (n): number | string => n })
  )
)

export interface RecordRead<A> {
  readonly value: A
  readonly misfits: ReadonlyArray<Misfit>
}

/** Reads one value of the wire, or fails with the expected form. Rejected values are not quoted. */
export type Decode<A> = (wire: unknown) => Result.Result<RecordRead<A>, string>

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const problemOf = ({ issue }: Schema.SchemaError): string =>
  issuesOf(issue)
    .issues.slice(0, 3)
    .map(({ message, path = [] }) => [...path.map(String), message].join(": "))
    .join("; ")

/**
 * Makes a decoder from a schema whose encoded form is the wire's. A value fits as a whole or not at
 * all.
 */
export const value = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): Decode<S["Type"]> => {
  const decode = Schema.decodeUnknownResult(schema)
  return (wire) =>
    Result.mapBoth(decode(wire), {
      onFailure: problemOf,
      onSuccess: (value: S["Type"]) => ({ value, misfits: [] })
    })
}

/**
 * Decodes text. A number is read as the text of its figures, because some gateways write
 * identifiers as numbers.
 */
export const text: Decode<string> = (wire) => {
  const written = JSON.isRawJSON(wire) ? (wire as Money.RawJson).rawJSON : wire
  return typeof written === "string" || typeof written === "number"
    ? Result.succeed({ value: String(written), misfits: [] })
    : Result.fail("expected text")
}

/** A row that does not fit is left out and reported; the other rows stay. `subject` names it. */
export const list =
  <A>(decode: Decode<A>, subject: (row: unknown) => string | null = () => null): Decode<ReadonlyArray<A>> =>
  (wire) => {
    if (!Array.isArray(wire)) return Result.fail("expected a list")
    const misfits: Array<Misfit> = []
    const value: Array<A> = []
    for (const [index, row] of wire.entries()) {
      const read = decode(row)
      if (Result.isFailure(read)) {
        const of = subject(row)
        misfits.push({ field: String(index), text: read.failure, follows: "row", ...(of !== null && { of }) })
      } else {
        value.push(read.success.value)
        misfits.push(...within(String(index), read.success.misfits))
      }
    }
    return Result.succeed({ value, misfits })
  }

export interface Field<A, N extends WhenAbsent = WhenAbsent> {
  readonly decode: Decode<A>
  readonly law: FieldLaw & { readonly absent: N }
  readonly names: ReadonlyArray<string> | null
}

export interface FieldTable {
  readonly [field: string]: Field<unknown>
}

/** Makes a field without any decision: no value of the field ever stops anything. */
export const nobody = <A>(decode: Decode<A>, ...names: ReadonlyArray<string>): Field<A, "null"> => ({
  decode,
  law: { by: null, absent: "null", unreadable: "null", unknown: null, beyond: null, taken: null },
  names: names.length === 0 ? null : names
})

type DecidingField<N extends WhenAbsent> = Pick<FieldLaw, "unreadable"> & {
  readonly by: string
  readonly absent: N
} & Partial<Pick<FieldLaw, "unknown" | "beyond" | "taken">>

export const decides = <A, const N extends WhenAbsent>(
  decode: Decode<A>,
  { absent, beyond = null, by, taken = null, unknown = null, unreadable }: DecidingField<N>,
  ...names: ReadonlyArray<string>
): Field<A, N> => ({
  decode,
  law: { by, absent, unreadable, unknown, beyond, taken },
  names: names.length === 0 ? null : names
})

type ValueOf<F> = F extends Field<infer A, infer N> ? (N extends "answer" | "row" ? A : A | null) : never

export type RecordOf<Table extends FieldTable> = { readonly [F in keyof Table]: ValueOf<Table[F]> } & Decoded

const capitalized = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1)

export const asWritten = (name: string) => name

/**
 * Returns the name in lower case without separators, so that `tax_valid_till` equals
 * `taxValidTill`.
 */
export const folded = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, "")

/** At most `most` + 1. */
const edits = (one: string, other: string, most: number): number => {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const now = [row]
    for (let column = 1; column <= other.length; column++) {
      const changed = before[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1)
      now.push(Math.min(changed, before[column]! + 1, now[column - 1]! + 1))
    }
    before = now
  }
  return before[other.length]!
}

const longestName = 60

/**
 * True if a reader would take the name for a slip of the known one: `taxValidUntil`,
 * `vatNumbr`, `applicableTaxesList`.
 */
export const isNearMiss = (name: string, known: string): boolean => {
  const [one, other] = [folded(name), folded(known)]
  if (other.length < 6 || one.length > longestName) return false
  if (one.length >= 6 && (one.startsWith(other) || other.startsWith(one))) return true
  const most = Math.floor(other.length / 4)
  return edits(one, other, most) <= most
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

export interface FieldSpelling {
  readonly field: string
  readonly names: readonly [string, ...Array<string>]
  readonly law: FieldLaw
}

export interface AnswerRecord<Table extends FieldTable> {
  readonly table: Table
  readonly spellings: ReadonlyArray<FieldSpelling>
  readonly decode: Decode<RecordOf<Table>>
}

/**
 * The wire name of a field is its own name with a capital first letter, unless the field or
 * `spelling` gives another. If it has several names, the first with a value is read. Values without
 * a field, and values that did not fit, are kept in `unknownFields`.
 */
export const record = <const Table extends FieldTable>(
  table: Table,
  spelling: (field: string) => string = capitalized
): AnswerRecord<Table> => {
  const spellings = Object.entries(table).map(([field, { law, names }]): FieldSpelling => {
    const [name, ...aliases] = names ?? [spelling(field)]
    return { field, names: [name!, ...aliases], law }
  })

  const decode: Decode<RecordOf<Table>> = (wire) => {
    if (!isFields(wire)) return Result.fail("expected an object")
    const byName = Map.groupBy(Object.keys(wire), folded)
    const taken = new Set<string>()
    const keyOf = (names: ReadonlyArray<string>): string | undefined => {
      const candidates = names
        .flatMap((name) => [...(Object.hasOwn(wire, name) ? [name] : []), ...(byName.get(folded(name)) ?? [])])
        .filter((key) => !taken.has(key))
      return candidates.find((key) => isGiven(wire[key])) ?? candidates[0]
    }
    const found = spellings.map((row) => {
      const key = keyOf(row.names)
      if (key !== undefined) taken.add(key)
      return { ...row, key }
    })
    const kept = new Set<string>()
    const misfits: Array<Misfit> = []
    const values: Array<readonly [string, unknown]> = []
    for (const { field, key, law, names } of found) {
      const name = names[0]
      const given = key === undefined ? undefined : wire[key]
      if (!isGiven(given)) {
        const near = law.by === null ? undefined : nearMiss(Object.keys(wire), taken, names, wire)
        const problem = near === undefined ? "absent" : `expected under this name; the answer has ${near}`
        const follows = near === undefined ? law.absent : law.unreadable
        if (follows === "answer" || follows === "row") return Result.fail(`${name}: ${problem}`)
        if (near !== undefined) misfits.push({ field: name, text: problem, follows: law.unreadable })
        values.push([field, null])
        continue
      }
      const read = table[field]!.decode(given)
      if (Result.isSuccess(read)) {
        misfits.push(...within(name, read.success.misfits))
        values.push([field, read.success.value])
        continue
      }
      if (law.unreadable === "answer" || law.unreadable === "row") return Result.fail(`${name}: ${read.failure}`)
      misfits.push({ field: name, text: read.failure, follows: law.unreadable })
      kept.add(key!)
      values.push([field, null])
    }
    const unknown = Object.entries(wire).filter(([key]) => !taken.has(key) || kept.has(key))
    const value = {
      ...Object.fromEntries(values),
      unknownFields: Object.fromEntries(unknown),
      ...(misfits.length > 0 && { misfits })
    } as RecordOf<Table>
    return Result.succeed({ value, misfits })
  }
  return { table, spellings, decode }
}

const nearMiss = (
  keys: ReadonlyArray<string>,
  taken: ReadonlySet<string>,
  names: ReadonlyArray<string>,
  wire: AnswerFields
): string | undefined =>
  keys.find((key) => !taken.has(key) && isGiven(wire[key]) && names.some((name) => isNearMiss(key, name)))
