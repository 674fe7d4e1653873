/** Objects of the gateway's answers: typed fields in camelCase, read tolerantly, and every field we do not know kept. */
import { Effect, Schema, SchemaTransformation } from "effect"

/** Fields of an answer that interface.md does not show, under the wire's own names. */
export const UnknownFields = Schema.Record(Schema.String, Schema.Unknown)

/** A whole number, also as a JSON string (NUM-1). */
export const WholeNumber = Schema.Union([
  Schema.Finite,
  Schema.String.check(Schema.isPattern(/^\s*-?\d{1,16}\s*$/))
]).pipe(
  Schema.decodeTo(
    Schema.Int,
    SchemaTransformation.transform({ decode: (wire) => Number(wire), encode: (n): number | string => n })
  )
)

/** A value that may be null or left out; both read as null. */
export const nullable = <S extends Schema.Constraint>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

type Names<Fields> = { readonly [Name in keyof Fields]?: string | readonly [string, ...Array<string>] }

const capitalised = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1)

/** For objects whose fields have the same names on the wire, as the JSON inside CurrentConfig. */
export const asWritten = (name: string) => name

/**
 * An object of an answer. A field's wire name is its own with a capital first letter, unless `names` or `spelling` gives another;
 * of several names the first that is there is read. What has no field is kept in `unknownFields`.
 */
export const record = <const Fields extends Schema.Struct.Fields>(
  fields: Fields,
  names: Names<Fields> = {},
  spelling: (field: string) => string = capitalised
) => {
  const struct = Schema.Struct({ ...fields, unknownFields: UnknownFields })
  const wireNames = Object.keys(fields).map((field) => [field, [names[field] ?? spelling(field)].flat()] as const)
  const split = (wire: Readonly<Record<string, unknown>>) => {
    const known = wireNames.flatMap(([field, candidates]) => {
      const name = candidates.find((candidate) => Object.hasOwn(wire, candidate))
      return name === undefined ? [] : [[field, name] as const]
    })
    const taken = new Set(known.map(([, name]) => name))
    return {
      ...Object.fromEntries(known.map(([field, name]) => [field, wire[name]])),
      unknownFields: Object.fromEntries(Object.entries(wire).filter(([name]) => !taken.has(name)))
    } as typeof struct.Encoded
  }
  const join = (encoded: typeof struct.Encoded) => {
    const { unknownFields, ...rest } = encoded as Readonly<Record<string, unknown>>
    const known = wireNames.flatMap(([field, [name]]) => (Object.hasOwn(rest, field) ? [[name, rest[field]]] : []))
    return { ...(unknownFields as object), ...Object.fromEntries(known) }
  }
  return UnknownFields.pipe(Schema.decodeTo(struct, SchemaTransformation.transform({ decode: split, encode: join })))
}
