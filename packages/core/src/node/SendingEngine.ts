import { Effect, Layer } from "effect"
import type { Staging } from "../import/Staging.ts"
import * as StatusPoller from "../sending/StatusPoller.ts"
import * as Submitter from "../sending/Submitter.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { StorePlace } from "../submission/StorePlace.ts"
import type { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as SqliteStaging from "./SqliteStaging.ts"
import * as StoreOpening from "./StoreOpening.ts"

/**
 * Provides the submitter and the status poller on the store at the place. `store`: another layer
 * with this store. Other processes detect the end of this one.
 */
export const onStore = <E, R>(
  place: StorePlace,
  store: Layer.Layer<SubmissionStore, E, R>
): Layer.Layer<
  SubmissionStore | Submitter.Submitter | StatusPoller.StatusPoller,
  E | StoreError | Submitter.SubmitterConfigError,
  R
> =>
  Layer.mergeAll(
    Layer.unwrap(Effect.map(StoreOpening.holder(place), (holder) => Submitter.layer({ holder }))),
    StatusPoller.layer
  ).pipe(Layer.provideMerge(store))

/**
 * Provides the store at the place, the submitter, the status poller and the staging of imports.
 * Creates or upgrades the store. A second process on the same store sends nothing twice.
 */
export const layer = (
  place: StorePlace
): Layer.Layer<
  SubmissionStore | Staging | Submitter.Submitter | StatusPoller.StatusPoller,
  StoreError | Submitter.SubmitterConfigError
> => Layer.merge(onStore(place, StoreOpening.layer(place)), SqliteStaging.layer)
