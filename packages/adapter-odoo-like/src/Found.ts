/** A record that a document is joined with: missing, or stated in two ways, it refuses the document by name. */
import type { Item, Lookup } from "@fiscal-connector/adapter-kit"
import { modifiedOf } from "./Joined.ts"

export interface Wanted {
  /** As the export calls it: `account.tax`. */
  readonly model: string
  readonly id: string
  /** `ignore`: a missing one is no reason to refuse. */
  readonly missing: "refuse" | "ignore"
}

/** `field` is the cell of `record` that names it. */
export const found = (
  record: Item,
  field: string,
  lookup: Lookup,
  { id, missing, model }: Wanted
): Item | undefined => {
  const one = lookup.latest(id, modifiedOf)
  if (one === "differ") {
    record.refuse(field, `the export states ${model} ${id} in two ways`, "Export all models again, at one time.")
    return undefined
  }
  if (one === undefined && missing === "refuse")
    record.refuse(field, `${model} ${id} is not in the export`, `Give the export of ${model} as well.`)
  return one
}
