import { connect, type ConnectOptions, type FiscalConnector, openStore } from "@fiscal-connector/promise"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { TestGateway, TestGatewayOptions } from "../Gateway.ts"
import * as gateways from "./gateway.ts"

export const testGateway = async (given: TestGatewayOptions): Promise<TestGateway> => {
  const scope = Scope.makeUnsafe()
  const gateway = await Effect.runPromise(Scope.provide(gateways.make(given), scope))
  const store = await openStore({ sqlite: ":memory:" })
  const connectors: Array<FiscalConnector> = []
  const { apiKey, application, secret, station } = gateways.credentials
  const own = {
    config: { baseUrl: gateways.baseUrl, application, station, apiKey, secret },
    store,
    clock: gateway.clock,
    http: { dispatcher: gateway.dispatcher }
  }
  const options: ConnectOptions = { account: "test", book: given.book, ...own }
  let closing: Promise<void> | undefined
  const close = async () => {
    await Promise.all(connectors.map((connector) => connector.close()))
    await store[Symbol.asyncDispose]()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  const closed = () => (closing ??= close())
  return {
    options,
    connect: async (more) => {
      const connector = await connect({ ...options, ...more, ...own })
      connectors.push(connector)
      return connector
    },
    fail: (name, ...[options]) => Effect.runSync(gateway.fail(name, options)),
    recover: () => Effect.runSync(gateway.recover),
    receipts: () => Effect.runSync(gateway.receipts),
    deliver: (webhook) => Effect.runPromise(gateway.deliver((body, headers) => webhook(new Uint8Array(body), headers))),
    now: () => gateway.clock.now(),
    advance: (millis) => gateway.clock.advance(millis),
    closeDay: () => {
      const { message, result } = Effect.runSync(gateway.closeDay)
      return { result, message }
    },
    close: closed,
    [Symbol.asyncDispose]: closed
  }
}
