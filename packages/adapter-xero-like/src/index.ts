/** Entry point of the adapter for Xero-shaped JSON exports. */
export * as XeroFinding from "./finding/XeroFinding.ts"
export * as XeroLikeAdapter from "./XeroLikeAdapter.ts"
export * as XeroLikeCompany from "./XeroLikeCompany.ts"
export * as XeroLikeOptions from "./options/XeroLikeOptions.ts"
export * as XeroLikeSource from "./XeroLikeSource.ts"
