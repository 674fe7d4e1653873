/**
 * Documents of many lanes, ready to plan, and stores on separate files, for the submission topics.
 */
import { DateTime, Layer } from "effect"
import { join } from "node:path"
import * as Instant from "../../packages/core/src/document/Instant.ts"
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"
import { invoice, type Particulars } from "../../packages/core/test/submission/PlannedDocuments.ts"

const noon = Instant.seconds(DateTime.makeUnsafe("2026-01-10T12:00:00+02:00"))
const zone = DateTime.zoneMakeOffset(2 * 3600 * 1000)

export const receiptDate = Instant.fromSeconds(noon, zone)

/** Returns the nth document of a lane, from the lane's own account, at intervals of a second. */
export const document = (lane: number, n: number, particulars: Particulars = {}) =>
  invoice(`i${lane}-${n}`, {
    ...particulars,
    account: `shop${lane}`,
    taxpayer: String(lane),
    lane: `test/${lane}`,
    receiptDate: Instant.format(Instant.fromSeconds(noon + n, zone))
  })

let files = 0

export const fileOf = (folder: string): string => join(folder, `store-${++files}.db`)

export const storeIn = (filename: string, thread: "own" | "same" = "same") =>
  Layer.fresh(SqliteStore.layer({ filename, thread }))

/** Returns a store on a new file. */
export const store = (folder: string, thread: "own" | "same" = "same") => storeIn(fileOf(folder), thread)
