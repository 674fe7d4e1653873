/**
 * Shown plans of the gateway's mappings that were not applied yet, so that a button applies exactly
 * the shown plan.
 */
import type { SavedPlan } from "@fiscal-connector/core/host/import"
import { randomBytes } from "node:crypto"

/** Plans kept in memory; the oldest is dropped first. */
const few = 20

export const make = () => {
  const plans = new Map<string, SavedPlan.SavedPlan>()
  return {
    keep: (plan: SavedPlan.SavedPlan): string => {
      const id = randomBytes(9).toString("base64url")
      plans.set(id, plan)
      for (const old of [...plans.keys()].slice(0, -few)) plans.delete(old)
      return id
    },
    /** Returns and removes a plan, so that a second click does nothing. */
    take: (id: string): SavedPlan.SavedPlan | undefined => {
      const plan = plans.get(id)
      plans.delete(id)
      return plan
    }
  }
}

export type MappingPlans = ReturnType<typeof make>
