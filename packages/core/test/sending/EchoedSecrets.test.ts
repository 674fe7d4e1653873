/**
 * A gateway that echoes key, secrets and signature in every place of its answers: neither the
 * store's file nor the store's reports contain them.
 */
import { assert, describe, it } from "../It.ts"
import { Duration, Effect, Layer, Redacted } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import * as StatusPoller from "../../src/sending/StatusPoller.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { apiKey, connect, type Received, secret, serve, withClient } from "../gateway/Loopback.ts"
import { drain, plan, sweep } from "./Engine.ts"
import { sendingBy } from "./ScriptedGateway.ts"

const formerSecret = "former PLANTED-3d1e"

const echoOf = ({ headers }: Received) =>
  `${headers["x-api-key"]} ${secret} former\nPLANTED-3d1e ${headers["x-api-signature"]}`

const letterByLetter = (text: string) =>
  Array.from(text, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")

/** Answers by document id: a status and a body. */
const replies: { readonly [id: string]: (one: Received) => readonly [number, string] } = {
  i1: () => [200, apiKey],
  i2: ({ headers }) => [200, `r2-${headers["x-api-key"]}`],
  i3: ({ headers }) => [200, headers["x-api-signature"] ?? ""],
  i4: (one) => [500, `<html><h1>${echoOf(one)}</h1>former<br>PLANTED-3d1e</html>`],
  i5: (one) => [400, `{"message":"${letterByLetter(echoOf(one))}"}`],
  i6: (one) => [422, JSON.stringify({ errors: { [apiKey]: echoOf(one) } })],
  i7: (one) => [401, echoOf(one)],
  i8: () => [200, "r8"],
  i9: () => [200, "r9"],
  i10: () => [200, "r10"],
  i11: () => [200, "r11"]
}

const status = (one: Received) => {
  const echo = echoOf(one)
  const proof = { QrCodeUrl: `https://x.example/?k=${encodeURIComponent(echo)}`, VerificationCode: echo, [echo]: echo }
  return JSON.stringify([
    { RequestId: "r8", Success: true, QrData: proof, FiscalInvoicePdf: `${apiKey}.pdf`, Echo: one.headers },
    {
      RequestId: "r9",
      Success: false,
      IsActionable: true,
      Error: `${echo} former\u200bPLANTED-3d1e`,
      [secret]: { deep: [echo] }
    },
    {
      RequestId: "r10",
      Success: false,
      IsActionable: false,
      Error: { text: `RCPT026: ${echo}`, more: "x".repeat(1900) }
    },
    { RequestId: "r11", Success: false, IsActionable: false, Error: "x".repeat(1985) + apiKey },
    { RequestId: apiKey, Success: true, QrData: proof }
  ])
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "echoed-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const storeIn = (path: string) =>
  Layer.mergeAll(Submitter.layer(), StatusPoller.layer).pipe(
    Layer.provideMerge(Layer.fresh(SqliteStore.layer({ filename: join(path, "store.db") })))
  )

const assertClean = (text: string) => {
  for (const planted of [apiKey, secret, formerSecret, "PLANTED"]) assert.notInclude(text, planted)
  assert.notMatch(text, /[A-Za-z0-9+/]{43}=/, "a signature")
}

describe("secrets that a gateway echoes", () => {
  it.live("appear in no byte of the store and in none of its texts", function* () {
    const path = yield* folder
    const told = yield* Effect.gen(function* () {
      const { baseUrl, received } = yield* serve((one, response) => {
        if (one.path.endsWith("/status")) return response.end(status(one))
        const reply = replies[/"InvoiceId":"(i\d+)"/.exec(one.body)?.[1] ?? ""]
        const [code, body] = reply === undefined ? [500, echoOf(one)] : reply(one)
        response.writeHead(code, { "x-echo": apiKey }).end(body)
      })
      const gateway = yield* connect(baseUrl, {
        secret: Redacted.make(secret),
        formerSecrets: [Redacted.make(formerSecret)],
        retries: { times: 0 }
      })
      const ids = Object.keys(replies)
      // Each document is in a separate lane, so that no document waits for another.
      const accounts = ids.map((id, i) =>
        sendingBy(gateway, { account: `shop ${id}`, firstLook: 0 }, { deviceId: 2000 + i })
      )
      yield* plan(...ids.map((id, i) => invoice(id, { account: `shop ${id}`, lane: `test/${2000 + i}` })))
      const reports = yield* drain(...accounts)
      yield* Effect.sleep(20)
      const sweeps = yield* sweep(...accounts)
      assert.isAtLeast(received.length, ids.length + 3)
      const store = yield* SubmissionStore
      const list = yield* store.list({})
      assert.deepStrictEqual(
        list.map(({ id, state }) => `${id} ${state}`),
        [
          "i1 Unknown",
          "i2 Unknown",
          "i3 Unknown",
          "i4 Unknown",
          "i5 Declined",
          "i6 Declined",
          "i7 Planned",
          "i8 Fiscalised",
          "i9 Accepted",
          "i10 Rejected",
          "i11 Accepted"
        ]
      )
      const explanations = yield* Effect.forEach(list, (one) => store.explain(one))
      const [health, lanes] = [yield* store.health(Duration.days(7)), yield* store.lanes()]
      return JSON.stringify({ reports, sweeps, list, explanations, health, lanes }, (_, value: unknown) =>
        typeof value === "bigint" ? String(value) : value
      )
    }).pipe(Effect.provide(storeIn(path)), withClient(), Effect.scoped)
    assert.include(told, "<redacted>")
    assertClean(told)
    const files = readdirSync(path)
    assert.isNotEmpty(files)
    const bytes = files.map((file) => readFileSync(join(path, file), "latin1")).join("")
    assert.include(bytes, "<redacted>")
    assertClean(bytes)
  })
})
