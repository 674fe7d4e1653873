import { Effect, Schema } from "effect"

/** Makes a field that may be left out. `standard`: what it then is, as it would be written. */
export const withDefault = <S extends Schema.Constraint>(
  schema: S,
  standard: S["Encoded"]
): Schema.withDecodingDefaultKey<S> => Schema.withDecodingDefaultKey<S>(Effect.succeed(standard))(schema)
