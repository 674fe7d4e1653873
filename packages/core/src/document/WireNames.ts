import { Schema } from "effect"

type WireNames<Fields> = { readonly [Name in keyof Fields]: Name extends string ? Capitalize<Name> : Name }

const capitalized = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(
    Object.keys(fields).map((name) => [name, name[0]!.toUpperCase() + name.slice(1)])
  ) as WireNames<Fields>

export const struct = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).pipe(Schema.encodeKeys(capitalized(fields)))
