/** What updates of tax mappings and of currency mappings have in common. */
import { Effect } from "effect"
import * as Answer from "./Answer.ts"
import type { Calls } from "./Calls.ts"
import type { Request } from "./Exchange.ts"
import { Declined, GatewayError } from "./GatewayError.ts"
import { operations } from "./Operation.ts"

/** Sends an update. An answer of `false` means that nothing was updated, unless switch OP-9 says otherwise; any other 2xx is done. */
export const update = (calls: Calls, request: Request): Effect.Effect<void, GatewayError> =>
  Effect.flatMap(calls.write(request), (answer) =>
    calls.config.assumptions["OP-9"] === "refusal" && /^\s*"?false"?\s*$/i.test(Answer.text(answer))
      ? Effect.fail(new GatewayError({ operation: operations[request.operation].name, reason: notUpdated }))
      : Effect.void
  )

const notUpdated = new Declined({ status: 200, text: "the gateway answered false: nothing was updated" })
