import { assert, describe, it } from "@effect/vitest"
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { HoldCause } from "../../src/submission/PlannedDocument.ts"
import type { StopCause } from "../../src/submission/Lane.ts"
import { causes, states } from "../../src/submission/Submission.ts"
import * as StoredValues from "../../src/store/rows/StoredValues.ts"

/**
 * Words in the rows of existing stores. A name in the sources may change, but these may not: words
 * are only added, and a migration that renames one renames it in every row.
 */
const pinned: Record<keyof typeof StoredValues, ReadonlyArray<string>> = {
  states: [
    "Held",
    "Planned",
    "Sending",
    "Accepted",
    "Fiscalised",
    "Rejected",
    "Expired",
    "Declined",
    "Unknown",
    "Withdrawn"
  ],
  causes: [
    "held",
    "released",
    "attempt-begun",
    "accepted",
    "not-processed",
    "declined",
    "unknown-outcome",
    "evidence",
    "older-attempt",
    "contradicted",
    "horizon",
    "resend-policy",
    "operator",
    "revised",
    "withdrawn",
    "planned",
    "replaced",
    "conflict",
    "noted"
  ],
  acts: [
    "resolve",
    "withdraw",
    "accept-older",
    "forget",
    "first-use",
    "live",
    "repin",
    "trust-origin",
    "cancel-import"
  ],
  noticeSources: ["opening", "days"],
  kinds: ["invoice", "credit-note"],
  environments: ["sandbox", "test", "live"],
  holdCauses: [
    "late",
    "historical",
    "outdated",
    "original",
    "contradicted",
    "person",
    "operator",
    "before-start",
    "older-copy",
    "rejection-unconfirmed"
  ],
  storeStops: ["older", "unproven"],
  stopCauses: [
    "credentials",
    "not-found",
    "misdirected",
    "limited",
    "not-sent",
    "device-changed",
    "device-refuses",
    "mark-in-future",
    "same-failure",
    "clock"
  ],
  results: ["Accepted", "Declined", "NotProcessed", "Unknown"],
  repeats: ["first", "retry"],
  outcomes: ["Fiscalised", "Rejected", "Expired"],
  sources: ["poll", "webhook", "operator"],
  conflicts: [
    "OUTCOME_CONFLICT",
    "DOUBLE_FISCALISED",
    "SOURCE_CONFLICT",
    "SOURCE_CANCELLED",
    "OTHER_DEVICE",
    "SUCCESS_WITH_ERROR"
  ],
  lates: ["hold", "restamp"],
  passages: ["ordinary", "historical"],
  liveStandings: ["taken", "refused", "skipped", "gone"],
  natures: ["correctable", "final"],
  standings: ["begun", "accepted", "whole", "cancelled", "unfinished"]
}

/** Columns with the words that each may contain. */
const columns: ReadonlyArray<readonly [table: string, column: string, words: keyof typeof StoredValues]> = [
  ["fiscal_submission", "state", "states"],
  ["fiscal_submission", "kind", "kinds"],
  ["fiscal_submission", "environment", "environments"],
  ["fiscal_submission", "hold_cause", "holdCauses"],
  ["fiscal_submission", "late", "lates"],
  ["fiscal_submission", "passage", "passages"],
  ["fiscal_submission", "json_extract(rejection, '$.nature')", "natures"],
  ["fiscal_account", "environment", "environments"],
  ["fiscal_number", "kind", "kinds"],
  ["fiscal_attempt", "result", "results"],
  ["fiscal_attempt", "repeats", "repeats"],
  ["fiscal_outcome", "outcome", "outcomes"],
  ["fiscal_outcome", "source", "sources"],
  ["fiscal_conflict", "code", "conflicts"],
  ["fiscal_event", "from_state", "states"],
  ["fiscal_event", "to_state", "states"],
  ["fiscal_event", "cause", "causes"],
  ["fiscal_lane", "stop_cause", "stopCauses"],
  ["fiscal_tally", "state", "states"]
]

const read = new Map<string, ReadonlyArray<string>>(Object.entries(StoredValues))

describe("the stored values", () => {
  for (const [name, words] of Object.entries(pinned)) {
    it(`are still read as they were written: ${name}`, () => {
      assert.includeMembers([...(read.get(name) ?? [])], [...words])
    })
  }

  it("are exactly the values of the types", () => {
    assert.deepStrictEqual(StoredValues.states, states)
    assert.includeMembers([...StoredValues.causes], [...causes])
    const holds: ReadonlyArray<HoldCause | "person"> = StoredValues.holdCauses
    const stops: ReadonlyArray<StopCause> = StoredValues.stopCauses
    assert.isAbove(holds.length + stops.length, 0)
  })

  it("include all values in stores of earlier versions", () => {
    const folder = mkdtempSync(join(tmpdir(), "fiscal-words-"))
    const file = join(folder, "store.db")
    copyFileSync(join(import.meta.dirname, "../../../../fixtures/upgrade/4ab5620/store.sqlite"), file)
    const db = new DatabaseSync(file)
    for (const [table, column, words] of columns) {
      const rows = db.prepare(`select distinct ${column} as word from ${table} where ${column} is not null`).all()
      assert.isNotEmpty(rows, `${table}.${column}`)
      for (const { word } of rows) assert.include(pinned[words], String(word), `${table}.${column}`)
    }
    db.close()
    rmSync(folder, { recursive: true })
  })
})
