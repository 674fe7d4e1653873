/** One account as the engine sees it: always a value, never global. */
import type { Duration } from "effect"
import type { AssumptionSwitches } from "../gateway/AssumptionSwitches.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { Environment } from "./PlannedDocument.ts"

export interface SubmittingAccount {
  readonly account: string
  /** Documents planned for another environment are not sent. */
  readonly environment: Environment
  readonly gateway: Pick<GatewayOperations, "submit" | "status" | "profile">
  /** ORD-1, DOC-10 and DOC-10b are read here; what is left out has its default. */
  readonly assumptions?: Partial<Pick<AssumptionSwitches, "ORD-1" | "DOC-10" | "DOC-10b">>
  /** What becomes of an Unknown that nothing explains. `resend-flagged` needs DOC-10 = `deduplicates`. Default `hold`. */
  readonly unknown?: "hold" | "resend-flagged"
  /** `exclusive`: nobody else submits with these credentials, so an unknown request id is one of ours. Default `shared`. */
  readonly credentials?: "exclusive" | "shared"
  /** The shortest pause between two submissions of the account. Default none. */
  readonly pace?: Duration.Input
  /** The first look after acceptance. Default 6 s (STAT-7). */
  readonly firstLook?: Duration.Input
  /** The longest pause between two looks at a pending request. Default 1 hour. */
  readonly longestPause?: Duration.Input
  /** How long the gateway answers for a request. Default 7 days. */
  readonly horizon?: Duration.Input
}
