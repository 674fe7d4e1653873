import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { ConfigStore, ConfigVariables as Variables } from "@fiscal-connector/core/host/account"
import { ConfigFile } from "@fiscal-connector/core/session"
import {
  type Holder,
  type StoreError,
  StorePlace as SubmissionStorePlace,
  SubmissionStore
} from "@fiscal-connector/core/store"
import { StoreOpening } from "@fiscal-connector/core/node"
import { Effect, Layer, ManagedRuntime, type Scope } from "effect"
import type { StorePlace } from "../ConnectOptions.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import { run } from "./run.ts"
import type { Store } from "../Store.ts"

interface HandledStore {
  readonly layer: Layer.Layer<SubmissionStore.SubmissionStore>
  readonly place: StorePlace
}

const opened = new WeakMap<object, HandledStore>()

const placeOf = Effect.fnUntraced(
  function* (place: StorePlace) {
    if (isMemory(place)) return SubmissionStorePlace.memory
    const [entry, environment] = entryOf(place)
    const { findings, place: at } = yield* ConfigStore.read(entry, {
      environment,
      folder: ".",
      exposed: [],
      modes: "kept"
    })
    return at ?? (yield* new ConfigFile.ConfigFileError({ file: "the options", findings }))
  },
  Effect.provide(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer))
)

const layerOf = (
  place: StorePlace
): Layer.Layer<SubmissionStore.SubmissionStore, StoreError.StoreError | ConfigFile.ConfigFileError> =>
  Layer.unwrap(Effect.map(placeOf(place), StoreOpening.layer))

const isPlace = (store: StorePlace | Store): store is StorePlace => "sqlite" in store || "postgres" in store

const unknownStore = () =>
  new FiscalConnectorError("config_invalid", "store: expected { sqlite }, { postgres } or a store of openStore")

const entryOf = (place: StorePlace): readonly [entry: unknown, environment: Variables.ConfigEnvironment] => {
  if ("sqlite" in place) return [place.sqlite, {}]
  const { password, postgres: url, ...rest } = place
  const environment = password === undefined ? process.env : { [Variables.storePassword]: password }
  return [{ url, ...rest }, environment]
}

/**
 * Returns the store of a place or of a handle. Releasing the layer closes the store of a place, not
 * the store of a handle.
 */
export const layer = (
  store: StorePlace | Store
): Layer.Layer<SubmissionStore.SubmissionStore, StoreError.StoreError | ConfigFile.ConfigFileError> => {
  const shared = opened.get(store)
  if (shared !== undefined) return shared.layer
  if (isPlace(store)) return layerOf(store)
  throw unknownStore()
}

export const isMemory = (store: StorePlace | Store): boolean => {
  const place = opened.get(store)?.place ?? store
  return "sqlite" in place && place.sqlite === ":memory:"
}

/**
 * Returns the identity that claims lanes of the store. Other processes can detect that its process
 * has ended.
 */
export const holder = (
  store: StorePlace | Store
): Effect.Effect<Holder.Holder, StoreError.StoreError | ConfigFile.ConfigFileError, Scope.Scope> => {
  const place = opened.get(store)?.place ?? (isPlace(store) ? store : undefined)
  if (place === undefined) throw unknownStore()
  return Effect.flatMap(placeOf(place), StoreOpening.holder)
}

export const openStore = async (place: StorePlace): Promise<Store> => {
  const runtime = ManagedRuntime.make(layerOf(place))
  const service = await run(runtime, SubmissionStore.SubmissionStore)
  const handle = { [Symbol.asyncDispose]: () => runtime.dispose() } as unknown as Store
  opened.set(handle, { layer: Layer.succeed(SubmissionStore.SubmissionStore)(service), place })
  return handle
}
