/** Stores, HTTP client and listeners on Node. */
export * as SendingEngine from "./node/SendingEngine.ts"
export * as SqliteHolder from "./node/SqliteHolder.ts"
export * as SqliteStaging from "./node/SqliteStaging.ts"
export * as SqliteStore from "./node/SqliteStore.ts"
export * as StatusListener from "./node/StatusListener.ts"
export * as StoreOpening from "./node/StoreOpening.ts"
export * as UndiciHttpClient from "./node/UndiciHttpClient.ts"
export * as WebhookListener from "./node/WebhookListener.ts"
