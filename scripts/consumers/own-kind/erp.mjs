/** A kind of source as an operator writes it: a shop with a login, and a system to try it with. */
import {
  defineAdapter,
  defineSource,
  defineSourceKind,
  EndpointAddress,
  LiveSourceError,
  SourceAddress
} from "@fiscal-connector/adapter-kit"
import { refreshing } from "@fiscal-connector/adapter-kit/OAuthGrants"
import { TokenFile } from "@fiscal-connector/core/adapter"
import { Effect, Redacted, Schema } from "effect"
import { createServer } from "node:http"
import { resolve } from "node:path"

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
        replaces: { by: "id", value: row.optional.text("replaces") },
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

const client = ({ folder, name, secret, settings }) => {
  const options = { source: name, tokenUrl: settings.tokenUrl, clientId: "shop", clientSecret: secret }
  const file = resolve(folder, "shop.tokens.json")
  return { options, file, tokens: TokenFile.make({ source: name, file, refresh: refreshing(options) }) }
}

/** Answers of the shop to try the kind with: a login, a list of sales and each sale. */
const answer = (sales, { body, bearer, method, url }) => {
  const { pathname, searchParams } = url
  if (pathname === "/login") {
    const back = new URL(searchParams.get("redirect_uri"))
    back.searchParams.set("code", "agreed")
    back.searchParams.set("state", searchParams.get("state"))
    return { status: 302, headers: { location: back.href } }
  }
  if (pathname === "/token")
    return { json: { access_token: "good", refresh_token: "next", token_type: "Bearer", expires_in: 600 } }
  if (method === "POST" && pathname === "/_control/sales") {
    sales.push(JSON.parse(body))
    return { json: {} }
  }
  if (bearer !== "Bearer good") return { status: 401, json: {} }
  const [, id] = /^\/sales\/(\w+)$/.exec(pathname) ?? []
  const since = Number(searchParams.get("since"))
  const found =
    id === undefined ? sales.filter(({ changed }) => changed >= since) : sales.filter((sale) => sale.id === id)
  return { status: id !== undefined && found.length === 0 ? 404 : 200, json: { sales: found } }
}

const served = (sales, port) =>
  Effect.acquireRelease(
    Effect.callback((resume) => {
      const server = createServer(async (request, response) => {
        let body = ""
        for await (const chunk of request) body += chunk
        const { authorization: bearer } = request.headers
        const url = new URL(request.url, "http://localhost")
        const { headers = {}, json, status = 200 } = answer(sales, { body, bearer, method: request.method, url })
        response.writeHead(status, { "content-type": "application/json", ...headers })
        response.end(json === undefined ? "" : JSON.stringify(json))
      })
      server.once("error", (cause) => resume(Effect.fail(cause)))
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

export default defineSourceKind({
  settings: {
    url: SourceAddress,
    tokenUrl: EndpointAddress,
    authorizeUrl: EndpointAddress,
    redirectUrl: EndpointAddress,
    shelf: Schema.String
  },
  options: adapter.options,
  check: ({ secret }) =>
    secret === undefined ? [{ path: ["secretFile"], message: "expected the key of the shop" }] : [],
  open: (given) =>
    Effect.map(client(given).tokens, (tokens) => {
      const { name, options, settings } = given
      const get = (path, operation) =>
        Effect.flatMap(tokens.current, (token) =>
          Effect.tryPromise({
            try: async () => {
              const authorization = `Bearer ${Redacted.value(token)}`
              const response = await fetch(settings.url + path, { headers: { authorization } })
              return { status: response.status, text: await response.text() }
            },
            catch: () =>
              new LiveSourceError({ source: name, operation, reason: { _tag: "Unreached", because: "fetch" } })
          })
        )
      const page = (text) => ({
        bytes: new TextEncoder().encode(text),
        records: JSON.parse(text).sales.map(({ changed, id, number }) => ({
          id,
          number,
          kind: "invoice",
          modified: changed,
          needs: []
        })),
        more: "last",
        answeredAt: null
      })
      return defineSource({
        name: "erp",
        adapter,
        options,
        endpoints: ["sales"],
        limits: { idsPerCall: 1 },
        identity: Effect.succeed({ tenant: settings.shelf, name: "Own shop" }),
        pages: ({ since }) => Effect.map(get(`/sales?since=${since ?? 0}`, "sales"), ({ text }) => page(text)),
        byIds: (_, [id]) =>
          Effect.map(get(`/sales/${id}`, "sale"), ({ status, text }) =>
            status === 404 ? { pages: [], absent: [id], requests: 1 } : { pages: [page(text)], absent: [], requests: 1 }
          )
      })
    }),
  login: (given) => {
    const { file, options, tokens } = client(given)
    const { authorizeUrl, redirectUrl } = given.settings
    return { options: { ...options, authorizeUrl, redirectUrl, scopes: ["sales"] }, tokens, tokenFile: file }
  },
  testServer: async () => ({
    lists: ["sales"],
    start: ({ sales }, port) =>
      Effect.map(
        Effect.catch(served([...sales], port), () => served([...sales], 0)),
        (server) => {
          const url = `http://127.0.0.1:${server.address().port}`
          const settings = { url, tokenUrl: `${url}/token`, authorizeUrl: `${url}/login`, shelf: "shelf-1" }
          return {
            url,
            entry: {
              tenant: "shelf-1",
              ...settings,
              redirectUrl: "http://localhost:8765/callback",
              secretFile: "shop.key",
              options: { currency: "USD" }
            },
            setup: ["(umask 077; echo 'key of the shop' > shop.key)"],
            controls: { "A sale": `curl ${url}/_control/sales --json '{"id": "…"}'` }
          }
        }
      )
  })
})
