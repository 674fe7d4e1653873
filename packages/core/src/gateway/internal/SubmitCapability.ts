/**
 * The only way to a submission: `POST /invoice` and `POST /creditnote` of a gateway, kept beside its other operations where no caller of the
 * library reaches them. Only a permission to send (account/OpenAccount) leads here.
 */
import { Effect } from "effect"
import type { SubmitOperations } from "../operation/Submit.ts"

const transmissions = new WeakMap<object, SubmitOperations["submit"]>()

/** Keeps what submits for a gateway's operations, or by a permission to send, and returns those. */
export const keep = <Holder extends object>(holder: Holder, submit: SubmitOperations["submit"]): Holder => {
  transmissions.set(holder, submit)
  return holder
}

/** What submits for these operations, or by this permission; dies where they are none, or a copy. */
export const of = (holder: object): Effect.Effect<SubmitOperations["submit"]> => {
  const submit = transmissions.get(holder)
  return submit === undefined
    ? Effect.die(
        new Error("nothing can be sent with this: it is neither a result of Gateway.make nor a permission to send")
      )
    : Effect.succeed(submit)
}
