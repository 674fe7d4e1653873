/**
 * Finds a record that a document is joined with. A missing or contradictory record refuses the
 * document by name.
 */
import type { Item, Lookup } from "@fiscal-connector/adapter-kit"
import { modifiedOf } from "./Joined.ts"

export interface Wanted {
  readonly model: string
  readonly id: string
  /** `ignore`: a missing record does not refuse the document. */
  readonly missing: "refuse" | "ignore"
}

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
