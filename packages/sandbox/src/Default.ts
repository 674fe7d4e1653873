import { Effect, Schema } from "effect"

export const byDefault = <S extends Schema.Constraint>(
  value: S["Encoded"]
): ((self: S) => Schema.withDecodingDefaultKey<S>) => Schema.withDecodingDefaultKey(Effect.succeed(value))
