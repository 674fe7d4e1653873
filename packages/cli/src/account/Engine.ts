/** The store with everything that runs on it. */
import * as StoreOpening from "@fiscal-connector/core/node/StoreOpening"
import * as StatusPoller from "@fiscal-connector/core/engine/StatusPoller"
import type { StorePlace } from "@fiscal-connector/core/submission/StorePlace"
import * as Submitter from "@fiscal-connector/core/engine/Submitter"
import { Effect, Layer } from "effect"
import * as Deed from "./Deed.ts"

const sending = (place: StorePlace) =>
  Layer.unwrap(Effect.map(StoreOpening.holder(place), (holder) => Submitter.layer({ holder }))).pipe(
    Layer.provideMerge(Deed.noting(StoreOpening.layer(place)))
  )

const looking = (place: StorePlace) => Layer.provideMerge(Submitter.layer(), StoreOpening.layerReading(place))

/** The same for the lanes of so many accounts: several do not wait for each other's disk. One would only pay for the thread. */
export const sendingFor = (place: StorePlace, accounts: number) =>
  layer(place._tag === "File" && accounts > 1 ? { ...place, thread: "own" } : place)

/** `looking` changes nothing in the store, and finds one that is there. */
export const layer = (place: StorePlace, access: "sending" | "looking" = "sending") =>
  Layer.provideMerge(StatusPoller.layer, access === "sending" ? sending(place) : looking(place))
