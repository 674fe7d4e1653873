import { DateTime } from "effect"

export const offsetOf = (instant: DateTime.Zoned): number =>
  instant.zone._tag === "Offset" ? instant.zone.offset : DateTime.zonedOffset(instant)
