/**
 * Entry point for adapters of further accounting systems: `defineAdapter`, `defineSource` and their
 * types.
 */
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
export type {
  LiveAnswer,
  LiveIdentity,
  LiveLimits,
  LivePage,
  LiveRecord,
  LiveSource,
  PagesRequest
} from "@fiscal-connector/core/source/LiveSource"
export { LiveSourceError, type LiveSourceReason } from "@fiscal-connector/core/source/LiveSourceError"
