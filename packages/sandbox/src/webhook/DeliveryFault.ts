/**
 * Faults of deliveries, by the same triggers as all others: `documents`, `accounts`, `skip`, `times`, `probability` with `seed`.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const count = { minimum: 0, maximum: 86_400_000 }

/**
 * These strike a delivery when its outcome is there:
 * - `delivery-twice`: it comes two times.
 * - `delivery-late`: it comes so many milliseconds later, a minute by default.
 * - `delivery-out-of-order`: it lets a later one of the account pass, and waits five seconds for one.
 * - `delivery-empty`: an empty array comes before it.
 * - `delivery-early`: the outcome is there, and delivered, before the submission's own answer (HOOK-7); this one strikes the submission.
 * These strike each try, so that without `times` or `probability` none gets through:
 * - `delivery-lost`: it does not arrive.
 * - `delivery-corrupted`, `delivery-badly-signed`: it has a byte more than was signed, or another key's signature.
 */
export const deliveryFaults = <Trigger extends Schema.Struct.Fields>(trigger: Trigger) =>
  [
    Schema.Struct({
      kind: Schema.Literal("delivery-late"),
      millis: Schema.Int.check(Schema.isBetween(count)).pipe(Schema.withDecodingDefaultKey(Effect.succeed(60_000))),
      ...trigger
    }),
    ...Schema.Literals([
      "delivery-lost",
      "delivery-twice",
      "delivery-out-of-order",
      "delivery-early",
      "delivery-corrupted",
      "delivery-badly-signed",
      "delivery-empty"
    ]).members.map((kind) => Schema.Struct({ kind, ...trigger }))
  ] as const
