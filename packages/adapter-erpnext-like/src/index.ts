/** ERPNext-shaped JSON exports as source documents. */
export { adapter, type ErpnextLikeOptions } from "./ErpnextLikeAdapter.ts"
