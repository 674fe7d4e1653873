/**
 * What somebody who watches a sandbox sees.
 */
import type { DeliveryAttempt } from "../webhook/DeliveryLog.ts"
import type { Call } from "./Call.ts"

/** What an observer is told: a call that was answered, or a delivery that was tried. */
export type Observed =
  | { readonly _tag: "Asked"; readonly call: Call }
  | { readonly _tag: "Delivered"; readonly attempt: DeliveryAttempt }

/** Called when a call was answered, or a delivery was tried. */
export type Observer = (observed: Observed) => void
