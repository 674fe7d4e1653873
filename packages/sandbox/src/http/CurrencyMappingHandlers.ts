import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { World } from "../gateway/World.ts"
import { CurrencyMappingBody, CurrencyMappingChange } from "../wire/CurrencyMapping.ts"
import * as Answer from "./Answer.ts"
import * as Body from "./Body.ts"
import { Caller } from "./Gate.ts"
import { GatewayApi } from "./GatewayApi.ts"

const decode = Body.decoder(CurrencyMappingBody)
const decodeChange = Body.decoder(CurrencyMappingChange)

/** 404 if the account does not have the mapping. */
const find = Effect.fnUntraced(function* (id: string) {
  const { account } = yield* Caller
  const mapping = /^\d{1,15}$/.test(id) ? account.currencyMappings.get(Number(id)) : undefined
  return (
    mapping ?? (yield* new Answer.Declined({ status: 404, message: "the account has no currency mapping of that Id" }))
  )
})

/**
 * Handlers of the currency mappings. A SourceCurrency may be added twice; the first mapping counts.
 */
export const layer = HttpApiBuilder.group(GatewayApi, "currencyMappings", (handlers) =>
  handlers
    .handle("supportedCurrencies", () =>
      Caller.use(({ account }) => Effect.succeed(Answer.json(account.device?.config.supportedCurrencies ?? [])))
    )
    .handle("currencyMappings", () =>
      Caller.use(({ account }) => Effect.succeed(Answer.json([...account.currencyMappings.values()])))
    )
    .handle("currencyMapping", ({ params }) =>
      Effect.map(find(params.id), (mapping) => Answer.json(mapping)).pipe(Answer.respond)
    )
    .handleRaw("addCurrencyMapping", () =>
      Effect.gen(function* () {
        const { account, body, contentType } = yield* Caller
        const world = yield* World
        const mapping = yield* decode(body, contentType)
        const added = {
          Id: ++world.lastMappingId,
          UserId: account.userId,
          RegulatorDeviceId: account.device?.id ?? null,
          ...mapping
        }
        account.currencyMappings.set(added.Id, added)
        world.revision++
        return Answer.json(added)
      }).pipe(Answer.respond)
    )
    .handleRaw(
      "updateCurrencyMapping",
      Effect.fnUntraced(function* ({ params }) {
        const { account, body, contentType } = yield* Caller
        const { DestinationCurrency, SourceCurrency } = yield* decodeChange(body, contentType)
        const mapping = yield* find(params.id)
        account.currencyMappings.set(mapping.Id, { ...mapping, SourceCurrency, DestinationCurrency })
        ;(yield* World).revision++
        return Answer.json(true)
      }, Answer.respond)
    )
    .handle(
      "deleteCurrencyMapping",
      Effect.fnUntraced(function* ({ params }) {
        const mapping = yield* find(params.id)
        ;(yield* Caller).account.currencyMappings.delete(mapping.Id)
        ;(yield* World).revision++
        return Answer.json(true)
      }, Answer.respond)
    )
)
