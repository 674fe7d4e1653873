import type { Explanation } from "@fiscal-connector/core/store"
import type { DateTime } from "effect"
import * as Times from "../../output/Times.ts"

export const lines = (
  { control, error, firstAt, lastAt, personFrom, timeFrom }: Explanation.StatedFailure,
  zone: DateTime.TimeZone
): ReadonlyArray<string> => [
  `the gateway says: ${error}`,
  `first ${Times.shown(firstAt, zone)}, last ${Times.shown(lastAt, zone)}`,
  ...(control === "same"
    ? ["it says the same of an id that no request has, so this says nothing of the document"]
    : []),
  ...(personFrom === null
    ? []
    : [`an operator who looked in the portal can settle it from ${Times.shown(personFrom, zone)} on`]),
  ...(timeFrom === null ? [] : [`time settles it at ${Times.shown(timeFrom, zone)} at the earliest`])
]
