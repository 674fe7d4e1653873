/** The store with everything that runs on it. */
import * as SqliteHolder from "@fiscal-connector/core/node/SqliteHolder"
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import * as StatusPoller from "@fiscal-connector/core/engine/StatusPoller"
import * as Submitter from "@fiscal-connector/core/engine/Submitter"
import { Layer } from "effect"
import * as Deed from "./Deed.ts"

/** `filename` is a file, or `:memory:`. `looking` changes nothing in the file, and finds one that is there. */
export const layer = (filename: string, access: "sending" | "looking" = "sending") =>
  Layer.mergeAll(Submitter.layer({ holder: SqliteHolder.holder }), StatusPoller.layer).pipe(
    Layer.provideMerge(
      access === "looking" && filename !== ":memory:"
        ? SqliteStore.layerReading({ filename })
        : Deed.noting(SqliteStore.layer({ filename }))
    )
  )
