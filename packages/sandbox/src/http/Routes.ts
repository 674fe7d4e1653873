import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ControlBody from "../control/ControlBody.ts"
import * as ControlHandlers from "../control/ControlHandlers.ts"
import * as AccountHandlers from "./AccountHandlers.ts"
import * as CurrencyMappingHandlers from "./CurrencyMappingHandlers.ts"
import * as Docs from "./Docs.ts"
import { World } from "../gateway/World.ts"
import * as Gate from "./Gate.ts"
import { GatewayApi } from "./GatewayApi.ts"
import * as NothingHere from "./NothingHere.ts"
import * as ReportHandlers from "./ReportHandlers.ts"
import * as TaxMappingHandlers from "./TaxMappingHandlers.ts"
import * as TransactionHandlers from "./TransactionHandlers.ts"
import * as WebhookHandlers from "../webhook/WebhookHandlers.ts"

const handlers = Layer.mergeAll(
  AccountHandlers.layer,
  TransactionHandlers.layer,
  ReportHandlers.layer,
  TaxMappingHandlers.layer,
  CurrencyMappingHandlers.layer,
  ControlHandlers.layer,
  WebhookHandlers.layer
).pipe(Layer.provide([Gate.layer, ControlBody.layer]))

const openApi = (prefix: string) =>
  HttpRouter.add(
    "GET",
    "/openapi.json",
    Effect.sync(() => HttpServerResponse.jsonUnsafe(Docs.document(prefix)))
  )

const routes = (prefix: string) =>
  Layer.mergeAll(
    HttpApiBuilder.layer(GatewayApi).pipe(Layer.provide(handlers)),
    openApi(prefix),
    HttpRouter.add("GET", "/docs", Docs.page(prefix))
  )

/**
 * Returns the application. A path outside `prefix`, or without an operation, is 404; the root
 * states the place of the docs.
 */
export const make = (prefix: string) =>
  Effect.map(HttpRouter.toHttpEffect(routes(prefix)), (app) => {
    const answered = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const nothing = Effect.sync(() => NothingHere.answer(prefix, request))
      return request.url.startsWith(`${prefix}/`)
        ? Effect.catchReason(app, "HttpServerError", "RouteNotFound", () => nothing).pipe(
            Effect.provideService(
              HttpServerRequest.HttpServerRequest,
              request.modify({ url: request.url.slice(prefix.length) })
            )
          )
        : nothing
    })
    // A client compares this clock with its own.
    const dated = Effect.flatMap(answered, (response) =>
      Effect.map(
        World.use(({ clock }) => clock.now),
        (now) => HttpServerResponse.setHeader(response, "Date", new Date(now).toUTCString())
      )
    )
    // Requests contain credentials and personal data: spans are disabled.
    return Effect.provideService(dated, HttpMiddleware.TracerDisabledWhen, () => true)
  })
