/** Odoo-shaped JSON exports as source documents. */
export { adapter, type OdooLikeOptions } from "./OdooLikeAdapter.ts"
