/** Figures of patience: how long the connector waits before it concludes or reports something. */
import { Duration } from "effect"

/** Time after which a success without a proof is reported. */
export const proofMissingAfter = {
  is: Duration.minutes(10),
  unit: "time since the success arrived",
  reason: "gateways print and sign after they report a success; the looks of ten minutes cover that",
  mutant: "a success without a proof is reported at once"
} as const
