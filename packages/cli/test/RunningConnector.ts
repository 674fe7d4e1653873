/**
 * Runs the command with a real gateway: in the test's process, or in a separate process if the
 * process is the subject.
 */
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import type * as SandboxConfig from "@fiscal-connector/sandbox/SandboxConfig"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { inject } from "vitest"
import { key, secret } from "../../core/test/leak/Planted.ts"
import { envelope } from "./Envelope.ts"
import * as ProgramRun from "./ProgramRun.ts"

export const examples = join(import.meta.dirname, "../../../examples")

/** Result of a complete import of examples/historical-invoices.csv. */
export const exampleResult = {
  documents: 46,
  counts: { Fiscalised: 46 },
  totals: [
    { state: "Fiscalised", currency: "USD", kind: "invoice", documents: 29, total: "14168.15" },
    { state: "Fiscalised", currency: "USD", kind: "credit-note", documents: 1, total: "151.41" },
    { state: "Fiscalised", currency: "ZAR", kind: "invoice", documents: 13, total: "4743.96" },
    { state: "Fiscalised", currency: "ZAR", kind: "credit-note", documents: 3, total: "44.21" }
  ],
  strays: [],
  unmapped: [],
  refusedFile: null
}

export { key, secret }

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Signals for a running command, as sent by Ctrl-C or by a service manager. */
export interface Signaled {
  readonly interrupt: () => void
  readonly terminate: () => void
  /** Sends SIGHUP: the configuration is read again. */
  readonly hangUp: () => void
}

/** Signals for a running process. */
export interface SignaledProcess extends Signaled {
  readonly kill: () => void
}

export interface RunOptions<Told = Signaled> {
  readonly cwd?: string
  /** Environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Called at each output, with all output so far. */
  readonly watch?: (printed: string, child: Told) => void
}

/** Options of a process. `started`: called after its start, before any output. */
export interface ProcessOptions extends RunOptions<SignaledProcess> {
  readonly started?: (child: SignaledProcess) => void
}

const environment = (env: RunOptions["env"]) => {
  const all = {
    ...process.env,
    NO_COLOR: "1",
    // Facts remembered about the planted key must not affect the next test.
    XDG_STATE_HOME: "/dev/null",
    FISCAL_CONNECTOR_MAIN_API_KEY: key,
    FISCAL_CONNECTOR_MAIN_API_SECRET: secret,
    ...env
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** Lines that an operator types, or a function of all output so far. */
type Typed = ReadonlyArray<string> | ((printed: string) => string | undefined)

/** Runs `connector …` to its end, in this process. */
export const connector = (
  args: ReadonlyArray<string>,
  { cwd = ".", env, input, typed, watch }: RunOptions & { readonly input?: string; readonly typed?: Typed } = {}
): Effect.Effect<Ended> =>
  Effect.suspend(() => {
    let [out, err] = ["", ""]
    const printed = (stream: "stdout" | "stderr", text: string, { hangUp, interrupt }: ProgramRun.ProgramRunning) => {
      if (stream === "stdout") out += text
      else err += text
      watch?.(out + err, { interrupt, terminate: interrupt, hangUp })
    }
    const lines = typeof typed === "function" ? () => typed(out) : typed
    const running = ProgramRun.run({ args, cwd, env: environment(env), input, typed: lines, printed })
    return Effect.map(running, (code) => ({ code, out, err }))
  })

/** Runs `connector …` to its end in a separate process, for tests whose subject is the process. */
export const connectorProcess = (
  args: ReadonlyArray<string>,
  { cwd, env, started, watch }: ProcessOptions = {}
): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    const child = spawn(process.execPath, [inject("command"), ...args], { cwd, env: environment(env) })
    const handle: SignaledProcess = {
      interrupt: () => void child.kill("SIGINT"),
      terminate: () => void child.kill("SIGTERM"),
      hangUp: () => void child.kill("SIGHUP"),
      kill: () => void child.kill("SIGKILL")
    }
    started?.(handle)
    let out = ""
    let err = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text
      watch?.(out + err, handle)
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text
      watch?.(out + err, handle)
    })
    child.on("close", (code) => resume(Effect.succeed({ code, out, err })))
    return Effect.sync(handle.kill)
  })

/** Returns the data of each envelope of `--json`, checked against its schema. */
export const lines = (out: string): ReadonlyArray<Record<string, unknown>> =>
  out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => envelope(line).data)

/** Returns JSON text lines other than envelopes: the log of `work --json`, and alert events. */
export const events = (out: string): ReadonlyArray<Record<string, unknown>> =>
  out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** Returns a separate folder with copies of the named example files. */
export const folderWith = (...files: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "connector-"))
      for (const file of files) copyFileSync(join(examples, file), join(folder, basename(file)))
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

/** Taxes of the example's device. */
export const taxes = [
  { taxId: 1, taxPercent: "15", taxName: "VAT 15 %", taxValidTill: "2025-12-31" },
  { taxId: 515, taxPercent: "15.5", taxName: "VAT 15.5 %", taxValidFrom: "2026-01-01" },
  { taxId: 5, taxPercent: "5", taxName: "VAT 5 %" },
  { taxId: 2, taxPercent: "0", taxName: "Zero-rated" },
  { taxId: 3, taxName: "Exempt" }
]

/** Codes of these taxes in the example's mapping book. */
export const taxMappings = [
  { taxCode: "VAT15", destinationTaxId: 1 },
  { taxCode: "VAT155", destinationTaxId: 515 },
  { taxCode: "VAT5", destinationTaxId: 5 },
  { taxCode: "ZERO", destinationTaxId: 2 },
  { taxCode: "EXEMPT", destinationTaxId: 3 }
]

type Device = NonNullable<SandboxConfig.Input["devices"]>[number]
type Account = NonNullable<SandboxConfig.Input["accounts"]>[number]

/**
 * Starts a gateway with the examples' mappings, and writes a configuration into the folder, with
 * key and secret.
 */
export const gatewayFor = Effect.fnUntraced(function* (
  folder: string,
  options: {
    readonly account?: Partial<Account>
    readonly device?: Partial<Device>
    readonly gateway?: Partial<SandboxConfig.Input>
    /** Further accounts, each with the mappings and (unless given) the device of the first. */
    readonly accounts?: ReadonlyArray<Partial<Account> & { readonly key: string }>
    readonly devices?: ReadonlyArray<Device>
  } = {}
) {
  const account: Account = {
    key,
    secret,
    application: "test",
    station: "test",
    device: 1001,
    taxMappings,
    currencyMappings: [
      { sourceCurrency: "USD", destinationCurrency: "USD" },
      { sourceCurrency: "ZAR", destinationCurrency: "ZAR" }
    ]
  }
  const device = { taxes, supportedCurrencies: ["USD", "ZAR"] }
  const sandbox = yield* Sandbox.make({
    processingDelayMillis: 20,
    ...options.gateway,
    accounts: [
      { ...account, ...options.account },
      ...(options.accounts ?? []).map((other) => ({ ...account, ...other }))
    ],
    devices: [
      { deviceId: 1001, ...device, ...options.device },
      ...(options.devices ?? []).map((other) => ({ ...device, ...other }))
    ]
  })
  const main = {
    baseUrl: sandbox.url,
    application: "test",
    station: "test",
    keyFile: "key",
    secretFile: "secret",
    assumptions: { "STAT-7": 0.1 }
  }
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 })
  write("key", key)
  write("secret", secret)
  write("account.json", JSON.stringify({ accounts: { main } }))
  return sandbox
})
