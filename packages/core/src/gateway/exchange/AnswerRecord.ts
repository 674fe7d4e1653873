/** Objects of the gateway's answers: typed fields in camelCase, read tolerantly, and every field we do not know kept. */
import { Effect, Schema, SchemaTransformation } from "effect"

/** Fields of an answer that the contract does not show (docs/gateway.md#resources), under the wire's own names. */
export const UnknownFields = Schema.Record(Schema.String, Schema.Unknown)
type Unknown = typeof UnknownFields.Type

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

type PureFields = { readonly [field: string]: Schema.ConstraintCodec<unknown, unknown> }
type Names<Fields> = { readonly [Name in keyof Fields]?: string | readonly [string, ...Array<string>] }

const capitalised = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1)

/** For objects whose fields have the same names on the wire, as the JSON inside CurrentConfig. */
export const asWritten = (name: string) => name

/**
 * An object of an answer. A field's wire name is its own with a capital first letter, unless `names` or `spelling` gives another;
 * of several names the first that is there is read. What has no field is kept in `unknownFields`.
 */
export const record = <const Fields extends PureFields>(
  fields: Fields,
  names: Names<Fields> = {},
  spelling: (field: string) => string = capitalised
) => {
  const wireNames = Object.keys(fields).map((field) => {
    const [name, ...aliases] = [names[field] ?? spelling(field)].flat() as [string, ...Array<string>]
    return { field, name, aliases }
  })
  // Checked under the wire's names, which are the ones a person finds in the answer; renamed afterwards.
  const wireStruct: Schema.Struct<PureFields> = Schema.Struct({
    ...Object.fromEntries(wireNames.map(({ field, name }) => [name, fields[field]!])),
    unknownFields: UnknownFields
  })
  const typed = Schema.toType(Schema.Struct({ ...fields, unknownFields: UnknownFields }))

  const split = (wire: Unknown): Unknown => {
    const known = wireNames.flatMap(({ aliases, name }) => {
      const given = [name, ...aliases].find((candidate) => Object.hasOwn(wire, candidate))
      return given === undefined ? [] : [{ name, given }]
    })
    const taken = new Set(known.map(({ given }) => given))
    return {
      ...Object.fromEntries(known.map(({ given, name }) => [name, wire[given]])),
      unknownFields: Object.fromEntries(Object.entries(wire).filter(([name]) => !taken.has(name)))
    }
  }
  const join = ({ unknownFields, ...known }: Unknown): Unknown => ({ ...(unknownFields as Unknown), ...known })
  const rename = (wire: Unknown) =>
    ({
      ...Object.fromEntries(wireNames.map(({ field, name }) => [field, wire[name]])),
      unknownFields: wire["unknownFields"]
    }) as typeof typed.Encoded
  const unname = (value: typeof typed.Encoded): Unknown => {
    const byField = value as Unknown
    return {
      ...Object.fromEntries(wireNames.map(({ field, name }) => [name, byField[field]])),
      unknownFields: byField["unknownFields"]
    }
  }
  return UnknownFields.pipe(
    Schema.decodeTo(wireStruct, SchemaTransformation.transform({ decode: split, encode: join })),
    Schema.decodeTo(typed, SchemaTransformation.transform({ decode: rename, encode: unname }))
  )
}
