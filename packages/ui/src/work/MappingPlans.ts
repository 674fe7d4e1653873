/** Plans of the gateway's mappings that were shown and not done: what a button does is what stood above it. */
import type { SavedPlan } from "@fiscal-connector/core/unstable/mapping/SavedPlan"
import { randomBytes } from "node:crypto"

const few = 20

export const make = () => {
  const plans = new Map<string, SavedPlan>()
  return {
    /** The name by which it is taken. */
    keep: (plan: SavedPlan): string => {
      const id = randomBytes(9).toString("base64url")
      plans.set(id, plan)
      for (const old of [...plans.keys()].slice(0, -few)) plans.delete(old)
      return id
    },
    /** Once: two clicks do nothing twice. */
    take: (id: string): SavedPlan | undefined => {
      const plan = plans.get(id)
      plans.delete(id)
      return plan
    }
  }
}

export type MappingPlans = ReturnType<typeof make>
