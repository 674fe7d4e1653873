/**
 * The gateway's statements about device and mappings, for questions about an export. Only reads.
 */
import { DateTime, Effect } from "effect"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import * as BookPull from "../mapping/BookPull.ts"
import * as GatewayMappings from "../mapping/GatewayMappings.ts"
import * as DeviceFacts from "../preflight/DeviceFacts.ts"

/**
 * Reads the device, the tax codes that the gateway maps, and a draft of a mapping book with these
 * codes. Fails if the gateway does not answer.
 */
export const read = Effect.fnUntraced(function* (operations: GatewayOperations) {
  const device = yield* operations.fiscalDevice
  const mappings = yield* GatewayMappings.read(operations)
  const now = DateTime.setZone(yield* DateTime.now, DateTime.zoneMakeOffset(0))
  const facts = DeviceFacts.make(device, mappings.supportedCurrencies, now)
  const pulled = BookPull.entries(mappings, undefined)
  // Codes that are not mapped yet are choices in the questions.
  return { device: facts, mapped: mappings.taxes, draft: BookPull.draft({ ...pulled, comments: [] }, "UTC") }
})
