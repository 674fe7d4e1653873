/** Time zone that an earlier run stored with the account's device. */
import { DateTime, Option } from "effect"
import type { Pin } from "../submission/Pin.ts"

/** Returns the zone of a pin. Null without a pin, or if the pin has no zone. */
export const zoneOfPin = (pin: Pin | null): DateTime.TimeZone | null =>
  Option.getOrNull(Option.flatMap(Option.fromNullishOr(pin?.zone), DateTime.zoneFromString))
