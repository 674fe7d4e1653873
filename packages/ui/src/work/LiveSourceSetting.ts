import type { Duration } from "effect"

export interface LiveSourceSetting {
  readonly name: string
  readonly tenant: string
  readonly every: Duration.Duration | null
  readonly consent: "plan" | "send"
}
