import { Effect, Inspectable, Option, Pipeable } from "effect"
import * as Headers from "effect/http/Headers"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"

type ReceivedHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export class UndiciResponse extends Inspectable.Class implements HttpClientResponse.HttpClientResponse {
  readonly [HttpIncomingMessage.TypeId] = HttpIncomingMessage.TypeId
  readonly [HttpClientResponse.TypeId] = HttpClientResponse.TypeId
  readonly remoteAddress = Option.none<string>()
  readonly request: HttpClientRequest.HttpClientRequest
  readonly url: string
  readonly status: number
  readonly headers: Headers.Headers
  readonly #body: ArrayBuffer

  constructor(
    request: HttpClientRequest.HttpClientRequest,
    url: URL,
    status: number,
    headers: ReceivedHeaders,
    chunks: ReadonlyArray<Uint8Array>
  ) {
    super()
    this.request = request
    this.url = url.href
    this.status = status
    this.headers = Headers.fromInput(headers)
    this.#body = joined(chunks)
  }

  get arrayBuffer() {
    return Effect.succeed(this.#body)
  }

  get text() {
    return Effect.sync(() => utf8.decode(this.#body))
  }

  // All members that no room uses rely on the platform's Response, which Node loads at first use
  // (35 ms).
  get #web(): HttpClientResponse.HttpClientResponse {
    const body = this.#body.byteLength === 0 ? null : this.#body
    return HttpClientResponse.fromWeb(this.request, new Response(body, { status: this.status, headers: this.headers }))
  }
  get json() {
    return this.#web.json
  }
  get stream() {
    return this.#web.stream
  }
  get formData() {
    return this.#web.formData
  }
  get urlParamsBody() {
    return this.#web.urlParamsBody
  }
  get cookies() {
    return this.#web.cookies
  }
  get upgrade() {
    return this.#web.upgrade
  }

  toJSON() {
    return HttpIncomingMessage.inspect(this, {
      _id: "HttpClientResponse",
      request: this.request.toJSON(),
      status: this.status
    })
  }

  pipe() {
    return Pipeable.pipeArguments(this, arguments)
  }
}

const utf8 = new TextDecoder()

const joined = (chunks: ReadonlyArray<Uint8Array>): ArrayBuffer => {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes.buffer
}
