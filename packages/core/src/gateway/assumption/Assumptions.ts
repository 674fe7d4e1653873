/**
 * Register of assumptions about everything that the gateway's contract leaves open
 * (docs/gateway.md#assumptions). Data for `connector assumptions`, for docs/assumptions.md, and for
 * users whose gateway differs.
 */
import type { Assumption } from "./Assumption.ts"
import { authentication } from "./AuthenticationAssumptions.ts"
import { documents } from "./DocumentAssumptions.ts"
import { operations } from "./OperationAssumptions.ts"
import { results } from "./ResultAssumptions.ts"
import { webhooks } from "./WebhookAssumptions.ts"
import { defaults } from "../contract/AssumptionSwitches.ts"

export const assumptions = {
  ...authentication,
  ...webhooks,
  ...results,
  ...operations,
  ...documents
} as const satisfies { readonly [id: string]: Assumption }

export type AssumptionId = keyof typeof assumptions

/**
 * Returns the value that applies unless it is changed. Empty if nothing can change the assumption.
 */
export const standardOf = ({ switch: lever }: Assumption): string => {
  switch (lever.by) {
    case "switch":
      return String(defaults[lever.id])
    case "setting":
      return lever.standard
    case "book":
    case "nothing":
      return ""
  }
}
