/**
 * Simulated operating-system process: its own queue of tasks, clock, random numbers and
 * connections.
 */
import type { Context } from "effect"
import type { SqliteDatabase } from "../../packages/core/src/node/SqliteClient.ts"

/** Place at which a process dies: no finalizer runs, and no further task. */
export type Crash =
  | { readonly at: "operation"; readonly n: number }
  | { readonly at: "commit"; readonly n: number; readonly side: "before" | "after" }
  | { readonly at: "request"; readonly n: number; readonly phase: RequestPhase }

/**
 * Phase of a request. `before`: not handed over yet; `in-flight`: on its way; `answered`: the
 * answer has arrived but is not read.
 */
export type RequestPhase = "before" | "in-flight" | "answered"

/** Connection to the store. */
export interface SimulatedConnection extends SqliteDatabase {
  /**
   * Rolls back an open transaction and makes its further statements fail. Without a transaction,
   * `noticed` makes the next statement fail.
   */
  readonly sever: (how: Outage) => void
}

/** Visibility of a database restart for a process. */
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
  /** Distance of its clock from the true time, in milliseconds; positive if ahead. */
  skew: number
  /** Time of the clock's last change; the start of the process if the clock was never changed. */
  skewedAt: number
  /** True while the system runs other processes instead. */
  isAside: boolean
  /** Milliseconds for which the process was put aside so far, with the whole current pause. */
  asideFor: number
  readonly isSpared: boolean
  operations: number
  /** Number of the operation at which the process is stopped for minutes; 0 for none. */
  stallsAt: number
  commits: number
  requests: number
  /** Last answer of the gateway about each account's device, with its time. */
  readonly seen: Map<string, DeviceSeen>
  /** Time of the last answer of /status, by account. */
  readonly swept: Map<string, number>
  /** Time of the last answer of /profile, by account: only an opening reads it. */
  readonly opened: Map<string, number>
  /**
   * Accounts whose closes, or the report of a day, could not be read at the last attempt: the
   * permission is given without the closes, and states so.
   */
  readonly closesUnread: Set<string>
}

export interface DeviceSeen {
  readonly at: number
  /** Number of looks so far, including this one. */
  readonly times: number
  readonly deviceId: number | null
  readonly standing: "on" | "off"
  /**
   * `opening`: no permission follows an answer that the device is off or another one. `beside`: an
   * attempt of the same process may begin until the answer is stored.
   */
  readonly by: "opening" | "beside"
}
