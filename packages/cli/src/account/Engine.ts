/** The store with everything that runs on it. */
import * as SqliteHolder from "@fiscal-connector/core/node/SqliteHolder"
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import * as StatusPoller from "@fiscal-connector/core/submission/StatusPoller"
import * as Submitter from "@fiscal-connector/core/submission/Submitter"
import { Effect, Layer } from "effect"
import * as Deed from "./Deed.ts"

const sending = (filename: string) =>
  Layer.unwrap(Effect.map(SqliteHolder.make(filename), (holder) => Submitter.layer({ holder })))

/** `filename` is a file, or `:memory:`. `looking` changes nothing in the file, and finds one that is there. */
export const layer = (filename: string, access: "sending" | "looking" = "sending") =>
  access === "looking" && filename !== ":memory:"
    ? Layer.mergeAll(Submitter.layer(), StatusPoller.layer).pipe(
        Layer.provideMerge(SqliteStore.layerReading({ filename }))
      )
    : Layer.mergeAll(sending(filename), StatusPoller.layer).pipe(
        Layer.provideMerge(Deed.noting(SqliteStore.layer({ filename })))
      )
