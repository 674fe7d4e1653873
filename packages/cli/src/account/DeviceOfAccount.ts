import { KnownOfGateway } from "@fiscal-connector/core/host/account"
import { Effect, type Option } from "effect"
import * as ConfigAccount from "./ConfigAccount.ts"

export const read = Effect.fnUntraced(function* (config: string, account: Option.Option<string>) {
  const { operations } = yield* ConfigAccount.gateway(config, account)
  return yield* KnownOfGateway.read(operations)
})
