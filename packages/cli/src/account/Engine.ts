/** The store with everything that runs on it. */
import * as SqliteHolder from "@fiscal-connector/core/node/SqliteHolder"
import * as StoreOpening from "@fiscal-connector/core/node/StoreOpening"
import * as StatusPoller from "@fiscal-connector/core/engine/StatusPoller"
import type { StorePlace } from "@fiscal-connector/core/submission/StorePlace"
import * as Submitter from "@fiscal-connector/core/engine/Submitter"
import { Layer } from "effect"
import * as Deed from "./Deed.ts"

/** `looking` changes nothing in the store, and finds one that is there. */
export const layer = (place: StorePlace, access: "sending" | "looking" = "sending") =>
  Layer.mergeAll(Submitter.layer({ holder: SqliteHolder.holder }), StatusPoller.layer).pipe(
    Layer.provideMerge(access === "looking" ? StoreOpening.layerReading(place) : Deed.noting(StoreOpening.layer(place)))
  )
