/**
 * A tab survives the end of the program: same address, same cookie, and a proof before the cookie
 * is sent.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { createHmac } from "node:crypto"
import { chmodSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { ask, start, Visitor } from "./PageProcess.ts"

const book = "historical-invoices-with-faults.book.json"
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const flags = ["--config", "account.json", "--book", book]
const identity = "historical-invoices-with-faults.page.json"

describe("a restarted page", () => {
  it.live("has the former address and cookie, proves its identity without a cookie, and has a new link", function* () {
    const folder = yield* folderWith(book)
    yield* gatewayFor(folder)
    const first = yield* start(flags, env, folder)
    const visitor = yield* Effect.promise(() => Visitor.open(first))
    const file = join(folder, identity)
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    yield* Effect.promise(() => first.terminate())
    const second = yield* start(flags, env, folder)
    yield* Effect.promise(async () => {
      assert.strictEqual(second.origin, first.origin)
      assert.strictEqual(second.prefix, first.prefix)
      assert.notStrictEqual(second.link, first.link)
      // The earlier tab is let in, and its form is accepted.
      assert.strictEqual((await visitor.get("/")).status, 200)
      assert.strictEqual((await visitor.post("/resume", {})).status, 303)
      assert.include((await visitor.get("/")).body, "The program on this computer was closed.")
      const challenge = "0123456789abcdef-0123"
      const alive = await ask(second.origin, `/alive?challenge=${challenge}`, { headers: { host: second.host } })
      assert.strictEqual(alive.body, createHmac("sha256", visitor.token).update(challenge).digest("hex"))
      assert.strictEqual(
        (await ask(second.origin, "/alive?challenge=x", { headers: { host: second.host } })).status,
        404
      )
      await second.terminate()
    })
    // A file that others can read is not reused.
    const before = readFileSync(file, "utf8")
    chmodSync(file, 0o644)
    const third = yield* start(flags, env, folder)
    assert.notStrictEqual(third.prefix, first.prefix)
    assert.notStrictEqual(readFileSync(file, "utf8"), before)
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    const old = yield* Effect.promise(() =>
      ask(third.origin, `${first.prefix}/`, { headers: { host: third.host, cookie: visitor.cookie } })
    )
    assert.strictEqual(old.status, 404)
  })
})
