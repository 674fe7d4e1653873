/** Layers with the store and all services that run on it. */
import * as StoreOpening from "@fiscal-connector/core/node/StoreOpening"
import * as StatusPoller from "@fiscal-connector/core/engine/StatusPoller"
import type { StorePlace } from "@fiscal-connector/core/submission/StorePlace"
import * as Submitter from "@fiscal-connector/core/engine/Submitter"
import { Effect, Layer } from "effect"
import * as RunEffect from "./RunEffect.ts"

const sending = (place: StorePlace) =>
  Layer.unwrap(Effect.map(StoreOpening.holder(place), (holder) => Submitter.layer({ holder }))).pipe(
    Layer.provideMerge(RunEffect.noting(StoreOpening.layer(place)))
  )

const looking = (place: StorePlace) => Layer.provideMerge(Submitter.layer(), StoreOpening.layerReading(place))

/**
 * Provides the engine for the lanes of this many accounts. Several lanes get a worker thread for
 * the store, so that they do not wait for each other's disk writes. For one lane the thread is only
 * a cost.
 */
export const sendingFor = (place: StorePlace, accounts: number) =>
  layer(place._tag === "File" && accounts > 1 ? { ...place, thread: "own" } : place)

/** Provides the engine. `looking` changes nothing in the store and requires an existing store. */
export const layer = (place: StorePlace, access: "sending" | "looking" = "sending") =>
  Layer.provideMerge(StatusPoller.layer, access === "sending" ? sending(place) : looking(place))
