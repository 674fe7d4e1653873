/**
 * Plans of a client's statements, as the server executed them with the client's own values and
 * prepared plans (`auto_explain`). The server sends each plan as a notice on the client's wire.
 */
import { Redacted } from "effect"
import { connect } from "node:net"
import type { Duplex } from "node:stream"
import type { PgConfig } from "../../src/node/PgStore.ts"

interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Actual Rows"?: number
  readonly "Actual Loops"?: number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: ReadonlyArray<PlanNode>
}

/** Rows that one step of a statement read of one table, those that it dropped included. */
export interface Reading {
  readonly table: string
  readonly by: string
  readonly rows: number
  /** Rows that the whole statement returned. */
  readonly returned: number
  readonly statement: string
}

const readingsOf = (node: PlanNode): ReadonlyArray<Omit<Reading, "returned" | "statement">> => {
  const { "Actual Loops": loops = 1, "Actual Rows": returned = 0, "Relation Name": table, Plans = [] } = node
  const dropped = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)
  const by = [node["Node Type"], node["Index Name"]].filter((part) => part !== undefined).join(" ")
  const isScan = table !== undefined && node["Node Type"].includes("Scan")
  const own = isScan ? [{ table, by, rows: Math.round((returned + dropped) * loops) }] : []
  return [...own, ...Plans.flatMap(readingsOf)]
}

const asNotice = 0x4e
const headBytes = 5

/** Returns the message of a notice: fields of one letter and a text that ends with a zero byte. */
const messageOf = (fields: Buffer): string => {
  for (let at = 0; fields[at] !== 0 && at < fields.length;) {
    const end = fields.indexOf(0, at)
    if (fields[at] === 0x4d) return fields.toString("utf8", at + 1, end)
    at = end + 1
  }
  return ""
}

/** Calls back with each notice on a wire without encryption. */
const watch = (wire: Duplex, notice: (message: string) => void): Duplex => {
  let rest: Buffer = Buffer.alloc(0)
  return wire.on("data", (piece: Buffer) => {
    rest = Buffer.concat([rest, piece])
    while (rest.length >= headBytes) {
      const end = 1 + rest.readUInt32BE(1)
      if (rest.length < end) return
      if (rest[0] === asNotice) notice(messageOf(rest.subarray(headBytes, end)))
      rest = rest.subarray(end)
    }
  })
}

const settings = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_format": "json",
  "auto_explain.log_level": "notice"
}

/**
 * Returns the configuration with a watched wire, and a function that returns everything read since
 * its last call. The user of the database must be a superuser.
 */
export const watched = <Config extends PgConfig>(config: Config) => {
  const url = new URL(Redacted.value(config.url))
  url.searchParams.set(
    "options",
    Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" ")
  )
  let read: Array<Reading> = []
  const keep = (message: string): void => {
    const at = message.indexOf("{")
    if (!message.startsWith("duration:") || at < 0) return
    const { "Query Text": statement, Plan } = JSON.parse(message.slice(at)) as { "Query Text": string; Plan: PlanNode }
    const whole = { statement: statement.replaceAll(/\s+/g, " ").trim(), returned: Plan["Actual Rows"] ?? 0 }
    read.push(...readingsOf(Plan).map((reading) => ({ ...reading, ...whole })))
  }
  return {
    config: {
      ...config,
      url: Redacted.make(url.href),
      stream: () => watch(connect(Number(url.port === "" ? 5432 : url.port), url.hostname), keep)
    },
    taken: (): ReadonlyArray<Reading> => {
      const taken = read
      read = []
      return taken
    }
  }
}
