import type { InProcessSandbox } from "@fiscal-connector/sandbox/Sandbox"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClientRequest from "effect/http/HttpClientRequest"

export interface HttpDispatcher {
  dispatch(options: object, handler: object): boolean
}

interface DispatchedRequest {
  readonly origin: string
  readonly path: string
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

interface Controller {
  abort(reason: Error): void
}

interface DispatchHandler {
  onRequestStart(controller: Controller, context: object): void
  onResponseStart(
    controller: Controller,
    status: number,
    headers: Readonly<Record<string, string>>,
    message: string
  ): void
  onResponseData(controller: Controller, chunk: Uint8Array): void
  onResponseEnd(controller: Controller, trailers: object): void
  onResponseError(controller: Controller, error: Error): void
}

const requestOf = ({ body, headers, method, origin, path }: DispatchedRequest): HttpClientRequest.HttpClientRequest => {
  const request = HttpClientRequest.make(method)(origin + path, { headers })
  return body === null
    ? request
    : HttpClientRequest.bodyUint8Array(request, new Uint8Array(body), headers["content-type"])
}

export const make = (
  answer: InProcessSandbox["answer"],
  run: <A, E>(serving: Effect.Effect<A, E>, signal: AbortSignal) => Promise<Exit.Exit<A, E>>
): HttpDispatcher => ({
  dispatch(options, given) {
    const handler = given as DispatchHandler
    const aborting = new AbortController()
    let reason: Error | undefined
    const controller: Controller = {
      abort: (error) => {
        reason ??= error
        aborting.abort()
      }
    }
    const serve = async () => {
      handler.onRequestStart(controller, {})
      if (reason !== undefined) return handler.onResponseError(controller, reason)
      const exit = await run(answer(requestOf(options as DispatchedRequest)), aborting.signal)
      if (reason !== undefined) return handler.onResponseError(controller, reason)
      if (Exit.isFailure(exit)) {
        // a connection that was cut may have transferred the whole request
        return handler.onResponseError(controller, Object.assign(new Error("closed"), { code: "ECONNRESET" }))
      }
      const { body, headers, status } = exit.value
      handler.onResponseStart(controller, status, headers, "")
      handler.onResponseData(controller, Buffer.from(body))
      handler.onResponseEnd(controller, {})
    }
    queueMicrotask(() => void serve())
    return true
  }
})
