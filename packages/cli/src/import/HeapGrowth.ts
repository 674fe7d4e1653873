/** Applies to the whole process, so a program inside another process does not change it. */
import { Context } from "effect"

export interface HeapGrowthShape {
  readonly whilePlanning: () => void
  readonly otherwise: () => void
}

export class HeapGrowth extends Context.Reference<HeapGrowthShape>("fiscal-connector/import/HeapGrowth", {
  defaultValue: () => ({ whilePlanning: () => {}, otherwise: () => {} })
}) {}
