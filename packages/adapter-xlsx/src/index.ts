/** Excel workbooks as source documents. */
export * as XlsxAdapter from "./XlsxAdapter.ts"
export * as XlsxFinding from "./XlsxFinding.ts"
