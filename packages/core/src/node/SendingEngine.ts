/** Everything that sending needs on this machine, apart from an account and its files. */
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
 * Provides the store at the place, the submitter, the status poller and the staging of imports.
 * Creates or upgrades the store. A second process on the same store sends nothing twice.
 */
export const layer = (
  place: StorePlace
): Layer.Layer<
  SubmissionStore | Staging | Submitter.Submitter | StatusPoller.StatusPoller,
  StoreError | Submitter.SubmitterConfigError
> =>
  Layer.mergeAll(
    Layer.unwrap(Effect.map(StoreOpening.holder(place), (holder) => Submitter.layer({ holder }))),
    StatusPoller.layer,
    SqliteStaging.layer
  ).pipe(Layer.provideMerge(StoreOpening.layer(place)))
