/**
 * The register of assumptions: what we take where the gateway's contract is silent (docs/gateway.md#assumptions). Data for
 * `connector assumptions`, for docs/assumptions.md and for whoever finds that the gateway differs.
 */
import type { Assumption } from "./assumption/Assumption.ts"
import { authentication } from "./assumption/AuthenticationAssumptions.ts"
import { documents } from "./assumption/DocumentAssumptions.ts"
import { operations } from "./assumption/OperationAssumptions.ts"
import { results } from "./assumption/ResultAssumptions.ts"
import { webhooks } from "./assumption/WebhookAssumptions.ts"
import { defaults } from "./AssumptionSwitches.ts"

export const assumptions = {
  ...authentication,
  ...webhooks,
  ...results,
  ...operations,
  ...documents
} as const satisfies { readonly [id: string]: Assumption }

export type AssumptionId = keyof typeof assumptions

/** What holds unless something says otherwise; empty where nothing can. */
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
