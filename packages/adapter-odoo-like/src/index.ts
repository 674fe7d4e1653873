/** Entry point of the adapter for Odoo-shaped JSON exports. */
export { adapter, type OdooLikeOptions } from "./OdooLikeAdapter.ts"
export * as OdooLikeSource from "./OdooLikeSource.ts"
