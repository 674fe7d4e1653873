import { type Effect, Result } from "effect"
import * as Answer from "../exchange/Answer.ts"
import { type Calls, fitting } from "../exchange/Calls.ts"
import type { Request } from "../exchange/Exchange.ts"
import { Declined, type GatewayError } from "../contract/GatewayError.ts"

export interface Stored {
  readonly id: number
}

/**
 * Sends an update. An answer of `false` means that nothing was updated, unless switch OP-9 says
 * otherwise. Any other 2xx is a success.
 */
export const update = (calls: Calls, request: Request): Effect.Effect<void, GatewayError> =>
  calls.write(request, (answer) =>
    calls.config.assumptions["OP-9"] === "refusal" && /^\s*"?false"?\s*$/i.test(Answer.text(answer))
      ? Result.fail(new Declined({ status: 200, text: "the gateway answered false: nothing was updated" }))
      : Result.succeed(fitting(undefined))
  )
