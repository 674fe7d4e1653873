/**
 * Finding about a row outside all documents, with the row, so that the row is written among the
 * refused rows.
 */
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import { Data } from "effect"
import type { Row } from "../scan/Row.ts"

export class RowFinding extends Data.Class<Finding & { readonly row: Row }> {
  constructor(finding: Finding, row: Row) {
    super({ ...finding, row })
  }
}
