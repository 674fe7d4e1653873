/** QuickBooks-shaped JSON exports as source documents. */
export { adapter, type QuickBooksLikeOptions } from "./QuickBooksLikeAdapter.ts"
