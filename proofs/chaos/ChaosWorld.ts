/**
 * World of a chaos run: a gateway on loopback, a small disk with one store for three accounts, and
 * the counters.
 */
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { Effect } from "effect"
import * as HoldingProxy from "../../packages/cli/test/HoldingProxy.ts"
import { launch, type OwnServer } from "../../packages/core/test/postgres/OwnServer.ts"
import type { Random } from "../Random.ts"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Accounts: `main` and `till` share a device; `solo` has a separate device. */
export const accounts = ["main", "till", "solo"] as const
export type Account = (typeof accounts)[number]

/** Another till on the device of `main` and `till`, unknown to the connector. */
export const stranger = { name: "stranger", key: "stranger-key", device: 1001 } as const

const devices: Record<Account, number> = { main: 1001, till: 1001, solo: 2002 }
// Late documents of `main` get a new date; those of the others wait for the operator.
const late: Record<Account, "hold" | "restamp"> = { main: "restamp", till: "hold", solo: "hold" }

const taxes = [
  { taxId: 1, taxPercent: "15", taxName: "VAT 15 %", taxValidTill: "2025-12-31" },
  { taxId: 515, taxPercent: "15.5", taxName: "VAT 15.5 %", taxValidFrom: "2026-01-01" }
]

const mappings = {
  taxMappings: [
    { taxCode: "VAT15", destinationTaxId: 1 },
    { taxCode: "VAT155", destinationTaxId: 515 }
  ],
  currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
}

export type Engine = "sqlite" | "postgres"

export interface ChaosWorld {
  readonly sandbox: Sandbox.SandboxShape
  /** Folder with all files of the run; kept. */
  readonly folder: string
  readonly logs: string
  /** Kind of the disk; `tmpfs`: small, and can be filled. */
  readonly disk: "tmpfs" | "not-mounted"
  readonly diskFolder: string
  readonly config: string
  readonly engine: Engine
  /** File name, or the address with its password. */
  readonly store: string
  /** Separate PostgreSQL of the run; null for a file. */
  readonly server: OwnServer | null
  readonly env: Readonly<Record<string, string>>
  /** Returns the bodies of requests that are under way although their clients stopped waiting. */
  readonly held: () => ReadonlyArray<string>
  /** Returns the number of requests that arrived after their client had left. */
  readonly late: () => number
  /** Frequency of held requests. */
  holding: "now and then" | "never"
  /** Store that is currently in place. */
  standing: "own" | "older"
  /** Time at which an operator last accepted an older copy; null if never. */
  acceptedAt: number | null
  readonly book: (account: Account) => string
  readonly counts: Map<string, number>
  /** Violations of the laws found during the run. */
  readonly violations: Array<string>
}

export const count = ({ counts }: Pick<ChaosWorld, "counts">, what: string, by = 1): void =>
  void counts.set(what, (counts.get(what) ?? 0) + by)

const smallDisk = (folder: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      mkdirSync(folder)
      const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=48m,mode=0700", "chaos", folder])
      return status === 0 ? ("tmpfs" as const) : ("not-mounted" as const)
    }),
    (disk) =>
      Effect.sync(() => {
        if (disk === "not-mounted") return
        // The content of the disk is kept for inspection.
        spawnSync("cp", ["-a", folder, `${folder}.kept`])
        spawnSync("umount", ["-l", folder])
      })
  )

/** Share of the submissions that are held, and the time in milliseconds. */
const holds = { probability: 0.15, from: 5000, to: 45_000 } as const

export const make = Effect.fnUntraced(function* (engine: Engine, random: Random) {
  const folder = mkdtempSync(join(tmpdir(), "chaos-"))
  const logs = join(folder, "logs")
  mkdirSync(logs)
  const diskFolder = join(folder, "disk")
  const disk = yield* smallDisk(diskFolder)
  const secret = { secret: "chaos-secret", application: "test", station: "test" }
  const sandbox = yield* Sandbox.make({
    processingDelayMillis: 50,
    accounts: [
      ...accounts.map((name) => ({ name, key: `${name}-key`, device: devices[name], ...secret, ...mappings })),
      { ...stranger, application: "test", station: "test", ...mappings }
    ],
    devices: [1001, 2002].map((deviceId) => ({
      deviceId,
      serialNo: `SBX-${deviceId}`,
      taxes,
      supportedCurrencies: ["USD"]
    }))
  })
  const proxy = yield* HoldingProxy.before(sandbox.url, (path) => {
    const isHeld =
      /invoice|creditnote/i.test(path) && world.holding === "now and then" && random.chance(holds.probability)
    if (!isHeld) return 0
    count(world, "requests held")
    return random.between(holds.from, holds.to)
  })
  const server =
    engine === "sqlite"
      ? null
      : yield* Effect.acquireRelease(
          Effect.promise(() => launch("max_connections=100")),
          ({ close }) => Effect.promise(close)
        )
  const address = new URL(server?.url ?? "postgres://none")
  address.password = ""
  const write = (name: string, text: string) => writeFileSync(join(diskFolder, name), text, { mode: 0o600 })
  const example = join(import.meta.dirname, "../../examples/historical-invoices.book.json")
  const examples = readFileSync(example, "utf8")
  for (const name of accounts) {
    write(`${name}.key`, `${name}-key`)
    write(`${name}.book.json`, examples.replace('"late": "hold"', `"late": "${late[name]}"`))
  }
  write("secret", secret.secret)
  const account = (name: Account) => ({
    baseUrl: proxy.url,
    application: "test",
    station: "test",
    keyFile: `${name}.key`,
    secretFile: "secret",
    assumptions: { "STAT-7": 1 },
    timeouts: { write: "4 seconds", read: "3 seconds" },
    retries: { times: 1, within: "8 seconds" }
  })
  write(
    "accounts.json",
    JSON.stringify({
      store: server === null ? "store.db" : address.href,
      accounts: Object.fromEntries(accounts.map((name) => [name, account(name)]))
    })
  )
  const world: ChaosWorld = {
    sandbox,
    folder,
    logs,
    disk,
    diskFolder,
    config: join(diskFolder, "accounts.json"),
    engine,
    store: server === null ? join(diskFolder, "store.db") : server.url,
    server,
    env: server === null ? {} : { FISCAL_CONNECTOR_STORE_PASSWORD: server.password },
    held: proxy.held,
    late: proxy.late,
    holding: "now and then",
    standing: "own",
    acceptedAt: null,
    book: (account) => join(diskFolder, `${account}.book.json`),
    counts: new Map(),
    violations: []
  }
  return world
})
