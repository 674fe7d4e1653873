/** What the gateway of an account states of its device and its mappings, for the questions of an export. Asks, and changes nothing. */
import { DateTime, Effect } from "effect"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import * as BookPull from "../mapping/BookPull.ts"
import * as GatewayMappings from "../mapping/GatewayMappings.ts"
import * as DeviceFacts from "../preflight/DeviceFacts.ts"

/** The device, the tax codes that the gateway maps, and a mapping book that begins with them. Fails where the gateway does not answer. */
export const read = (operations: GatewayOperations) =>
  Effect.gen(function* () {
    const device = yield* operations.fiscalDevice
    const mappings = yield* GatewayMappings.read(operations)
    const now = DateTime.setZone(yield* DateTime.now, DateTime.zoneMakeOffset(0))
    const facts = DeviceFacts.make(device, mappings.supportedCurrencies, now)
    const pulled = BookPull.entries(mappings, undefined)
    // what is not mapped yet is a choice of the questions
    return { device: facts, mapped: mappings.taxes, draft: BookPull.draft({ ...pulled, comments: [] }, "UTC") }
  })
