/** Opens stores, and finds what was opened behind a handle. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as ConfigStore from "@fiscal-connector/core/unstable/configuration/ConfigStore"
import * as Variables from "@fiscal-connector/core/unstable/configuration/ConfigVariables"
import { ConfigFileError } from "@fiscal-connector/core/configuration/ConfigFile"
import type { StoreError } from "@fiscal-connector/core/ledger/StoreError"
import * as StoreOpening from "@fiscal-connector/core/node/StoreOpening"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Effect, Layer, ManagedRuntime } from "effect"
import type { StorePlace } from "../ConnectOptions.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import { run } from "./run.ts"
import type { Store } from "../Store.ts"

const opened = new WeakMap<object, Layer.Layer<SubmissionStore>>()

/** The store at a place; read as a configuration's `store` is. */
const layerOf = (place: StorePlace): Layer.Layer<SubmissionStore, StoreError | ConfigFileError> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { findings, place: at } = yield* ConfigStore.read(...entryOf(place), ".")
      if (at === null) return yield* new ConfigFileError({ file: "the options", findings })
      return StoreOpening.layer(at)
    }).pipe(Effect.provide(NodeServices.layer))
  )

const entryOf = (place: StorePlace): readonly [entry: unknown, environment: Variables.Environment] => {
  if ("sqlite" in place) return [place.sqlite, {}]
  const { password, postgres: url, ...rest } = place
  const environment = password === undefined ? process.env : { [Variables.storePassword]: password }
  return [{ url, ...rest }, environment]
}

/** The store of a place, or of a handle; a handle's is not closed with the layer. */
export const layer = (store: StorePlace | Store): Layer.Layer<SubmissionStore, StoreError | ConfigFileError> => {
  const shared = opened.get(store)
  if (shared !== undefined) return shared
  if ("sqlite" in store || "postgres" in store) return layerOf(store)
  throw new FiscalConnectorError("config_invalid", "store: expected { sqlite }, { postgres } or a store of openStore")
}

export const openStore = async (place: StorePlace): Promise<Store> => {
  const runtime = ManagedRuntime.make(layerOf(place))
  const service = await run(runtime, SubmissionStore)
  const handle = { [Symbol.asyncDispose]: () => runtime.dispose() } as unknown as Store
  opened.set(handle, Layer.succeed(SubmissionStore)(service))
  return handle
}
