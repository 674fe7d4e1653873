/** Entry point of the adapter for ERPNext-shaped JSON exports. */
export { adapter, type ErpnextLikeOptions } from "./ErpnextLikeAdapter.ts"
