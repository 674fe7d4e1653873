import * as Schema from "effect/Schema"
import { Delay, RetryPolicy } from "../SandboxConfig.ts"

/**
 * Settings; SandboxConfig describes the fields. A new delay applies to documents accepted from then
 * on.
 */
export const ControlSettings = Schema.Struct({ isRetry: RetryPolicy, processingDelayMillis: Delay }).annotate({
  identifier: "Settings"
})
export type ControlSettings = typeof ControlSettings.Type

export const SettingsChange = Schema.Struct({
  isRetry: Schema.optionalKey(RetryPolicy),
  processingDelayMillis: Schema.optionalKey(Delay)
}).annotate({ identifier: "SettingsChange" })
export type SettingsChange = typeof SettingsChange.Type
