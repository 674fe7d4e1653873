/** Odoo-shaped JSON exports as source documents. */
export { adapter, type OdooLikeOptions } from "./OdooLikeAdapter.ts"
export * as OdooLikeSource from "./OdooLikeSource.ts"
