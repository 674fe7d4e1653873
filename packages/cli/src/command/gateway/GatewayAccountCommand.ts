/**
 * Subcommands of `connector gateway` for the owner of the credentials and the resources attached to
 * them (docs/gateway.md#resources).
 */
import { Command } from "effect/cli"
import { answer, flags } from "./GatewayCall.ts"

export const profile = Command.make("profile", flags, (given) => answer(given, ({ profile }) => profile)).pipe(
  Command.withDescription("Get Profile: whose credentials these are")
)

export const fiscalDevice = Command.make("fiscaldevice", flags, (given) =>
  answer(given, ({ fiscalDevice }) => fiscalDevice)
).pipe(Command.withDescription("Get Fiscal Device: the device of the account, its flags and taxes"))

export const subscription = Command.make("subscription", flags, (given) =>
  answer(given, ({ subscription }) => subscription)
).pipe(Command.withDescription("Subscription: the device's billing"))

export const test = Command.make("test", flags, (given) => answer(given, ({ test }) => test)).pipe(
  Command.withDescription("Test: a signed call that changes nothing; shows that the secret is right")
)
