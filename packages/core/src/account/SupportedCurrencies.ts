import { Effect } from "effect"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type * as DeviceFacts from "../preflight/DeviceFacts.ts"

/**
 * Reads the list. A gateway without a list, or with an unreadable list, does not stop documents
 * that do not need the list.
 */
export const read = ({
  supportedCurrencies
}: Pick<GatewayOperations, "supportedCurrencies">): Effect.Effect<DeviceFacts.CurrencyAnswer, GatewayError> =>
  Effect.catchReasons(supportedCurrencies, "GatewayError", {
    NotFound: () => Effect.succeed(null),
    MalformedAnswer: ({ text }) => Effect.succeed({ unreadable: `Supported Currencies: ${text}` })
  })
