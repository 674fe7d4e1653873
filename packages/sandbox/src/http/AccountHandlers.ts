import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { type SandboxAccount, type Device, World } from "../gateway/World.ts"
import * as FiscalDevice from "../wire/FiscalDevice.ts"
import * as Profile from "../wire/Profile.ts"
import * as Subscription from "../wire/Subscription.ts"
import * as Zone from "../wire/Zone.ts"
import { Anything } from "./AccountApi.ts"
import * as Answer from "./Answer.ts"
import * as Body from "./Body.ts"
import { Caller } from "./Gate.ts"
import { GatewayApi } from "./GatewayApi.ts"

/** Returns the device attached to an account. Fails with 404 if the account has no device. */
export const deviceOf = (account: SandboxAccount): Effect.Effect<Device, Answer.Declined> =>
  account.device === undefined
    ? Effect.fail(new Answer.Declined({ status: 404, message: "no fiscal device is attached to the account" }))
    : Effect.succeed(account.device)

const decodeAnything = Body.decoder(Anything)
const pingEvery = 5 * 60_000

export const layer = HttpApiBuilder.group(GatewayApi, "account", (handlers) =>
  handlers
    .handle("profile", () => Caller.use(({ account }) => Effect.succeed(Answer.json(Profile.of(account)))))
    .handle("fiscalDevice", () =>
      Effect.gen(function* () {
        const { config } = yield* deviceOf((yield* Caller).account)
        const now = yield* (yield* World).clock.now
        return Answer.json(FiscalDevice.of(config, Zone.civil(config.zone, now + pingEvery)))
      }).pipe(Answer.respond)
    )
    .handle("subscription", () =>
      Effect.gen(function* () {
        const { config, id } = yield* deviceOf((yield* Caller).account)
        return config.subscription === null
          ? yield* new Answer.Declined({ status: 404, message: "the subscription is unavailable" })
          : Answer.json(Subscription.of(config.subscription, id))
      }).pipe(Answer.respond)
    )
    .handleRaw("test", () =>
      Effect.gen(function* () {
        const { body, contentType } = yield* Caller
        yield* decodeAnything(body, contentType)
        return Answer.json({ Message: "the request was understood" })
      }).pipe(Answer.respond)
    )
)
