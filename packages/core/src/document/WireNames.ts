/** The wire writes every field with a capital first letter; TypeScript has the same names in camelCase. */
import { Schema } from "effect"

type WireNames<Fields> = { readonly [Name in keyof Fields]: Name extends string ? Capitalize<Name> : Name }

const capitalised = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(
    Object.keys(fields).map((name) => [name, name[0]!.toUpperCase() + name.slice(1)])
  ) as WireNames<Fields>

/** A struct whose encoded form has the wire's names. */
export const struct = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).pipe(Schema.encodeKeys(capitalised(fields)))
