/** What a seed decides before anything happens: who takes part and what goes wrong. Data, so that a failing one can be made smaller. */
import { stream } from "./Draw.ts"

/** What may take part in a day, and in how many of the seeds it does. */
export const troubles = {
  /** Processes die without a last word. */
  crashes: 0.9,
  /** Connections are refused. */
  refused: 0.8,
  /** Requests are lost on their way. */
  "lost-before": 0.8,
  /** Answers are lost. */
  "lost-after": 0.8,
  /** Requests arrive late. */
  "slow-before": 0.8,
  /** Answers arrive late, perhaps after anybody waited for them. */
  "slow-after": 0.8,
  /** The gateway takes a document and answers 500. */
  "error-after": 0.8,
  /** The gateway answers 503 and does nothing. */
  "error-before": 0.8,
  /** The gateway wants fewer requests. */
  limits: 0.8,
  /** The gateway takes a document and rejects it later. */
  rejects: 0.8,
  /** An HTML page with 200 in place of the request id. */
  pages: 0.5,
  /** The gateway answers for a request only minutes later. */
  pends: 0.3,
  /** Two accounts feed one device. */
  "two-accounts": 0.3,
  /** The device is switched off for a while. */
  "device-off": 0.3,
  /** The account's key belongs to another device for a while. */
  "device-swap": 0.25,
  /** Somebody else closes the fiscal day. */
  closes: 0.4,
  /** Somebody closes the day because nothing goes through: minutes after a request was lost. */
  "closes-after-loss": 0.1,
  /** The secret is exchanged. */
  rotation: 0.2,
  /** Documents change in the accounting system after they were exported. */
  corrections: 0.8,
  /** Documents appear whose date is before today. */
  "back-dated": 0.7,
  /** Processes are put aside for milliseconds, at any operation. */
  preemption: 0.6,
  /** A process is stopped for minutes, at any operation. */
  stalls: 0.3,
  /** A process is stopped for minutes between the writing of an attempt and the socket. */
  "stalls-before-sending": 0.12,
  /** Whoever runs something waits for half an hour while nothing moves. */
  patience: 0.06,
  /** The machines' clocks differ by seconds. */
  skew: 0.4,
  /** The clock of a machine jumps by minutes. */
  "clock-jumps": 0.2,
  /** The operator mistypes request ids. */
  typos: 0.2,
  /** The operator takes a long time. */
  "slow-operator": 0.3,
  /** A second lane: an account with a device of its own. */
  "two-lanes": 0.25,
  /** Outcomes come by webhook, too. */
  webhooks: 0.45,
  /** Where they come by webhook, the first look is after an hour. */
  "late-looks": 0.3,
  /** Deliveries are lost. */
  "lost-deliveries": 0.5,
  /** Deliveries come twice, late, out of order, altered and badly signed. */
  "bent-deliveries": 0.5,
  /** Deliveries come before the submission's own answer. */
  "early-deliveries": 0.3,
  /** Somebody without the secret says what became of documents. */
  forgeries: 0.4,
  /** The gateway knows a document that comes again, and the account has it sent again. */
  deduplicates: 0.2,
  /** The account says that nobody else uses its credentials. */
  exclusive: 0.25,
  /** Nothing can be written to the shop's disk for a while. */
  "disk-full": 0.2,
  /** The mapping book is edited. */
  "book-edited": 0.25,
  /** Another till issues receipts on the device. */
  "other-till": 0.12,
  /** The gateway processes for eight days nothing of what it takes from some moment of the day on. */
  horizon: 0.06,
  /** The devices are live. */
  live: 0.3,
  /** The file of the store is mislaid, and found again. */
  "lost-store": 0.3,
  /** A backup of the store is put in its place; the newer one is found again, or a person takes the older one. */
  restored: 0.12,
  /** Where a backup is put in the store's place: under running processes, as of a database server that is restored at its address. */
  "running-restore": 0.6,
  /** An operator who accepted an older copy puts the same copy in place once more. */
  "restored-again": 0.3,
  /** Workers run for minutes, and go on when the store is back. */
  workers: 0.15,
  /** The counter of attempts jumps when the store's server crashes. */
  "counter-jumps": 0.5,
  /** Each machine has a witness file, and knows only what it sent. */
  "own-witnesses": 0.3,
  /** Documents arrive minutes after their client has given up. */
  "held-requests": 0.2,
  /** The operator decides about an Unknown within two minutes, by what the portal shows then. */
  "prompt-operator": 0.2,
  /** The operator overrides a decision's refusal for being too early. */
  overrides: 0.1,
  /** The operator names the request id of another document. */
  "wrong-ids": 0.15,
  /** The gateway answers a question about an id that it does not know, yet or any more, with an error item. */
  "unknown-ids": 0.25,
  /** The device has no permission for a historical batch: what was closed over takes the next of the printed steps. */
  "no-upload": 0.3,
  /** Exports are text, a CSV file or Xero-shaped JSON, read by the real adapters. */
  "text-exports": 0.35
} as const satisfies Record<string, number>

export type Trouble = keyof typeof troubles
export const allTroubles = Object.keys(troubles) as ReadonlyArray<Trouble>

export interface Scenario {
  readonly seed: number
  readonly troubles: ReadonlySet<Trouble>
  /** On which something is run during the day: 0 and 1 on one host, 2 on another. */
  readonly machines: ReadonlyArray<number>
  /** Processes that are not run, as `machine/number`: for making a failing day smaller. */
  readonly idle: ReadonlySet<string>
  /** Numbers, from 1, of the documents that there are. */
  readonly documents: ReadonlyArray<number>
}

/** Who takes part and what they do; the other troubles are faults. */
export const actors: ReadonlyArray<Trouble> = [
  "overrides",
  "restored-again",
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

/** Troubles that leave a day without an incident. */
const harmless: ReadonlySet<Trouble> = new Set<Trouble>([
  "overrides",
  "restored-again",
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

/** Nothing goes wrong: no Unknown, nothing held, one attempt a document. */
export const isQuiet = ({ troubles }: Scenario): boolean => [...troubles].every((trouble) => harmless.has(trouble))

export interface Limits {
  /** How many documents there are. Default 30. */
  readonly documents?: number
  /** In place of what the seed draws. */
  readonly only?: ReadonlyArray<Trouble>
  readonly without?: ReadonlyArray<Trouble>
  /** Beside what the seed draws. */
  readonly also?: ReadonlyArray<Trouble>
}

/** One seed in so many is a quiet day. */
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
