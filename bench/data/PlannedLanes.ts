/** Documents of many lanes ready to be planned, and stores on files of their own, for the topics of submission. */
import { DateTime, Layer } from "effect"
import { join } from "node:path"
import * as Instant from "../../packages/core/src/document/Instant.ts"
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"
import { invoice } from "../../packages/core/src/testing/PlannedDocuments.ts"

const noon = Instant.seconds(DateTime.makeUnsafe("2026-01-10T12:00:00+02:00"))
const zone = DateTime.zoneMakeOffset(2 * 3600 * 1000)

export const receiptDate = Instant.fromSeconds(noon, zone)

/** The nth document of a lane, of the lane's own account, one second after another. */
export const document = (lane: number, n: number) =>
  invoice(`i${lane}-${n}`, {
    account: `shop${lane}`,
    taxpayer: String(lane),
    lane: `test/${lane}`,
    receiptDate: Instant.format(Instant.fromSeconds(noon + n, zone))
  })

let files = 0

/** A store on a file that is not there yet. */
export const store = (folder: string, thread: "own" | "same" = "same") =>
  Layer.fresh(SqliteStore.layer({ filename: join(folder, `store-${++files}.db`), thread }))
