/**
 * Scenario of a seed: its troubles, machines and documents. Plain data, so that a failing scenario
 * can be made smaller.
 */
import { stream } from "./Draw.ts"

/** Possible troubles of a day, with the share of the seeds that have each. */
export const troubles = {
  /** Processes die without cleanup. */
  crashes: 0.9,
  /** Connections are refused. */
  refused: 0.8,
  /** Requests are lost on their way. */
  "lost-before": 0.8,
  /** Answers are lost. */
  "lost-after": 0.8,
  /** Requests arrive late. */
  "slow-before": 0.8,
  /** Answers arrive late, perhaps after the client stopped waiting. */
  "slow-after": 0.8,
  /** The gateway takes a document and answers 500. */
  "error-after": 0.8,
  /** The gateway answers 503 and does nothing. */
  "error-before": 0.8,
  /** The gateway answers 429. */
  limits: 0.8,
  /** The gateway takes a document and rejects it later. */
  rejects: 0.8,
  /** An HTML page with 200 arrives instead of the request id. */
  pages: 0.5,
  /** The outcome of an accepted document is pending for minutes. */
  pends: 0.3,
  /** Two accounts feed one device. */
  "two-accounts": 0.3,
  /** The device is switched off for a while. */
  "device-off": 0.3,
  /** The account's key belongs to another device for a while. */
  "device-swap": 0.25,
  /** Another user closes the fiscal day. */
  closes: 0.4,
  /** A user closes the day because nothing succeeds: minutes after a request was lost. */
  "closes-after-loss": 0.1,
  /** The secret is rotated. */
  rotation: 0.2,
  /** Documents change in the accounting system after their export. */
  corrections: 0.8,
  /** Documents with an earlier date than today appear. */
  "back-dated": 0.7,
  /** Processes are paused for milliseconds, at any operation. */
  preemption: 0.6,
  /** A process is stopped for minutes, at any operation. */
  stalls: 0.3,
  /** A process is stopped for minutes between the writing of an attempt and the socket. */
  "stalls-before-sending": 0.12,
  /** A program waits for half an hour while nothing progresses. */
  patience: 0.06,
  /** The machines' clocks differ by seconds. */
  skew: 0.4,
  /** The clock of a machine jumps by minutes. */
  "clock-jumps": 0.2,
  /** The operator mistypes request ids. */
  typos: 0.2,
  /** The operator takes a long time. */
  "slow-operator": 0.3,
  /** A second lane exists: an account with its own device. */
  "two-lanes": 0.25,
  /** Outcomes also arrive by webhook. */
  webhooks: 0.45,
  /** With webhooks, the first look is after an hour. */
  "late-looks": 0.3,
  /** Deliveries are lost. */
  "lost-deliveries": 0.5,
  /** Deliveries arrive twice, late, out of order, altered and badly signed. */
  "bent-deliveries": 0.5,
  /** Deliveries arrive before the submission's own answer. */
  "early-deliveries": 0.3,
  /** An attacker without the secret states outcomes of documents. */
  forgeries: 0.4,
  /** The gateway recognizes a repeated document, and the account is configured to send again. */
  deduplicates: 0.2,
  /** The account is configured as the only user of its credentials. */
  exclusive: 0.25,
  /** The shop's disk is full for a while. */
  "disk-full": 0.2,
  /** The mapping book is edited. */
  "book-edited": 0.25,
  /** Another till issues receipts on the device. */
  "other-till": 0.12,
  /** From some moment of the day on, the gateway processes nothing that it takes for eight days. */
  horizon: 0.06,
  /** The devices are live. */
  live: 0.3,
  /** The store file is lost, and found again. */
  "lost-store": 0.3,
  /**
   * A backup replaces the store; the newer store is found again, or an operator accepts the backup.
   */
  restored: 0.12,
  /**
   * A backup replaces the store under running processes, like a database server restored at its
   * address.
   */
  "running-restore": 0.6,
  /** A machine is set back to a snapshot: the backup and the witness files of the same moment. */
  "whole-machine": 0.3,
  /** An operator who accepted an older copy restores the same copy a second time. */
  "restored-again": 0.3,
  /** Workers run for minutes, and continue when the store is back. */
  workers: 0.15,
  /** The counter of attempts jumps when the store's server crashes. */
  "counter-jumps": 0.5,
  /** Each machine has its own witness file, which knows only the attempts of that machine. */
  "own-witnesses": 0.3,
  /**
   * Injected fault: the network holds some document requests. They reach the gateway seconds to
   * minutes after the sending process has stopped waiting.
   */
  "held-requests": 0.2,
  /** The operator decides about an Unknown within two minutes, by the portal's current view. */
  "prompt-operator": 0.2,
  /** The operator overrides the refusal of an early decision. */
  overrides: 0.1,
  /** The operator names the request id of another document. */
  "wrong-ids": 0.15,
  /** The gateway answers for an unknown or forgotten id with an error item. */
  "unknown-ids": 0.25,
  /**
   * The device has no permission for a historical batch: documents of a closed day take the next
   * printed step.
   */
  "no-upload": 0.3,
  /** Exports are text, a CSV file or Xero-shaped JSON, read by the real adapters. */
  "text-exports": 0.35,
  /** The gateway reports any words as a failure while it works, for seconds to hours. */
  "working-words": 0.35,
  /** The gateway answers for an unknown id with the words for a document in work. */
  "same-words": 0.3,
  /** Processing fails with any words, with a receipt rule's code or without. */
  "failing-words": 0.3,
  /** The gateway reports receipts as failures. */
  contradictions: 0.15,
  /** The gateway reports receipts without their proof, for minutes to hours. */
  "missing-proofs": 0.2,
  /** The gateway reports a receipt with the proof of the receipt before. */
  "repeated-proofs": 0.12,
  /** Numbers and descriptions of documents contain codes of receipt rules. */
  "coded-numbers": 0.3,
  /**
   * The operator says "not processed" of a document that the gateway works on. The gateway refuses
   * the repeated document, and the operator corrects the document.
   */
  "early-words": 0.15,
  /** The operator executes every listed action in its order, and looks at nothing. */
  "blind-operator": 0.1,
  /** The second lane is first used after a copy of the store was made. */
  "late-lane": 0.15,
  /** The clock of the store's server jumps by minutes. */
  "server-clock": 0.15,
  /** The device is switched off while documents are in work, again and again. */
  "device-flickers": 0.2,
  /** Jobs run once a day for days, and the device is off at night. */
  nights: 0.08
} as const satisfies Record<string, number>

