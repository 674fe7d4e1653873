/** Xero-shaped JSON exports as source documents. */
export * as XeroFinding from "./XeroFinding.ts"
export * as XeroLikeAdapter from "./XeroLikeAdapter.ts"
export * as XeroLikeOptions from "./XeroLikeOptions.ts"
