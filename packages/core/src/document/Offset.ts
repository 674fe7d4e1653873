/** Distance of a zone's wall clock from UTC. */
import { DateTime } from "effect"

/** Returns the milliseconds by which the wall clock of an instant's zone is ahead of UTC. */
export const offsetOf = (instant: DateTime.Zoned): number =>
  instant.zone._tag === "Offset" ? instant.zone.offset : DateTime.zonedOffset(instant)
