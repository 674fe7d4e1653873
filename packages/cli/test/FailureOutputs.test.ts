/**
 * Output of the command for each kind of failure of the gateway, with real failing sockets.
 * UPDATE_GOLDEN=1 writes the files again.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, type Scope } from "effect"
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as tls from "node:tls"
import { closedPort, serveAnswer, serveSockets } from "../../core/test/gateway/Loopback.ts"
import { certificate, expired, privateKey } from "../../core/test/gateway/LoopbackCertificate.ts"
import { shellText } from "../src/output/Call.ts"
import { connector, connectorProcess, examples, folderWith, key, secret } from "./RunningConnector.ts"

const outputs = join(import.meta.dirname, "failures")

const serveTls = (cert: string, key: string) =>
  Effect.callback<string, never, Scope.Scope>((resume) => {
    const server = tls.createServer({ cert, key }, (socket) => socket.on("error", () => undefined))
    server.on("tlsClientError", () => undefined)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed(`https://localhost:${port}/api`))
    })
    return Effect.sync(() => server.close())
  })

const answering = (...answer: Parameters<typeof serveAnswer>) =>
  Effect.map(serveAnswer(...answer), ({ baseUrl }) => baseUrl)

interface Case {
  /** Address of the gateway in the account. */
  readonly baseUrl: Effect.Effect<string, never, Scope.Scope>
  /**
   * Certificate that the process trusts (NODE_EXTRA_CA_CERTS). Node reads the variable at its
   * start.
   */
  readonly ca?: string
}

/** Cases by the code that the output must name. */
const cases: Readonly<Record<string, Case>> = {
  GATEWAY_REFUSES_CONNECTION: { baseUrl: Effect.map(closedPort, (port) => `http://127.0.0.1:${port}/api`) },
  GATEWAY_NAME_UNKNOWN: { baseUrl: Effect.succeed("https://gateway.invalid/api") },
  GATEWAY_UNREACHED: {
    baseUrl: Effect.map(
      serveSockets((socket) => socket.destroy()),
      ({ baseUrl }) => baseUrl
    )
  },
  GATEWAY_DOWN: { baseUrl: answering(502, "<!doctype html><title>Bad gateway</title>") },
  GATEWAY_BUSY: { baseUrl: answering(429, "", { "retry-after": "30" }) },
  NOT_A_GATEWAY: { baseUrl: answering(404, "<!doctype html><title>Not found</title>") },
  GATEWAY_REDIRECTS: { baseUrl: answering(302, "", { location: "https://elsewhere.example" }) },
  KEY_REFUSED: { baseUrl: answering(401, "") },
  GATEWAY_SPEAKS_HTTP: {
    baseUrl: Effect.map(answering(200, "{}"), (url) => url.replace("http:", "https:"))
  },
  CERTIFICATE_UNTRUSTED: { baseUrl: serveTls(certificate, privateKey) },
  CERTIFICATE_EXPIRED: { baseUrl: serveTls(expired.certificate, expired.privateKey), ca: expired.certificate }
}

const account = (baseUrl: string) => ({
  baseUrl,
  application: "test",
  station: "test",
  keyFile: "key",
  secretFile: "secret",
  retries: { times: 0 }
})

const commands = {
  plan: ["plan", "csv", "historical-invoices.csv", "--config", "account.json"],
  doctor: ["doctor", "--config", "account.json"]
}

const lasting = (text: string, folder: string) =>
  text
    .replaceAll(folder, "/FOLDER")
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, "$1:PORT")
    .replaceAll("EAI_AGAIN", "ENOTFOUND")

describe.concurrent("a failing gateway", () => {
  for (const [code, failing] of Object.entries(cases)) {
    it.live(`is printed with ${code}, the consequence and the next step`, function* () {
      const cwd = yield* folderWith()
      for (const name of ["historical-invoices.csv", "historical-invoices.book.json"])
        copyFileSync(join(examples, name), join(cwd, name))
      const write = (name: string, text: string) => writeFileSync(join(cwd, name), text, { mode: 0o600 })
      write("key", key)
      write("secret", secret)
      if (failing.ca !== undefined) write("ca.pem", failing.ca)
      write("account.json", JSON.stringify({ accounts: { main: account(yield* failing.baseUrl) } }))
      const printed: Array<string> = []
      for (const args of Object.values(commands)) {
        const ended = yield* failing.ca === undefined
          ? connector(args, { cwd, env: { COLUMNS: "120" } })
          : connectorProcess(args, { cwd, env: { COLUMNS: "120", NODE_EXTRA_CA_CERTS: join(cwd, "ca.pem") } })
        assert.strictEqual(ended.code, 1, ended.out + ended.err)
        printed.push(
          `$ connector ${shellText(args).replace(/^connector /, "")}\n${ended.out}${ended.err === "" ? "" : `--- standard error\n${ended.err}`}[${ended.code}]\n`
        )
      }
      const text = lasting(printed.join("\n"), cwd)
      for (const one of printed) assert.include(one, `${code}:`)
      const file = join(outputs, `${code}.txt`)
      if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, text)
      assert.strictEqual(text, readFileSync(file, "utf8"))
    })
  }
})

describe("the golden outputs of failures", () => {
  it("have one file for every case, and no other files", () => {
    assert.deepStrictEqual(
      readdirSync(outputs).toSorted(),
      Object.keys(cases)
        .map((name) => `${name}.txt`)
        .toSorted()
    )
  })
})
