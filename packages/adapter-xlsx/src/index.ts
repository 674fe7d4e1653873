/** Entry point of the adapter for Excel workbooks. */
export * as XlsxAdapter from "./XlsxAdapter.ts"
export * as XlsxFinding from "./XlsxFinding.ts"
