/** What an adapter for a further accounting system is written with: `defineAdapter`, and the types of what it is given and gives. */
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
