/** One operating-system process: its own queue of tasks, clock, random numbers and connections. */
import type { Context } from "effect"
import type { SqliteDatabase } from "@fiscal-connector/core/unstable/node/SqliteClient"

/** Where a process dies: no finalizer runs, nothing of it happens ever after. */
export type Crash =
  | { readonly at: "operation"; readonly n: number }
  | { readonly at: "commit"; readonly n: number; readonly side: "before" | "after" }
  | { readonly at: "request"; readonly n: number; readonly phase: RequestPhase }

/** `before`: nothing has been handed over; `in-flight`: it is on its way; `answered`: the answer is there and nobody has read it. */
export type RequestPhase = "before" | "in-flight" | "answered"

/** A connection to the store. */
export interface SimulatedConnection extends SqliteDatabase {
  /** Rolls back an open transaction and fails what follows in it; `noticed`: without a transaction, the next statement fails. */
  readonly sever: (how: Outage) => void
}

/** What a process sees of a database that was stopped and started again. */
export type Outage = "noticed" | "unnoticed"

export interface SimulatedProcess {
  readonly name: string
  readonly host: string
  readonly machine: number
  readonly pid: number
  readonly crash: Crash | null
  readonly context: Context.Context<never>
  readonly tasks: Array<() => void>
  readonly connections: Set<SimulatedConnection>
  readonly onDeath: () => void
  readonly startedAt: number
  life: "running" | "ended" | "dead"
  /** How far its clock is ahead, in milliseconds. */
  skew: number
  /** When its clock was last moved; when it started, where that never happened. */
  skewedAt: number
  /** The system runs others, and it waits. */
  isAside: boolean
  readonly isSpared: boolean
  operations: number
  /** At which of its operations it is stopped for minutes; 0: at none. */
  stallsAt: number
  commits: number
  requests: number
  /** When it last heard from the gateway about the device of an account, and what. */
  readonly seen: Map<string, DeviceSeen>
  /** Accounts whose closes it could not read when it last asked: the permission goes without them, and says so. */
  readonly closesUnread: Set<string>
}

export interface DeviceSeen {
  readonly at: number
  /** How often it has looked, with this. */
  readonly times: number
  readonly deviceId: number | null
  readonly standing: "on" | "off"
}
