/** Tests of every program that receives webhooks, with deliveries like the gateway's. */
import { assert, describe, it } from "@effect/vitest"
import { signForTest } from "@fiscal-connector/testing/SignForTest"
import { SqliteStore } from "@fiscal-connector/core/node"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const secret = "the shop's own secret"
const shop = { secrets: [Redacted.make(secret)] }

/** Starts the program, and returns its address once printed. The scope ends the program. */
const running = (program: string, store: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly stop: () => Promise<number | null> }>((resume) => {
      const child = spawn(process.execPath, [join(import.meta.dirname, program)], {
        env: { ...process.env, PORT: "0", SHOP_SECRET: secret, STORE: store }
      })
      let printed = ""
      const ended = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)))
      const stop = () => {
        child.kill("SIGTERM")
        return ended
      }
      child.stderr.on("data", (text: Buffer) => (printed += text))
      child.stdout.on("data", (text: Buffer) => {
        printed += text
        const url = /^http\S+$/m.exec(printed)?.[0]
        if (url !== undefined) resume(Effect.succeed({ url, stop }))
      })
      void ended.then((code) => resume(Effect.die(new Error(`${program} ended with ${code}: ${printed}`))))
    }),
    ({ stop }) => Effect.promise(stop)
  )

const post = (url: string, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) =>
  Effect.promise(async () => {
    const reply = await fetch(url, { method: "POST", headers, body })
    return { status: reply.status, text: await reply.text(), cookie: reply.headers.get("set-cookie") }
  })

const deliver = (url: string, text: string) => {
  const { body, headers } = signForTest(text, shop)
  return post(url, headers, Uint8Array.from(body))
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "webhook-example-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

// spelled as no serializer would write it: parsing and writing the text again breaks the signature
const outcome = '[ {"Success":true , "RequestId":"r-\\u0031", "Error" :null, "Café":1.0} ]'

describe("a program that receives webhooks", () => {
  for (const program of ["express.ts", "fastify.ts", "node-http.ts", "effect-http.ts"]) {
    it.live(`${program} accepts deliveries of the gateway, byte for byte, and refuses all others`, () =>
      Effect.gen(function* () {
        const store = join(yield* folder, "store.db")
        const { url } = yield* running(program, store)
        const replies = [
          yield* deliver(url, outcome),
          yield* deliver(url, "[]"),
          yield* deliver(url, ""),
          yield* deliver(url, "no JSON at all"),
          yield* post(url, { "content-type": "application/json" }, outcome),
          yield* post(url, { ...signForTest("[]", shop).headers }, "[ ]")
        ]
        assert.deepStrictEqual(
          replies.map(({ status, text }) => `${status} ${text}`),
          [
            "200 1 taken",
            "200 0 taken",
            "200 0 taken",
            "200 0 taken, 1 unreadable",
            "401 the signature does not fit the bytes of the body",
            "401 the signature does not fit the bytes of the body"
          ]
        )
        assert.isTrue(replies.every(({ cookie }) => cookie === null))
        assert.strictEqual((yield* deliver(url.replace("shop", "other"), "[]")).status, 404)
        assert.isAtLeast((yield* deliver(url, " ".repeat(1024 * 1024 + 1))).status, 400)
        const orders = yield* post(new URL("/orders", url).href, { "content-type": "application/json" }, '{"a":1}')
        assert.deepStrictEqual([orders.status, orders.text], [200, '{"a":1}'])

        const kept = yield* SubmissionStore.SubmissionStore.use((opened) => opened.inbox("shop")).pipe(
          Effect.provide(SqliteStore.layer({ filename: store }))
        )
        assert.deepStrictEqual(
          kept.map(({ item }) => `${item._tag} ${item.requestId}`),
          ["Fiscalised r-1"]
        )
      }).pipe(Effect.scoped)
    )
  }
})
