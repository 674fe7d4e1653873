/** A kind of live source of an operator's own, named by the configuration. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, copyFileSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const kind = `import { defineAdapter, defineSource, defineSourceKind, LiveSourceError, SourceAddress } from "@fiscal-connector/adapter-kit"
import { Effect, Redacted, Schema } from "effect"

const adapter = defineAdapter({
  name: "erp",
  extensions: [".json"],
  options: { currency: Schema.String },
  async *read(file, { document, json, options }) {
    for await (const row of json.items(file, "/sales"))
      yield document(row, {
        kind: "invoice",
        id: row.text("id"),
        number: row.text("number"),
        date: row.date("day"),
        currency: options.currency,
        taxMode: "inclusive",
        lines: row.each("lines", (line) => ({
          description: line.text("label"),
          quantity: line.decimal("quantity"),
          unitPrice: line.decimal("price"),
          taxCode: line.text("tax"),
          productCode: line.text("code")
        }))
      })
  }
})

export default defineSourceKind({
  settings: { url: SourceAddress, shelf: Schema.String },
  options: adapter.options,
  check: ({ secret }) => (secret === undefined ? [{ path: ["secretFile"], message: "expected the key of the shop" }] : []),
  open: ({ name, options, secret, settings }) => {
    const get = (path, operation) =>
      Effect.tryPromise({
        try: async () => {
          const answer = await fetch(settings.url + path, { headers: { key: Redacted.value(secret) } })
          return { status: answer.status, text: await answer.text() }
        },
        catch: () => new LiveSourceError({ source: name, operation, reason: { _tag: "Unreached", because: "fetch" } })
      })
    const page = (text) => ({
      bytes: new TextEncoder().encode(text),
      records: JSON.parse(text).sales.map(({ changed, id, number }) => ({ id, number, kind: "invoice", modified: changed, needs: [] })),
      more: "last",
      answeredAt: null
    })
    return Effect.succeed(
      defineSource({
        name: "erp",
        adapter,
        options,
        endpoints: ["sales"],
        limits: { idsPerCall: 1 },
        identity: Effect.succeed({ tenant: settings.shelf, name: "Own shop" }),
        pages: ({ since }) => Effect.map(get("/sales?since=" + (since ?? 0), "sales"), ({ text }) => page(text)),
        byIds: (_, [id]) =>
          Effect.map(get("/sales/" + id, "sale"), ({ status, text }) =>
            status === 404 ? { pages: [], absent: [id], requests: 1 } : { pages: [page(text)], absent: [], requests: 1 }
          )
      })
    )
  }
})
`

const sale = (n: number) => ({
  id: `s${n}`,
  number: `S-${n}`,
  day: "2026-02-20",
  changed: Date.parse("2026-02-20T08:00:00Z") + n * 1000,
  lines: [{ label: "Lamp", quantity: 1, price: 11.55, tax: "OUTPUT", code: "94036000" }]
})

/** Starts a shop with three sales, and writes the kind and a configuration that names its file. */
const shop = Effect.gen(function* () {
  const folder = yield* folderWith("historical-invoices.book.json")
  const { control } = yield* gatewayFor(folder, { gateway: { processingDelayMillis: 1 } })
  const sales = [sale(1), sale(2), sale(3)]
  const server = createServer((request, response) => {
    const [, id] = /^\/sales\/(\w+)$/.exec(request.url ?? "") ?? []
    const since = Number(new URL(request.url ?? "/", "http://localhost").searchParams.get("since"))
    const found =
      id === undefined ? sales.filter(({ changed }) => changed >= since) : sales.filter((one) => one.id === id)
    const isRefused = request.headers["key"] !== "key of the shop"
    response.statusCode = isRefused ? 401 : id !== undefined && found.length === 0 ? 404 : 200
    response.end(isRefused ? "{}" : JSON.stringify({ sales: found }))
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => void server.close())
  )
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 })
  write("erp.mjs", kind)
  write("shop.key", "key of the shop\n")
  const config = JSON.parse(readFileSync(join(folder, "account.json"), "utf8")) as { readonly accounts: object }
  const configure = (more: Readonly<Record<string, unknown>> = {}) =>
    write(
      "account.json",
      JSON.stringify({
        ...config,
        sources: {
          shop: {
            kind: "./erp.mjs",
            account: "main",
            book: "historical-invoices.book.json",
            tenant: "shelf-1",
            goLive: "2026-01-01",
            consent: "send",
            url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
            shelf: "shelf-1",
            secretFile: "shop.key",
            every: "1 minute",
            options: { currency: "USD" },
            ...more
          }
        }
      })
    )
  configure()
  const receipts = Effect.map(control.receipts, (all) => all.map(({ documentNumber }) => documentNumber).toSorted())
  const run = (...args: ReadonlyArray<string>) => connector([...args, "--config", "account.json"], { cwd: folder })
  return { folder, sales, configure, receipts, run }
})

