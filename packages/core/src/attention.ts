/** Items that need an operator, with the action for each item, and metrics of a store. */
export * as Action from "./attention/Action.ts"
export * as Attention from "./attention/Attention.ts"
export * as AttentionCode from "./attention/AttentionCode.ts"
export * as AttentionJson from "./attention/AttentionJson.ts"
export * as HealthMetrics from "./attention/HealthMetrics.ts"
export * as ItemView from "./attention/ItemView.ts"
export * as StoreMetrics from "./attention/StoreMetrics.ts"
