/** The currencies that the gateway lists, as facts are made of them (preflight/DeviceFacts). */
import { Effect } from "effect"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type * as DeviceFacts from "../preflight/DeviceFacts.ts"

/** Asks for the list: the gateway may have none, or one that cannot be read, and neither stops documents that do not need it. */
export const read = ({
  supportedCurrencies
}: Pick<GatewayOperations, "supportedCurrencies">): Effect.Effect<DeviceFacts.CurrencyAnswer, GatewayError> =>
  Effect.catchReasons(supportedCurrencies, "GatewayError", {
    NotFound: () => Effect.succeed(null),
    MalformedAnswer: ({ problem }) => Effect.succeed({ unreadable: `Supported Currencies: ${problem}` })
  })