export type Trouble = keyof typeof troubles
export const allTroubles = Object.keys(troubles) as ReadonlyArray<Trouble>

export interface Scenario {
  readonly seed: number
  readonly troubles: ReadonlySet<Trouble>
  /** Machines with programs during the day: 0 and 1 on one host, 2 on another. */
  readonly machines: ReadonlyArray<number>
  /** Processes to leave out, as `machine/number`: for making a failing day smaller. */
  readonly idle: ReadonlySet<string>
  /** Numbers of the documents, from 1. */
  readonly documents: ReadonlyArray<number>
}

/** Troubles that are participants and their actions; the other troubles are faults. */
export const actors: ReadonlyArray<Trouble> = [
  "nights",
  "blind-operator",
  "early-words",
  "late-lane",
  "server-clock",
  "coded-numbers",
  "overrides",
  "restored-again",
  "whole-machine",
  "workers",
  "running-restore",
  "counter-jumps",
  "own-witnesses",
  "prompt-operator",
  "wrong-ids",
  "unknown-ids",
  "restored",
  "lost-store",
  "horizon",
  "other-till",
  "disk-full",
  "webhooks",
  "forgeries",
  "two-lanes",
  "two-accounts",
  "device-off",
  "device-swap",
  "closes",
  "closes-after-loss",
  "rotation",
  "clock-jumps",
  "skew",
  "corrections",
  "back-dated",
  "book-edited",
  "text-exports",
  "no-upload",
  "live",
  "exclusive",
  "deduplicates",
  "typos",
  "slow-operator",
  "patience"
]

/** Troubles without an incident. */
const harmless: ReadonlySet<Trouble> = new Set<Trouble>([
  "coded-numbers",
  "same-words",
  "late-lane",
  "overrides",
  "restored-again",
  "whole-machine",
  "workers",
  "running-restore",
  "counter-jumps",
  "own-witnesses",
  "prompt-operator",
  "wrong-ids",
  "unknown-ids",
  "corrections",
  "preemption",
  "patience",
  "skew",
  "two-accounts",
  "two-lanes",
  "webhooks",
  "late-looks",
  "lost-deliveries",
  "bent-deliveries",
  "forgeries",
  "deduplicates",
  "exclusive",
  "live",
  "text-exports"
])

/** Returns true for a day without incidents: no Unknown, nothing held, one attempt per document. */
export const isQuiet = ({ troubles }: Scenario): boolean => [...troubles].every((trouble) => harmless.has(trouble))

export interface Limits {
  /** Number of documents. Default 30. */
  readonly documents?: number
  /** Troubles to use instead of the drawn ones. */
  readonly only?: ReadonlyArray<Trouble>
  readonly without?: ReadonlyArray<Trouble>
  /** Troubles to add to the drawn ones. */
  readonly also?: ReadonlyArray<Trouble>
}

/**
 * Frequency of quiet days: on average, one random seed in this number draws a scenario with only
 * harmless troubles.
 */
const quietDays = 12

export const of = (seed: number, { also = [], documents = 30, only, without = [] }: Limits = {}): Scenario => {
  const isQuietDay = stream(seed, "quiet").int(quietDays) === 0
  const drawn = allTroubles.filter((trouble) => {
    const present = stream(seed, `trouble ${trouble}`).chance(troubles[trouble])
    return present && (!isQuietDay || harmless.has(trouble))
  })
  const chosen = new Set([...(only ?? drawn), ...also])
  for (const trouble of without) chosen.delete(trouble)
  return {
    seed,
    troubles: chosen,
    machines: [0, 1, 2],
    idle: new Set(),
    documents: Array.from({ length: documents }, (_, i) => i + 1)
  }
}
