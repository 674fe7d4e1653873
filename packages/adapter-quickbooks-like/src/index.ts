/** Entry point of the adapter for QuickBooks-shaped JSON exports. */
export { adapter, type QuickBooksLikeOptions } from "./QuickBooksLikeAdapter.ts"
