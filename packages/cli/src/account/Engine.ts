import { SendingEngine, StoreOpening } from "@fiscal-connector/core/node"
import { StatusPoller, Submitter } from "@fiscal-connector/core/worker"
import type { StorePlace } from "@fiscal-connector/core/store"
import { Layer } from "effect"
import * as RunEffect from "./RunEffect.ts"

const looking = (place: StorePlace.StorePlace) =>
  Layer.merge(Submitter.layer(), StatusPoller.layer).pipe(Layer.provideMerge(StoreOpening.layerReading(place)))

/**
 * For a process that also answers requests. With several accounts, the store is written on a worker
 * thread, so that an answer does not wait for the disk. Elsewhere the thread is only a cost.
 */
export const answering = (place: StorePlace.StorePlace, accounts: number) =>
  layer(place._tag === "File" && accounts > 1 ? { ...place, thread: "own" } : place)

export const layer = (place: StorePlace.StorePlace, access: "sending" | "looking" = "sending") =>
  access === "sending" ? SendingEngine.onStore(place, RunEffect.noting(StoreOpening.layer(place))) : looking(place)
