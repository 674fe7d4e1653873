/**
 * The only access to submitting, out of reach of library callers: only a permission to send
 * (account/OpenAccount) gives it.
 */
import { Effect } from "effect"
import type { SubmitOperations } from "../operation/Submit.ts"

const transmissions = new WeakMap<object, SubmitOperations["submit"]>()

/**
 * Keeps the submit function for a gateway's operations or for a permission to send, and returns the
 * holder.
 */
export const keep = <Holder extends object>(holder: Holder, submit: SubmitOperations["submit"]): Holder => {
  transmissions.set(holder, submit)
  return holder
}

/**
 * Returns the submit function of these operations or this permission. Dies if the holder is a copy
 * or neither of the two.
 */
export const of = (holder: object): Effect.Effect<SubmitOperations["submit"]> => {
  const submit = transmissions.get(holder)
  return submit === undefined
    ? Effect.die(
        new Error("nothing can be sent with this: it is neither a result of Gateway.make nor a permission to send")
      )
    : Effect.succeed(submit)
}
