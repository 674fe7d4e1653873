/**
 * What can be changed while the sandbox runs.
 */
import * as Schema from "effect/Schema"
import { Delay, RetryPolicy } from "../SandboxConfig.ts"

/** See SandboxConfig for what they mean. A new delay holds for what is accepted from then on. */
export const Settings = Schema.Struct({ isRetry: RetryPolicy, processingDelayMillis: Delay }).annotate({
  identifier: "Settings"
})
export type Settings = typeof Settings.Type

/** A change of settings: what is absent stays. */
export const SettingsChange = Schema.Struct({
  isRetry: Schema.optionalKey(RetryPolicy),
  processingDelayMillis: Schema.optionalKey(Delay)
}).annotate({ identifier: "SettingsChange" })
export type SettingsChange = typeof SettingsChange.Type
