/** Layers with the store and all services that run on it. */
import * as SendingEngine from "@fiscal-connector/core/node/SendingEngine"
import * as StoreOpening from "@fiscal-connector/core/node/StoreOpening"
import * as StatusPoller from "@fiscal-connector/core/engine/StatusPoller"
import type { StorePlace } from "@fiscal-connector/core/submission/StorePlace"
import * as Submitter from "@fiscal-connector/core/engine/Submitter"
import { Layer } from "effect"
import * as RunEffect from "./RunEffect.ts"

const looking = (place: StorePlace) =>
  Layer.merge(Submitter.layer(), StatusPoller.layer).pipe(Layer.provideMerge(StoreOpening.layerReading(place)))

/**
 * Provides the engine for the lanes of this many accounts. Several lanes get a worker thread for
 * the store, so that they do not wait for each other's disk writes. For one lane the thread is only
 * a cost.
 */
export const sendingFor = (place: StorePlace, accounts: number) =>
  layer(place._tag === "File" && accounts > 1 ? { ...place, thread: "own" } : place)

/** Provides the engine. `looking` changes nothing in the store and requires an existing store. */
export const layer = (place: StorePlace, access: "sending" | "looking" = "sending") =>
  access === "sending" ? SendingEngine.onStore(place, RunEffect.noting(StoreOpening.layer(place))) : looking(place)
