/** Skips documents dated before `notBefore`, each listed by name. */
import type { DateTime } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { Reading } from "../source/Adapter.ts"
import { civilDateOf } from "./translate.ts"

export const reasonOf = (notBefore: CivilDate): string =>
  `dated before ${notBefore}, where this account begins (notBefore)`

export const skipping =
  (notBefore: CivilDate, zone: DateTime.TimeZone) =>
  (reading: Reading): Reading => {
    if (reading._tag === "Skipped" || reading._tag === "Finding") return reading
    if (reading.date === undefined || civilDateOf(reading.date, zone) >= notBefore) return reading
    return {
      _tag: "Skipped",
      key: reading.number || reading.id,
      reason: reasonOf(notBefore),
      at: reading.where([]),
      of: { kind: reading.kind, id: reading.id, number: reading.number }
    }
  }
