/** First and last second of a day, in seconds since the epoch, on the wall clock of a zone. */
import type { DateTime } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"

export const firstSecond = (day: CivilDate.CivilDate, zone: DateTime.TimeZone): number =>
  Instant.seconds(CivilDate.at(day, 0, zone))

// a day with a change of the clock is not 86 400 seconds long, so the next day's start is read
export const lastSecond = (day: CivilDate.CivilDate, zone: DateTime.TimeZone): number =>
  Instant.seconds(CivilDate.at(day, 86_400, zone)) - 1
