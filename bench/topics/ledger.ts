/**
 * Ledger topic: what a document costs between two requests, part by part, for the table of
 * docs/decisions/014-speed.md. Sixteen lanes, and a gateway that answers at once.
 */
import { Layer } from "effect"
import { Session } from "node:inspector/promises"
import { DatabaseSync } from "node:sqlite"
import type { SqliteDatabase } from "../../packages/core/src/node/SqliteDatabase.ts"
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"
import { fileOf, store } from "../data/PlannedLanes.ts"
import type { Scale, Topic } from "../frame/Topic.ts"
import { bareFetch, ours, server } from "./submission.ts"

const [lanes, perLane] = [16, 188]
const documents = lanes * perLane

/** Parts by their statements. A statement of planning is part of no document. */
const statements: ReadonlyArray<readonly [part: string, begins: RegExp]> = [
  ["begin and commit", /^(begin|commit)/i],
  ["stop and version of the store", /^select (cast\(unixepoch|.* as now)/],
  ["lane, lease and fence", /^(select l\.lane|update fiscal_lane)/],
  ["head of the queue, with the facts of the guards", /^select s\.seq, .* as any_accepted from/],
  ["earlier requests, for guards", /^select a\.request_id, a\.known_at/],
  ["attempt row", /^insert into fiscal_attempt/],
  ["answered attempt", /^select s\.seq, .* as early from/],
  ["outcome", /^update fiscal_attempt/],
  ["state", /^update fiscal_submission/],
  ["timeline and counts", /^insert into fiscal_(event|tally)/]
]

interface Cost {
  count: number
  micros: number
}

/** Opens a database that adds up the calls and the CPU time of its statements. */
const counting = (costs: Map<string, Cost>) => {
  const counted = <A>(text: string, run: () => A): A => {
    const before = process.cpuUsage()
    const result = run()
    const { system, user } = process.cpuUsage(before)
    const cost = costs.get(text) ?? { count: 0, micros: 0 }
    costs.set(text, { count: cost.count + 1, micros: cost.micros + system + user })
    return result
  }
  return (filename: string): SqliteDatabase => {
    const db = new DatabaseSync(filename)
    return {
      exec: (text) => db.exec(text),
      get isTransaction() {
        return db.isTransaction
      },
      prepare: (text) => {
        const statement = db.prepare(text)
        const { all } = statement
        const countedAll = (...values: ReadonlyArray<unknown>) =>
          counted(text, () => Reflect.apply(all, statement, values) as ReturnType<typeof all>)
        statement.all = countedAll
        return statement
      },
      close: () => db.close()
    }
  }
}

/** Returns the CPU time of one call by the folder of its code, from a profile of the run. */
const profiled = async (run: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> => {
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.setSamplingInterval", { interval: 200 })
  await session.post("Profiler.start")
  await run()
  const { profile } = await session.post("Profiler.stop")
  session.disconnect()
  const own = new Map<number, number>()
  const { nodes, samples = [], timeDeltas = [] } = profile
  for (const [n, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + timeDeltas[n]!)
  const parts = new Map<string, number>()
  for (const { callFrame, id } of nodes) {
    const { functionName, url } = callFrame
    const room = /packages\/core\/src\/(\w+)\//.exec(url)?.[1]
    const name = functionName === "(idle)" || functionName === "post" ? "" : partOf(url, functionName)
    const part = room === undefined ? name : `core/${room}`
    if (part !== "") parts.set(part, (parts.get(part) ?? 0) + (own.get(id) ?? 0))
  }
  return parts
}

const partOf = (url: string, functionName: string): string => {
  if (functionName === "(garbage collector)") return "garbage collection"
  if (url.includes("/undici/") || url.startsWith("wasm:")) return "HTTP client"
  if (url.includes("/effect/")) return "Effect"
  // native functions have no file: those of SQLite are counted as statements
  return url === "" ? (functionName === "all" ? "" : "native") : url.startsWith("node:") ? "Node" : ""
}

const row = (part: string, count: string, micros: number) => `| ${part} | ${count} | ${micros.toFixed(1)} |`

export const topic = ({ folder }: Scale): Topic => ({
  sides: {},
  rows: [],
  table: async () => {
    const gateway = await server(0)
    try {
      const costs = new Map<string, Cost>()
      const counted = () => Layer.fresh(SqliteStore.layer({ filename: fileOf(folder), open: counting(costs) }))
      // V8 has seen the code
      for (let n = 0; n < 3; n++) await ours(store(folder), gateway.url, lanes, perLane)
      for (let n = 0; n < 2; n++) await ours(counted(), gateway.url, lanes, perLane)
      costs.clear()
      await ours(counted(), gateway.url, lanes, perLane)
      const whole = await ours(store(folder), gateway.url, lanes, perLane)
      const fetched = await bareFetch(gateway.url, lanes, perLane)
      const parts = await profiled(() => ours(store(folder), gateway.url, lanes, perLane))
      const each = ({ cpu, work }: { readonly cpu: number; readonly work: number }) => (cpu * 1e6) / work
      // samples are of elapsed time: their shares are those of the CPU time outside of SQLite
      const sampled = [...parts.values()].reduce((all, micros) => all + micros, 0)
      let inSql = 0
      return [
        "| part | statements a document | µs of CPU a document |",
        "|---|---|---|",
        ...statements.map(([part, begins]) => {
          const own = [...costs].filter(([text]) => begins.test(text.replaceAll(/\s+/g, " ").trim()))
          const count = own.reduce((all, [, cost]) => all + cost.count, 0)
          const micros = own.reduce((all, [, cost]) => all + cost.micros, 0)
          inSql += micros / documents
          return row(part, (count / documents).toFixed(2), micros / documents)
        }),
        ...[...parts]
          .toSorted(([, a], [, b]) => b - a)
          .map(([part, micros]) => row(part, "", (micros / sampled) * (each(whole) - inSql))),
        row("**whole document**", "", each(whole)),
        row("a bare `fetch`", "", each(fetched))
      ]
    } finally {
      gateway.end()
    }
  }
})
