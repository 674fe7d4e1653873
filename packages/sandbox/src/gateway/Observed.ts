import type { DeliveryAttempt } from "../webhook/DeliveryLog.ts"
import type { GatewayCall } from "./Call.ts"

/** Event: a call that was answered, or a delivery that was tried. */
export type Observed =
  | { readonly _tag: "Asked"; readonly call: GatewayCall }
  | { readonly _tag: "Delivered"; readonly attempt: DeliveryAttempt }

/** Function called after an answered call or a tried delivery. */
export type Observer = (observed: Observed) => void
