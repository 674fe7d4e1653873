/**
 * Runs `work` and `serve` as processes on one store under load, and measures live heap, handles and
 * log.
 */
import * as OpenAccount from "../../packages/core/src/account/OpenAccount.ts"
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import { invoice } from "../../packages/core/test/submission/PlannedDocuments.ts"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { Duration, Effect, Layer } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ConfigAccount from "../../packages/cli/src/account/ConfigAccount.ts"

const names = ["a1", "a2", "a3", "a4"]
/** Documents per second, in all lanes: leaves room for the sandbox on two cores. */
export const perSecond = 60
const turnMillis = 250

/** State of a process after a garbage collection. */
export interface Live {
  readonly heapBytes: number
  readonly handles: number
}

/** One measurement of both processes. */
export interface Look {
  readonly seconds: number
  readonly sent: number
  readonly live: Readonly<Record<string, Live>>
  readonly logBytes: Readonly<Record<string, number>>
}

/**
 * Module loaded before the command: answers each message with heap and handles. The store's thread
 * also loads the module, but has no channel.
 */
const answering = `data:text/javascript,${encodeURIComponent(`
  if (process.channel !== undefined) {
    process.on("message", () => {
      globalThis.gc()
      process.send({ heapBytes: process.memoryUsage().heapUsed, handles: process.getActiveResourcesInfo().length })
    })
    process.channel.unref()
  }`)}`

interface Watched {
  readonly child: ChildProcess
  readonly logged: () => number
  readonly printed: () => string
}

const started = (main: string, cwd: string, args: ReadonlyArray<string>): Watched => {
  const flags = ["--expose-gc", "--import", answering, main, ...args]
  const child = spawn(
    process.execPath,
    [...flags, "--config", "accounts.json", "--log-format", "json", "--log-level", "info"],
    {
      cwd,
      env: { ...process.env, XDG_STATE_HOME: "/dev/null" },
      stdio: ["ignore", "pipe", "pipe", "ipc"]
    }
  )
  let [bytes, first] = [0, ""]
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding("utf8").on("data", (text: string) => {
      bytes += Buffer.byteLength(text)
      if (first.length < 10_000) first += text
    })
  return { child, logged: () => bytes, printed: () => first }
}

const live = ({ child }: Watched) =>
  Effect.callback<Live>((resume) => {
    child.once("message", (said) => resume(Effect.succeed(said as Live)))
    child.send("look")
  })

const until = (isSo: () => boolean) =>
  Effect.repeat(Effect.delay(Effect.sync(isSo), "50 millis"), { until: (so) => so })

const ended = ({ child }: Watched) =>
  Effect.callback<number | string | null>((resume) => {
    child.once("close", (code, signal) => resume(Effect.succeed(code ?? signal)))
    child.kill("SIGTERM")
  })

const gatewayIn = Effect.fnUntraced(function* (folder: string) {
  const credentials = { secret: "lasting-secret", application: "test", station: "test" }
  const sandbox = yield* Sandbox.make({
    processingDelayMillis: 20,
    accounts: names.map((name, n) => ({
      name,
      key: `${name}-key`,
      device: 1001 + n,
      ...credentials,
      taxMappings: [{ taxCode: "EXEMPT", destinationTaxId: 3 }],
      currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
    })),
    devices: names.map((_, n) => ({
      deviceId: 1001 + n,
      serialNo: `SBX-${1001 + n}`,
      taxes: [{ taxId: 3, taxName: "Exempt" }],
      supportedCurrencies: ["USD"]
    }))
  })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 })
  write("secret", credentials.secret)
  for (const name of names) write(`${name}.key`, `${name}-key`)
  const { application, station } = credentials
  const account = { baseUrl: sandbox.url, application, station, secretFile: "secret", assumptions: { "STAT-7": 1 } }
  const accounts = Object.fromEntries(names.map((name) => [name, { ...account, keyFile: `${name}.key` }]))
  write("accounts.json", JSON.stringify({ accounts }))
  return sandbox
})

/**
 * Plans documents at a steady pace, measures both processes `looks` times, then waits until every
 * document has its outcome.
 */
export const run = (main: string, seconds: number, looks: number) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "lasting-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const sandbox = yield* gatewayIn(folder)
    const requests = new Map<string, number>()
    yield* sandbox.watch((observed) => {
      if (observed._tag !== "Asked" || observed.call.operation !== "submitInvoice") return
      const name = observed.call.documents[0] ?? ""
      requests.set(name, (requests.get(name) ?? 0) + 1)
    })
    const opened = yield* Layer.build(SqliteStore.layer({ filename: join(folder, "fiscal-connector.db") }))
    const store = yield* Effect.provide(SubmissionStore, opened)
    const { accounts } = yield* ConfigAccount.running(join(folder, "accounts.json"))
    const destinations = yield* Effect.forEach(accounts, (one) =>
      Effect.map(OpenAccount.open(one), ({ destination }) => destination)
    ).pipe(Effect.provideService(SubmissionStore, store))
    const processes: Readonly<Record<string, Watched>> = {
      work: started(main, folder, ["work", "--lanes", "4"]),
      serve: started(main, folder, ["serve", "--port", "0", "--status-port", "0"])
    }
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => Object.values(processes).forEach(({ child }) => child.kill("SIGKILL")))
    )
    yield* until(() => Object.values(processes).every(({ printed }) => printed().includes('"started"'))).pipe(
      Effect.tapError(() =>
        Effect.die(
          new Error(
            Object.values(processes)
              .map(({ printed }) => printed())
              .join("\n")
          )
        )
      )
    )
    const hook = /http:\/\/[^"]*\/webhooks\/a1/.exec(processes["serve"]!.printed())![0]
    yield* sandbox.webhooks.register("a1", { url: hook, firstPauseMillis: 50 })

    const found: Array<Look> = []
    let planned = 0
    const began = performance.now()
    for (let turn = 1; turn * turnMillis <= seconds * 1000; turn++) {
      const wanted = Math.floor((turn * turnMillis * perSecond) / 1000)
      const each = names.map(() => [] as Array<ReturnType<typeof invoice>>)
      for (; planned < wanted; planned++) {
        const lane = planned % names.length
        each[lane]!.push(
          invoice(
            `${names[lane]}-${String(Math.floor(planned / names.length) + 1).padStart(7, "0")}`,
            destinations[lane]!
          )
        )
      }
      for (const documents of each) if (documents.length > 0) yield* store.plan(documents)
      const rest = began + turn * turnMillis - performance.now()
      if (rest > 0) yield* Effect.sleep(rest)
      if (Math.floor((turn * turnMillis * looks) / (seconds * 1000)) > found.length) {
        found.push({
          seconds: Math.round((performance.now() - began) / 1000),
          sent: requests.size,
          live: yield* Effect.all(
            Object.fromEntries(Object.entries(processes).map(([name, one]) => [name, live(one)]))
          ),
          logBytes: Object.fromEntries(Object.entries(processes).map(([name, { logged }]) => [name, logged()]))
        })
      }
    }
    const isSettled = Effect.map(
      store.health(Duration.days(7)),
      ({ counts }) => (counts["Fiscalised"] ?? 0) === planned
    )
    yield* Effect.repeat(Effect.delay(isSettled, "200 millis"), { until: (so) => so })
    const codes = yield* Effect.forEach(Object.values(processes), ended)
    return { found, planned, requests, codes }
  }).pipe(Effect.scoped)
