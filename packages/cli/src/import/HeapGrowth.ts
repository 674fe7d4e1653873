/** How far V8's heap may grow. The setting belongs to the process: a program that runs inside another process leaves it alone. */
import { Context } from "effect"

export interface HeapGrowthShape {
  readonly whilePlanning: () => void
  readonly otherwise: () => void
}

export class HeapGrowth extends Context.Reference<HeapGrowthShape>("fiscal-connector/import/HeapGrowth", {
  defaultValue: () => ({ whilePlanning: () => {}, otherwise: () => {} })
}) {}
