/**
 * Seeded faults in three hosts: all hosts report the same about every document, and success only if
 * every input is fiscalized.
 */
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { Effect, Exit } from "effect"
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { key, secret } from "../../packages/core/test/leak/Planted.ts"
import { crashing } from "../../packages/cli/test/InjectedCrash.ts"
import * as Random from "../Random.ts"
import { type Host, hosts, type Report, type World } from "./Hosts.ts"

/** Faults. `killed`: the first run ends at a commit of the store. */
export const faults = [
  "none",
  "cut-row",
  "open-quote",
  "wide-row",
  "wrong-key",
  "wrong-secret",
  "changed",
  "cancelled",
  "duplicate",
  "not-before",
  "unmapped",
  "device-off",
  "older-store",
  "killed"
] as const
export type Fault = (typeof faults)[number]

/**
 * One case, made from a seed: a fault, a second fault of the file, the number of documents, and the
 * places of the faults.
 */
export interface Case {
  readonly seed: number
  readonly fault: Fault
  readonly beside: Fault
  readonly documents: number
  /** Number of the document with the fault. */
  readonly struck: number
  /** Commit at which the first run is killed. */
  readonly commit: number
  readonly when: "before" | "after"
}

const ofTheFile: ReadonlyArray<Fault> = ["none", "cut-row", "wide-row", "duplicate", "unmapped"]
/** Number of points at which an import is killed. */
export const points = 60

export const caseOf = (seed: number): Case => {
  const random = Random.make(seed)
  const fault = faults[seed % faults.length]!
  // Enough documents for an import with a commit at the last point.
  const documents = fault === "killed" ? 16 : random.between(3, 4)
  // Each point in turn: a full run covers all of them.
  const point = Math.floor(seed / faults.length) % points
  const beside = random.chance(0.5) ? random.pick(ofTheFile) : "none"
  return {
    seed,
    fault,
    beside: beside === fault ? "none" : beside,
    documents,
    struck: random.between(2, documents - 1),
    commit: Math.floor(point / 2) + 1,
    when: point % 2 === 0 ? "before" : "after"
  }
}

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,Total,CancelledAt\n"
const row = (n: number, { cancelled = "", day = 2, pieces = 2, tax = "Standard" } = {}) =>
  `S-${n},2026-03-0${day},USD,inclusive,Solar lamp,${pieces},10.00,${tax},85131000,${pieces * 10}.00,${cancelled}`

/** Returns the export of the first or the last run. */
export const sales = ({ beside, documents, fault, struck }: Case, which: "first" | "last"): string => {
  const is = (one: Fault) => fault === one || beside === one
  const since = which === "last"
  const rows: Array<string> = []
  for (let n = 1; n <= documents; n++) {
    const isIt = n === struck
    // Only the last run sends the document added last.
    if (which === "first" && fault === "older-store" && n === documents) continue
    rows.push(
      row(n, {
        ...(isIt && is("unmapped") && { tax: "Luxury" }),
        ...(n === 1 && is("not-before") && { day: 1 }),
        ...(n === 1 && since && is("changed") && { pieces: 3 }),
        ...(n === 1 && since && is("cancelled") && { cancelled: "2026-03-04" })
      })
    )
    if (isIt && is("duplicate")) rows.push(rows.at(-1)!)
    if (isIt && is("wide-row")) rows[rows.length - 1] += ",more"
  }
  if (is("cut-row")) rows.push(`S-${documents + 1},2026-03-02,USD`)
  if (is("open-quote")) rows.push(row(documents + 1).replace("Solar lamp", '"Solar lamp'))
  return `${header}${rows.join("\n")}${is("cut-row") ? "" : "\n"}`
}

export const book = JSON.stringify({
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
  currencies: [{ code: "USD", device: "USD" }]
})

export const worldOf = (fault: Fault) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "report-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
    const sandbox = yield* Sandbox.make({
      processingDelayMillis: 1,
      accounts: [
        {
          key,
          secret,
          device: 1001,
          taxMappings: [{ taxCode: "VAT155", destinationTaxId: 515 }],
          currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
        }
      ]
    })
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 })
    const shop = {
      baseUrl: sandbox.url,
      application: "shop",
      station: "till-1",
      keyFile: "key",
      secretFile: "secret",
      assumptions: { "STAT-7": 1 },
      ...(fault === "not-before" && { notBefore: "2026-03-02" })
    }
    write("accounts.json", JSON.stringify({ accounts: { shop } }))
    write("shop.book.json", book)
    write("key", key)
    write("secret", secret)
    return { folder, sandbox, write }
  })

/** Report and receipts of one host: the hosts are compared by both. */
export interface Ended {
  readonly report: Report
  /** Numbers of the receipts, one entry per receipt. */
  readonly receipts: ReadonlyArray<string>
  /** Result of the kill. `missed`: the run ended before the commit at which it should be killed. */
  readonly kill: "struck" | "missed" | "none"
}

/** Faults with a separate earlier run before the last run. */
const struckBy = new Set<Fault>(["changed", "cancelled", "older-store", "wrong-key", "wrong-secret", "device-off"])

