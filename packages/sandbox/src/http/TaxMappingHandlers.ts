import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { World } from "../gateway/World.ts"
import { TaxMappingBody, TaxMappingChange } from "../wire/TaxMapping.ts"
import * as Answer from "./Answer.ts"
import * as Body from "./Body.ts"
import { Caller } from "./Gate.ts"
import { GatewayApi } from "./GatewayApi.ts"
import * as Leniency from "./Leniency.ts"

const decode = Body.decoder(TaxMappingBody)
const decodeChange = Body.decoder(TaxMappingChange)

/** 404 if the account does not have the mapping. */
const find = Effect.fnUntraced(function* (id: string) {
  const { account } = yield* Caller
  const mapping = /^\d{1,15}$/.test(id) ? account.taxMappings.get(Number(id)) : undefined
  return mapping ?? (yield* new Answer.Declined({ status: 404, message: "the account has no tax mapping of that Id" }))
})

/**
 * Handlers of the tax mappings. A TaxCode may be added twice, as nothing documented forbids it; the
 * first mapping counts.
 */
export const layer = HttpApiBuilder.group(GatewayApi, "taxMappings", (handlers) =>
  handlers
    .handle("taxMappings", () =>
      Caller.use(({ account }) => Effect.succeed(Answer.json([...account.taxMappings.values()])))
    )
    .handle("taxMapping", ({ params }) =>
      Effect.map(find(params.id), (mapping) => Answer.json(mapping)).pipe(Answer.respond)
    )
    .handleRaw("addTaxMapping", () =>
      Effect.gen(function* () {
        const { account, body, contentType } = yield* Caller
        const world = yield* World
        const mapping = yield* decode(body, contentType, Leniency.named(world.config))
        const added = { Id: ++world.lastMappingId, UserId: account.userId, ...mapping }
        account.taxMappings.set(added.Id, added)
        world.revision++
        return Answer.json(added)
      }).pipe(Answer.respond)
    )
    .handleRaw(
      "updateTaxMapping",
      Effect.fnUntraced(function* ({ params }) {
        const { account, body, contentType } = yield* Caller
        const world = yield* World
        const { DestinationTaxId, TaxCode, TaxName } = yield* decodeChange(
          body,
          contentType,
          Leniency.named(world.config)
        )
        const mapping = yield* find(params.id)
        account.taxMappings.set(mapping.Id, { ...mapping, TaxCode, TaxName, DestinationTaxId })
        world.revision++
        return Answer.json(true)
      }, Answer.respond)
    )
    .handle(
      "deleteTaxMapping",
      Effect.fnUntraced(function* ({ params }) {
        const mapping = yield* find(params.id)
        ;(yield* Caller).account.taxMappings.delete(mapping.Id)
        ;(yield* World).revision++
        return Answer.json(true)
      }, Answer.respond)
    )
)
