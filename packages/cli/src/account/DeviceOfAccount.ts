/** What the gateway of an account states of its device and its mappings, for the questions of an export. Asks, and changes nothing. */
import type { GatewayOperations } from "@fiscal-connector/core/gateway/Gateway"
import * as BookPull from "@fiscal-connector/core/unstable/mapping/BookPull"
import * as GatewayMappings from "@fiscal-connector/core/unstable/mapping/GatewayMappings"
import * as DeviceFacts from "@fiscal-connector/core/unstable/preflight/DeviceFacts"
import { DateTime, Effect, type Option } from "effect"
import * as ConfigAccount from "./ConfigAccount.ts"

/** The device, and a mapping book that begins with what the gateway maps. Fails where the gateway does not answer. */
export const of = (operations: GatewayOperations) =>
  Effect.gen(function* () {
    const device = yield* operations.fiscalDevice
    const mappings = yield* GatewayMappings.read(operations)
    const now = DateTime.setZone(yield* DateTime.now, DateTime.zoneMakeOffset(0))
    const facts = DeviceFacts.make(device, mappings.supportedCurrencies, now)
    const pulled = BookPull.entries(mappings, undefined)
    // what is not mapped yet is a choice of the questions
    return { device: facts, draft: BookPull.draft({ ...pulled, comments: [] }, "UTC") }
  })

export const read = Effect.fnUntraced(function* (config: string, account: Option.Option<string>) {
  const { operations } = yield* ConfigAccount.gateway(config, account)
  return yield* of(operations)
})