const play = (host: Host, one: Case) =>
  Effect.gen(function* () {
    const { fault } = one
    const { folder, sandbox, write } = yield* worldOf(fault)
    const running = (which: "first" | "last") => {
      const world: World = { folder, book, sales: sales(one, which) }
      write("sales.csv", world.sales)
      return host.run(world)
    }
    const store = join(folder, host.store)
    let kill: Ended["kill"] = "none"
    if (fault === "killed") {
      // The output of the killed run is ignored: no user sees its report.
      const killed = yield* Effect.exit(crashing({ ...one, folder }, running("first")))
      kill = Exit.isFailure(killed) || killed.value.crashed ? "struck" : "missed"
    } else if (struckBy.has(fault) && !(one.seed % 2 === 0 && /wrong|off/.test(fault))) yield* running("first")
    if (fault === "older-store") {
      copyFileSync(store, `${store}.copy`)
      yield* running("last")
      for (const suffix of ["-wal", "-shm"]) rmSync(`${store}${suffix}`, { force: true })
      copyFileSync(`${store}.copy`, store)
    }
    if (fault === "wrong-key") write("key", "another")
    if (fault === "wrong-secret") write("secret", "another")
    if (fault === "device-off") yield* sandbox.control.changeDevice({ isSwitchedOn: false })
    const report = yield* running("last")
    const receipts = (yield* sandbox.control.receipts).map(({ documentNumber }) => documentNumber)
    return { report, receipts, kill } satisfies Ended
  }).pipe(Effect.scoped, Effect.orDie)

const listed = (documents: ReadonlyMap<string, string>): string =>
  Array.from(documents, ([number, state]) => `${number} ${state}`)
    .toSorted()
    .join(", ")

/** Returns the laws broken by a host's run. */
export const broken = ({ commit, fault, when }: Case, { kill, receipts, report }: Ended): ReadonlyArray<string> => {
  const { differing, documents, exit, strays } = report
  const twice = receipts.filter((number, n) => receipts.indexOf(number) !== n)
  const without = [...documents].filter(([number, state]) => state === "fiscalised" && !receipts.includes(number))
  const open = [...documents].filter(([, state]) => state !== "fiscalised" && state !== "skipped")
  const isEnded = fault === "wrong-key" || fault === "wrong-secret" || fault === "older-store" || fault === "device-off"
  // A refused document is in no lane.
  const inLane = [...documents.values()].filter((state) => state !== "refused")
  const states = inLane.map((state) => `${state} `).join("")
  return [
    ...(fault === "killed" && !afterKill.test(states) ? [`after the kill: ${listed(documents)}`] : []),
    ...(kill === "missed" ? [`was not killed ${when} commit ${commit}`] : []),
    ...twice.map((number) => `${number} has two receipts`),
    ...without.map(([number]) => `${number} is called fiscalised without a receipt`),
    ...(exit === "success" && open.length > 0 ? [`success, and ${listed(new Map(open))}`] : []),
    ...(exit === "success" && differing.size > 0 ? [`success, and ${[...differing].join(", ")} differs`] : []),
    ...(exit === "success" && strays === "some" ? ["success, and rows that became no document"] : []),
    ...(exit === "success" && documents.size === 0 ? ["success, and no document is reported"] : []),
    ...(exit === "success" && isEnded ? [`success with ${fault}`] : []),
    ...(fault === "none" && exit === "failure" && strays === "none" && open.length === 0 && documents.size > 0
      ? ["failure, and everything is fiscalised"]
      : [])
  ]
}

/**
 * States of a killed import's documents, in order: sent up to the request in flight, then waiting
 * behind it. The killed run's process, the test's own, is alive: the last run waits until the lease
 * has expired.
 */
const afterKill = /^(fiscalised )*(unknown (planned )*)?$/

const comparable = ({ fault }: Case, { receipts, report: { differing, documents, strays } }: Ended) => {
  // The commits of the hosts differ, so another request may have been in flight. Each host is
  // checked with `afterKill` instead.
  const told = fault === "killed" ? [...documents.keys()].toSorted().join(", ") : listed(documents)
  return JSON.stringify({
    documents: told,
    differing: [...differing].toSorted(),
    strays,
    receipts: fault === "killed" ? [] : receipts.toSorted()
  })
}

export interface Outcome {
  readonly of: Case
  readonly problems: ReadonlyArray<string>
  readonly says: string
}

/** Runs the case with every host, and compares the reports. */
export const judge = (one: Case): Effect.Effect<Outcome> =>
  Effect.gen(function* () {
    const ended = yield* Effect.forEach(hosts, (host) => Effect.map(play(host, one), (end) => ({ host, end })))
    const problems = ended.flatMap(({ end, host }) =>
      broken(one, end).map((problem) => `${host.name}: ${problem}\n${end.report.printed}`)
    )
    const [first, ...others] = ended.map(({ end, host }) => ({ name: host.name, said: comparable(one, end) }))
    for (const other of others)
      if (other.said !== first!.said)
        problems.push(
          `${first!.name} and ${other.name} differ:\n${first!.said}\n${other.said}\n${ended.map(({ end, host }) => `${host.name} printed:\n${end.report.printed}`).join("\n")}`
        )
    const states = [...new Set(ended.flatMap(({ end }) => [...end.report.documents.values()]))].toSorted().join(" ")
    return { of: one, problems, says: `${one.fault}: ${states === "" ? "nothing looked at" : states}` }
  })
