/**
 * Runs `connector work` and `connector sync` as processes for three companies with one login, one
 * store, active users and a source that fails in every way it knows, in real time. A process is
 * killed at least every minute (SIGKILL). Afterwards every document must be accounted for.
 */
import { type SourceFault, SourceWorld } from "@fiscal-connector/sandbox/source/SourceWorld"
import { Duration, Effect, Fiber } from "effect"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { key } from "../../packages/core/test/leak/Planted.ts"
import {
  connectorProcess,
  folderWith,
  gatewayFor,
  lines,
  type SignaledProcess
} from "../../packages/cli/test/RunningConnector.ts"
import { exported, serving } from "../../packages/cli/test/SyncedSource.ts"
import * as Random from "../Random.ts"
import { Users } from "./EditedSource.ts"
import * as SyncLaws from "./SyncLaws.ts"
import type { Trial } from "./SyncTrial.ts"

const goLive = "2026-01-01"
const companies = [1, 2, 3].map((n) => ({ tenant: `tenant-${n}`, prefix: `c${n}-`, account: `shop${n}`, n }))
const book = "historical-invoices.book.json"

/** Every fault of the source but `before-answer`: the users act between two answers anyway. */
const faults: ReadonlyArray<SourceFault["kind"]> = [
  "html",
  "truncated",
  "status",
  "cut",
  "other-tenant",
  "empty",
  "unordered",
  "limit-minute",
  "limit-concurrent",
  "limit-day",
  "invalid-grant"
]

/** The machine's time. A user takes no time here. */
const clock = {
  get now() {
    return Date.now()
  },
  set now(_) {}
}

