/** Time zone of an account's date-times without an offset. */
import { DateTime, Option } from "effect"
import { defaults } from "../gateway/contract/AssumptionSwitches.ts"
import { zoneOf } from "../gateway/operation/LocalDateTime.ts"
import type { Pin } from "../submission/Pin.ts"
import type { AccountSettings } from "./AccountSettings.ts"

export const zoneOfPin = (pin: Pin | null): DateTime.TimeZone | null =>
  Option.getOrNull(Option.flatMap(Option.fromNullishOr(pin?.zone), DateTime.zoneFromString))

/**
 * Returns the zone of the switch TIME-1, otherwise the zone of the mapping book, otherwise the zone
 * of the last run. Null if none is known.
 */
export const zoneOfAccount = (
  { assumptions, zone }: Pick<AccountSettings, "assumptions" | "zone">,
  pin: Pin | null
): DateTime.TimeZone | null => zoneOf(assumptions?.["TIME-1"] ?? defaults["TIME-1"], zone ?? zoneOfPin(pin))