// slow: the command runs several times
describe("a kind of live source of an operator's own", () => {
  it.live("is planned, sent and compared by sync, and its file is printed", () =>
    Effect.gen(function* () {
      const { receipts, run, sales } = yield* shop
      const first = yield* run("sync", "shop")
      assert.match(first.out, /The first run is a plan/, first.err)
      assert.match(first.err, /^Source .*erp\.mjs, which runs with your rights\.$/m)
      assert.strictEqual((yield* run("sync", "shop")).code, 0)
      assert.deepStrictEqual(yield* receipts, ["S-1", "S-2", "S-3"])
      sales.push(sale(4))
      const { code, out } = yield* run("sync", "shop", "--json")
      assert.deepStrictEqual([code, lines(out)[0]?.["new"]], [0, 1])
      assert.strictEqual((yield* run("health")).code, 0)
      const login = yield* run("source", "login", "shop")
      assert.match(login.err, /has an API key \(secretFile\), and no login/)
    }).pipe(Effect.scoped)
  )

  it.live("is read by a worker", () =>
    Effect.gen(function* () {
      const { folder, receipts, run } = yield* shop
      yield* run("sync", "shop")
      const database = new DatabaseSync(join(folder, "fiscal-connector.db"))
      // the next run of the worker is due
      database.exec("update fiscal_source set ran_at = ran_at - 90000")
      database.close()
      const ended = yield* connector(["work", "--config", "account.json"], {
        cwd: folder,
        watch: (printed, { interrupt }) => {
          if (/3 sent, nothing is left to send/.test(printed)) interrupt()
        }
      })
      assert.match(ended.out, /source 3 read, 3 new/, ended.err)
      assert.deepStrictEqual(yield* receipts, ["S-1", "S-2", "S-3"])
    }).pipe(Effect.scoped)
  )

  it.live("has wrong settings and wrong code reported at their place, and code that others may change refused", () =>
    Effect.gen(function* () {
      const { configure, folder, run } = yield* shop
      configure({ shelf: 7, url: "ftp://shop", secretFile: undefined, options: {}, colour: "red" })
      for (const args of [
        ["sync", "shop"],
        ["config", "check"]
      ]) {
        const { code, err, out } = yield* run(...args)
        assert.strictEqual(code, 1)
        for (const text of [
          /sources\.shop\.shelf: Expected string/,
          /sources\.shop\.url: expected an https address/,
          /sources\.shop\.secretFile: expected the key of the shop/,
          /sources\.shop\.options\.currency: is not set/,
          /sources\.shop\.colour: there is no such setting/,
          /account\.json:1:\d+/
        ])
          assert.match(out + err, text)
      }
      configure({ kind: "xerolike" })
      assert.match((yield* run("sync", "shop")).err, /sources\.shop\.kind: there is no kind xerolike, but xero-like/)
      copyFileSync(join(folder, "shop.key"), join(folder, "not.mjs"))
      configure({ kind: "./not.mjs" })
      assert.match((yield* run("sync", "shop")).err, /cannot be loaded/)
      configure()
      chmodSync(join(folder, "erp.mjs"), 0o666)
      const exposed = yield* run("sync", "shop")
      assert.match(exposed.err, /sources\.shop\.kind: its code runs with your rights, and every user may write/)
      assert.notMatch(exposed.err, /which runs with your rights\.$/m)
    }).pipe(Effect.scoped)
  )
})