/** Runs `sync` so many times, each run with another fault of the source. */
export const run = (seed: number, runs: number) =>
  Effect.gen(function* () {
    const random = Random.make(seed)
    const happened: Array<string> = []
    const broken: Array<string> = []
    const folder = yield* folderWith(book)
    const keyOf = (n: number) => `${key}-${n}`
    const sandbox = yield* gatewayFor(folder, {
      gateway: { processingDelayMillis: 20 },
      accounts: companies.map(({ n }) => ({ key: keyOf(n), device: 2000 + n })),
      devices: companies.map(({ n }) => ({ deviceId: 2000 + n }))
    })
    const tenants = companies.map(({ tenant }) => ({ id: tenant, name: tenant }))
    const world = new SourceWorld({ tenants, perMinute: 10_000, perDay: 100_000, accessSeconds: 120 })
    const url = yield* serving(world)
    for (const { tenant } of companies)
      for (const contact of exported().Contacts) world.put("Contacts", contact, { tenant })

    const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 })
    const { accounts } = JSON.parse(readFileSync(join(folder, "account.json"), "utf8")) as {
      readonly accounts: { readonly main: Readonly<Record<string, unknown>> }
    }
    for (const { account, n } of companies) {
      write(`${account}.key`, keyOf(n))
      copyFileSync(join(folder, book), join(folder, `${account}.book.json`))
    }
    const configOf = ({ account, tenant }: (typeof companies)[number]) => ({
      kind: "xero-like",
      account,
      book: `${account}.book.json`,
      tenant,
      goLive,
      consent: "send",
      late: "send-rest",
      every: "1 minute",
      pageSize: 100,
      url,
      tokenUrl: `${url}/connect/token`,
      clientId: "client",
      // one login for all companies: their runs renew the same token
      tokenFile: "tokens.json",
      options: { tin: "TaxNumber", productCode: "item-code", paymentMethod: "paying-account" }
    })
    write(
      "config.json",
      JSON.stringify({
        accounts: Object.fromEntries(
          companies.map(({ account }) => [account, { ...accounts.main, keyFile: `${account}.key` }])
        ),
        sources: Object.fromEntries(companies.map((company) => [company.tenant, configOf(company)]))
      })
    )
    write("tokens.json", JSON.stringify({ refreshToken: world.config.refreshToken }))

    const users = companies.map((company) => new Users(world, random, clock, company))
    for (const one of users) {
      one.enterBills(5)
      for (let n = 0; n < 30; n++) one.act()
    }
    const env = { FISCAL_CONNECTOR_MAIN_API_KEY: undefined, FISCAL_CONNECTOR_MAIN_API_SECRET: undefined }
    const start = (args: ReadonlyArray<string>, started?: (child: SignaledProcess) => void) =>
      connectorProcess([...args, "--config", "config.json"], { cwd: folder, env, ...(started && { started }) })
    const fate = (name: string, { code, err, out }: { code: number | null; err: string; out: string }) => {
      const why = code === 1 ? (/(SOURCE|STORE)_\w+/.exec(err + out)?.[0] ?? err.slice(0, 200)) : ""
      happened.push(`${name}: ${code === null ? "killed" : `exit ${code} ${why}`}`)
    }
    /** Runs the process, and kills it after this time if it still runs. */
    const killedAfter = (name: string, args: ReadonlyArray<string>, seconds: number) =>
      Effect.gen(function* () {
        let kill = (): void => {}
        const running = yield* Effect.forkChild(
          start(args, (child) => {
            kill = child.kill
          })
        )
        yield* Effect.race(Fiber.await(running), Effect.sleep(Duration.seconds(seconds)))
        kill()
        fate(name, yield* Fiber.join(running))
      })

    const faulty = Effect.fnUntraced(function* (n: number) {
      const kind = faults[n % faults.length]!
      // an access token is refreshed only after it has ended
      if (kind === "invalid-grant") world.endAccess()
      const status = random.pick([403, 404, 500, 503])
      // without an end, a fault outlasts the retries of its requests; a cache that mixes up the
      // tenants does so for a while
      const ends = random.chance(0.5)
      const within = kind === "other-tenant" ? {} : { after: random.between(0, 4), ...(ends && { times: 1 }) }
      world.addFault({ kind, status, retryAfter: 2, ...within })
      const seconds = random.chance(0.4) ? random.between(5, 60) / 10 : 60
      yield* killedAfter(`sync, ${kind}`, ["sync", random.pick(companies).tenant], seconds)
      world.clearFaults()
      yield* Effect.sleep(Duration.seconds(random.between(1, 8)))
    })
    yield* Effect.raceFirst(
      Effect.forEach(Array.from({ length: runs }).keys(), faulty, { discard: true }),
      Effect.all(
        [
          Effect.forever(
            Effect.suspend(() => {
              random.pick(users).act()
              return Effect.sleep(Duration.millis(random.between(200, 1500)))
            })
          ),
          Effect.forever(killedAfter("work", ["work"], 60))
        ],
        { concurrency: "unbounded" }
      )
    )

    for (let round = 0; round < 2; round++) {
      if (round === 1) SyncLaws.makeSweepDue(folder)
      for (const { tenant } of companies) fate("afterwards", yield* start(["sync", tenant]))
    }
    fate("afterwards", yield* start(["resume"]))
    const stored = lines((yield* start(["list", "--json"])).out)
    const accepted = yield* sandbox.control.accepted
    const totals = SyncLaws.totalsOf(yield* sandbox.control.receipts)
    const known = SyncLaws.knownIn(folder)
    for (const [n, { account, prefix, tenant }] of companies.entries()) {
      const observed = {
        world,
        tenant,
        goLive,
        known,
        totals,
        stored: new Map(
          stored
            .filter((one) => one["account"] === account)
            .map((one) => [String(one["id"]), String(one["state"])] as const)
        ),
        receipts: SyncLaws.receiptsOf(accepted.filter(({ id }) => id.startsWith(prefix)))
      } satisfies SyncLaws.Observed
      for (const id of observed.stored.keys()) if (!id.startsWith(prefix)) broken.push(`${tenant}: ${id} is another's`)
      broken.push(
        ...SyncLaws.accounted(observed, tenant),
        ...SyncLaws.voidsNoticed(observed, tenant),
        ...SyncLaws.editsNoticed(observed, tenant),
        ...SyncLaws.deletionsNoticed(observed),
        ...SyncLaws.sentOnce(observed),
        ...SyncLaws.goneWereDeleted(
          { ...known, gone: new Set([...known.gone].filter((id) => id.startsWith(prefix))) },
          users[n]!,
          tenant
        )
      )
      for (const [, state] of observed.stored) happened.push(`a document is ${state}`)
    }
    const receipts = accepted.reduce((sum, one) => sum + one.receipts, 0)
    happened.push(`receipts: ${receipts} of ${accepted.length} documents`)
    return { happened, broken } satisfies Trial
  }).pipe(Effect.scoped)
