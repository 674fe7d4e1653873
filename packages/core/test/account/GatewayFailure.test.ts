/**
 * Each kind of failure has a separate code and sentence, from real sockets to the finding for the
 * operator.
 */
import { assert, describe, it } from "../It.ts"
import { Effect, type Scope } from "effect"
import * as tls from "node:tls"
import * as GatewayFailure from "../../src/account/GatewayFailure.ts"
import type { GatewayError } from "../../src/gateway/contract/GatewayError.ts"
import type * as UndiciHttpClient from "../../src/node/UndiciHttpClient.ts"
import { closedPort, connect, serveAnswer, withClient } from "../gateway/Loopback.ts"
import { certificate, expired, privateKey } from "../gateway/LoopbackCertificate.ts"
import * as Sample from "../gateway/SampleAnswers.ts"

const failing = (baseUrl: string, options: UndiciHttpClient.DispatcherOptions = {}) =>
  Effect.flatMap(connect(baseUrl, { retries: { times: 0 } }), (gateway) => Effect.flip(gateway.fiscalDevice)).pipe(
    withClient(options)
  )

const answering = (...[status, body, headers]: Parameters<typeof serveAnswer>) =>
  Effect.flatMap(serveAnswer(status, body, headers), ({ baseUrl }) => failing(baseUrl))

const serveTls = (cert: string, key: string) =>
  Effect.callback<number, never, Scope.Scope>((resume) => {
    const server = tls.createServer({ cert, key }, (socket) => socket.on("error", () => undefined))
    server.on("tlsClientError", () => undefined)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
    return Effect.sync(() => server.close())
  })

const page = "<!doctype html><title>Sign in</title>"

const kinds: Readonly<Record<string, readonly [Effect.Effect<GatewayError, unknown, Scope.Scope>, string]>> = {
  GATEWAY_REFUSES_CONNECTION: [
    Effect.flatMap(closedPort, (port) => failing(`http://127.0.0.1:${port}`)),
    "ECONNREFUSED"
  ],
  GATEWAY_NAME_UNKNOWN: [failing("https://gateway.invalid/api"), "the name was not resolved"],
  NOT_A_GATEWAY: [answering(200, page), "Get Fiscal Device"],
  GATEWAY_REDIRECTS: [
    answering(302, "", { location: "https://elsewhere.example" }),
    "a redirect, which is not followed"
  ],
  GATEWAY_DOWN: [answering(502, page), "502"],
  GATEWAY_BUSY: [answering(429, ""), "429"],
  ANSWER_MALFORMED: [
    answering(200, JSON.stringify({ ...Sample.fiscalDevice, IsActive: "yes" })),
    "Get Fiscal Device: malformed answer: IsActive: "
  ],
  GATEWAY_SPEAKS_HTTP: [
    Effect.flatMap(serveAnswer(200, "{}"), ({ baseUrl }) => failing(baseUrl.replace("http:", "https:"))),
    "TLS"
  ],
  CERTIFICATE_UNTRUSTED: [
    Effect.flatMap(serveTls(certificate, privateKey), (port) => failing(`https://localhost:${port}`)),
    "TLS"
  ],
  CERTIFICATE_EXPIRED: [
    Effect.flatMap(serveTls(expired.certificate, expired.privateKey), (port) =>
      failing(`https://localhost:${port}`, { ca: expired.certificate })
    ),
    "the certificate of the gateway expired on 2025-06-30"
  ]
}

describe("a gateway that does not answer", () => {
  for (const [code, [failure, text]] of Object.entries(kinds)) {
    it.live(`is reported as ${code}`, function* () {
      const finding = GatewayFailure.finding(yield* failure as Effect.Effect<GatewayError, never, Scope.Scope>)
      assert.strictEqual(finding.code, code, finding.message)
      assert.include(finding.message, text)
      assert.isNotEmpty(finding.fix)
    })
  }
})
