/** The flags of every command that asks the gateway something for one account. */
import { Flag } from "effect/cli"

export const accountFlags = {
  config: Flag.File("config", { mustExist: true }).pipe(Flag.withDescription("the configuration with the account")),
  account: Flag.String("account").pipe(
    Flag.withDescription("which account of the configuration, where it has several"),
    Flag.optional
  )
}
