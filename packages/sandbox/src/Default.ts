/** Fields that may be left out. */
import { Effect, Schema } from "effect"

/** Makes a field optional: without it, the given value is decoded. */
export const byDefault = <S extends Schema.Constraint>(
  value: S["Encoded"]
): ((self: S) => Schema.withDecodingDefaultKey<S>) => Schema.withDecodingDefaultKey(Effect.succeed(value))
