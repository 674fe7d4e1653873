/** A finding about a record that is not a document, with the record for writing back. */
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import { Data } from "effect"
import type { Kept } from "./Kept.ts"

export class Unplaced extends Data.Class<Finding & { readonly kept: Kept }> {
  constructor(finding: Finding, kept: Kept) {
    super({ ...finding, kept })
  }
}
