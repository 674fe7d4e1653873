/**
 * Entry point for adapters of further accounting systems: `defineAdapter`, `defineSource` and their
 * types.
 */
import { type LiveSource as LiveSources, LiveSourceError as SourceErrors } from "@fiscal-connector/core/adapter"

export {
  type AdapterDefinition,
  defineAdapter,
  type JoinKit,
  type Kit,
  type KitAdapter,
  type KitOptions,
  type RecordReaders
} from "./defineAdapter.ts"
export type { DateForm, InstantForm } from "./item/DateText.ts"
export type { Arithmetic, Item, MoneyOf, Optional } from "./item/Item.ts"
export type { UnmappedFields } from "./item/UnreadFields.ts"
export type { BuyerFields, ChargeFields, DocumentFields, LineFields, OriginalFields, TaxFields } from "./KitDocument.ts"
export { KitFinding } from "./KitFinding.ts"
export { kitVersion } from "./KitVersion.ts"
export type { Lookup } from "./Lookup.ts"
export { PlacedRow, type Row, type Rows } from "./Rows.ts"
export type { Items, SkippedFields } from "./Session.ts"
export type { Records } from "./Sources.ts"
export { defineSource, type SourceDefinition } from "./defineSource.ts"
export {
  defineSourceKind,
  EndpointAddress,
  type GivenSource,
  PageSize,
  RedirectAddress,
  type ServedSource,
  type SettingProblem,
  type SettledSource,
  SourceAddress,
  type SourceEntry,
  type SourceKind,
  type SourceKindDefinition,
  type SourceLogin,
  type TestServer
} from "./defineSourceKind.ts"
/** Answer of a source about single records. */
export type LiveAnswer = LiveSources.LiveAnswer
/** Company that owns the data of a source. */
export type LiveIdentity = LiveSources.LiveIdentity
/** Limits of a source's requests. */
export type LiveLimits = LiveSources.LiveLimits
/** One response of a source. */
export type LivePage = LiveSources.LivePage
/** Fields of a record that are needed to continue reading. */
export type LiveRecord = LiveSources.LiveRecord
/** Port to an accounting system that is read live. */
export type LiveSource<Options> = LiveSources.LiveSource<Options>
/** Request for one page. */
export type PagesRequest = LiveSources.PagesRequest
/** The source could not be read, and no data was taken. */
export const LiveSourceError = SourceErrors.LiveSourceError
export type LiveSourceError = SourceErrors.LiveSourceError
/** Every reason why a source could not be read. */
export type LiveSourceReason = SourceErrors.LiveSourceReason
