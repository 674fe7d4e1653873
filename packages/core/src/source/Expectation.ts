/** Allowed values of a reading, as data. */
import { BigDecimal, DateTime } from "effect"
import * as CivilDate from "../document/CivilDate.ts"

/**
 * Expectation for one value. `fix` states what the adapter should do instead, if that is not
 * obvious.
 */
export interface Expectation {
  readonly is: (value: unknown) => boolean
  readonly expected: string
  readonly fix?: string
  readonly within?: { readonly list: Form } | { readonly form: Form }
}

/**
 * Fields of an object. An open form ignores unknown fields, which belong to the adapter. A closed
 * form reports unknown fields, so that no misspelled name is overlooked.
 */
export interface FormFields {
  readonly closed?: true
  readonly required: { readonly [field: string]: Expectation & { readonly otherwise: unknown } }
  readonly optional: { readonly [field: string]: Expectation }
}

/**
 * Form with its fields as a list: a check runs for every object of every document and must not
 * allocate.
 */
export interface Form extends FormFields {
  readonly fields: ReadonlyArray<{ readonly name: string; readonly is: Expectation["is"]; readonly optional: boolean }>
  readonly names: ReadonlySet<string>
}

export const formOf = (form: FormFields): Form => ({
  ...form,
  fields: [
    ...Object.entries(form.required).map(([name, { is }]) => ({ name, is, optional: false })),
    ...Object.entries(form.optional).map(([name, { is }]) => ({ name, is, optional: true }))
  ],
  names: new Set(["_tag", ...Object.keys(form.required), ...Object.keys(form.optional)])
})

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Longest text in characters. A spreadsheet cell holds at most 32 767. */
export const longestText = 65_536

export const text: Expectation = {
  is: (value) => typeof value === "string" && value.length <= longestText,
  expected: "text"
}

/** A larger scale could cost a write-out of 10 to the power of millions. */
const longestScale = 2000

export const money: Expectation = {
  is: (value) =>
    BigDecimal.isBigDecimal(value) &&
    typeof value.value === "bigint" &&
    Number.isSafeInteger(value.scale) &&
    Math.abs(value.scale) <= longestScale,
  expected: "an exact decimal (Money)",
  fix: "Read it from the source's own digits with Money.parse; a JavaScript number has already lost some of them."
}

export const date: Expectation = {
  is: (value) =>
    typeof value === "string"
      ? CivilDate.isCivilDate(value)
      : DateTime.isDateTime(value) && DateTime.isZoned(value) && Number.isFinite(value.epochMilliseconds),
  expected: "a day that exists (CivilDate), or an instant with its offset (Instant)",
  fix: "Read it with CivilDate.parse or Instant.parse, and leave it out, with a finding, where they give none."
}

export const wholeNumber: Expectation = {
  is: (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
  expected: "a whole number from 0"
}

export const oneOf = (...words: ReadonlyArray<string>): Expectation => {
  const known: ReadonlySet<unknown> = new Set(words)
  const named = words.map((word) => `"${word}"`)
  return { is: (value) => known.has(value), expected: `${named.slice(0, -1).join(", ")} or ${named.at(-1)}` }
}

export const or = (one: Expectation, otherwise: unknown) => ({ ...one, otherwise })

export const noField: Expectation = { is: (value) => value === undefined, expected: "no field of this name" }

export const within = (form: Form): Expectation => ({
  is: (value) => isObject(value) && fits(value, form),
  expected: "an object",
  within: { form }
})

export const listOf = (form: Form): Expectation => ({
  is: (value) => Array.isArray(value) && everyFits(value, form),
  expected: "a list",
  within: { list: form }
})

// a loop, because `every` skips the holes of a list
const everyFits = (values: ReadonlyArray<unknown>, form: Form): boolean => {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (!isObject(value) || !fits(value, form)) return false
  }
  return true
}

export const fits = (value: Record<string, unknown>, form: Form): boolean => {
  const { fields, names } = form
  for (let i = 0; i < fields.length; i++) {
    const { is, name, optional } = fields[i]!
    const field = value[name]
    if (field === undefined ? !optional : !is(field)) return false
  }
  if (form.closed === undefined) return true
  // methods that a class inherits are not fields
  for (const name in value)
    if (!names.has(name) && value[name] !== undefined && Object.hasOwn(value, name)) return false
  return true
}

export const opened = ({ required, optional }: FormFields): Form => formOf({ required, optional })

export const hasField = (form: Form, name: string): boolean => form.names.has(name)

/** Names the kind of the given value, never the value. */
export const kindOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  if (value instanceof Date) return "a JavaScript Date"
  if (BigDecimal.isBigDecimal(value)) return "an exact decimal"
  switch (typeof value) {
    case "undefined":
      return "nothing"
    case "string":
      return "other text"
    case "number":
      return Number.isNaN(value) ? "NaN" : "a JavaScript number"
    case "object":
      return "an object"
    case "boolean":
      return String(value)
    default:
      return `a ${typeof value}`
  }
}
