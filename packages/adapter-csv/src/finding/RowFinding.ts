/** Finding with the row outside all documents that it is about, for the file of refused rows. */
import type { Finding } from "@fiscal-connector/core/adapter"
import { Data } from "effect"
import type { Row } from "../scan/Row.ts"

export class RowFinding extends Data.Class<Finding.Finding & { readonly row: Row }> {
  constructor(finding: Finding.Finding, row: Row) {
    super({ ...finding, row })
  }
}
