/** A finding about a row that belongs to no document, with the row, so that it comes back among the refused ones. */
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import { Data } from "effect"
import type { Row } from "../scan/Row.ts"

export class RowFinding extends Data.Class<Finding & { readonly row: Row }> {
  constructor(finding: Finding, row: Row) {
    super({ ...finding, row })
  }
}
