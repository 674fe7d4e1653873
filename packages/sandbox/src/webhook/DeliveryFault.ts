/**
 * Faults of deliveries, with the same triggers as all other faults: `documents`, `accounts`,
 * `skip`, `times`, `probability` with `seed`.
 */
import * as Schema from "effect/Schema"
import { byDefault } from "../Default.ts"

const count = { minimum: 0, maximum: 86_400_000 }

/**
 * Faults that strike a delivery once, when its outcome is known:
 * - `delivery-twice`: the delivery arrives twice.
 * - `delivery-late`: the delivery arrives `millis` milliseconds later, a minute by default.
 * - `delivery-out-of-order`: a later delivery of the account goes first; waits five seconds for
 *   one.
 * - `delivery-empty`: an empty array arrives before the delivery.
 * - `delivery-early`: the outcome is delivered before the submission's own answer (HOOK-7). Strikes
 *   the submission.
 *
 * Faults that strike each try, so that without `times` or `probability` no try succeeds:
 * - `delivery-lost`: the delivery does not arrive.
 * - `delivery-corrupted`: the body has one byte more than was signed.
 * - `delivery-badly-signed`: the signature is made with another key.
 */
export const deliveryFaults = <Trigger extends Schema.Struct.Fields>(trigger: Trigger) =>
  [
    Schema.Struct({
      kind: Schema.Literal("delivery-late"),
      millis: Schema.Int.check(Schema.isBetween(count)).pipe(byDefault(60_000)),
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
