/** The store with everything that runs on it. */
import * as SqliteHolder from "@fiscal-connector/core/node/SqliteHolder"
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import * as StatusPoller from "@fiscal-connector/core/submission/StatusPoller"
import * as Submitter from "@fiscal-connector/core/submission/Submitter"
import { Layer } from "effect"

/** `filename` is a file, or `:memory:`. */
export const layer = (filename: string) =>
  Layer.mergeAll(Submitter.layer({ holder: SqliteHolder.holder }), StatusPoller.layer).pipe(
    Layer.provideMerge(SqliteStore.layer({ filename }))
  )
