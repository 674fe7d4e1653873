/**
 * Draws situations of a shop from a seed: what the gateway does with each document, what it says
 * about it and for how long, and what happens to device, key and store. The texts are drawn, and
 * none is taken from a list of the sources.
 */
import type { Random } from "../Random.ts"

const minute = 60_000
const hour = 60 * minute

type Text = string | Readonly<Record<string, string | number>>

/** Failure that the gateway states. */
export interface Words {
  readonly error: Text
  readonly actionable: boolean | null
}

/**
 * Fate of a document. `words`: it gets a receipt, and the gateway states a failure until a round.
 * `lost`: the answer to its first request is lost after the gateway has it, or the request before.
 */
export type Fate =
  | { readonly _tag: "plain" }
  | { readonly _tag: "words"; readonly words: Words; readonly until: number }
  | { readonly _tag: "contradiction"; readonly words: Words; readonly as: "object" | "text" }
  | { readonly _tag: "unproven"; readonly until: number }
  | { readonly _tag: "shared" }
  | { readonly _tag: "lost"; readonly stage: "before" | "after" }
  | { readonly _tag: "failed"; readonly words: Words; readonly times: number }
  | { readonly _tag: "declined"; readonly status: 400 | 413 | 415 | 422 }
  | { readonly _tag: "silent"; readonly until: number }

/** Document of a situation. A credit note names the invoice that it credits. */
export interface Document {
  readonly number: string
  readonly original: string | null
  readonly account: "main" | "till"
  readonly fate: Fate
}

export interface Situation {
  readonly documents: ReadonlyArray<Document>
  readonly repeats: "accept" | "decline" | "fail"
  readonly unknownIds: "omit" | "error-item"
  readonly unknown: Words
  /** Number of submissions after which the device is off, until a round. */
  readonly off: { readonly after: number; readonly until: number } | null
  /** Submissions are refused with a status after some, until a round. */
  readonly refused: { readonly status: number; readonly after: number; readonly until: number } | null
  /** Documents after this number are imported after a copy of the store, which then replaces it. */
  readonly copiedAfter: number | null
  /** `corrected`: the source states every document otherwise from the second round on. */
  readonly source: "corrected" | "unchanged"
  /** `page`: the operator uses the page in this round, and the command in the others. */
  readonly page: number | null
  /** Time that passes before each round. */
  readonly ages: ReadonlyArray<number>
  readonly reason: string
}

const letters = "abcdefghijklmnopqrstuvwxyzäéñøßžאבדשمرحب中文字 ,.:-/#"

const sentence = (random: Random): string =>
  random
    .times(1, 6, () =>
      random
        .times(2, 9, () => random.pick([...letters]))
        .join("")
        .trim()
    )
    .join(" ")

const verbs = ["queued", "not found", "pending", "in work", "refused", "a duplicate", "sent twice", "offline", "late"]

/** Draws any text: sentences, codes glued to numbers, JSON. */
const textOf = (random: Random, number: string): Text => {
  const code = `${random.pick(["RCPT", "DEV", "E", "ERR-"])}${String(random.between(0, 999)).padStart(3, "0")}`
  const said = random.pick([
    () => sentence(random),
    () => `Invoice ${number} is ${random.pick(verbs)}`,
    () => random.pick(verbs),
    () => `${number}-${code} ${random.pick(verbs)}`,
    () => `${code}-${random.between(1, 99)}: ${sentence(random)}`,
    () => `DEV${random.between(10, 99)}: ${sentence(random)}`
  ])()
  return random.chance(0.2) ? { [random.pick(["Code", "Message", "status"])]: said, n: random.between(0, 500) } : said
}

const wordsOf = (random: Random, number: string): Words => ({
  error: textOf(random, number),
  actionable: random.pick([null, true, false])
})

const fateOf = (random: Random, number: string, rounds: number): Fate => {
  const until = random.between(1, rounds)
  return random.pick<() => Fate>([
    () => ({ _tag: "plain" }),
    () => ({ _tag: "words", words: wordsOf(random, number), until }),
    () => ({ _tag: "words", words: wordsOf(random, number), until }),
    () => ({ _tag: "contradiction", words: wordsOf(random, number), as: random.pick(["object", "text"]) }),
    () => ({ _tag: "unproven", until }),
    () => ({ _tag: "shared" }),
    () => ({ _tag: "lost", stage: random.pick(["before", "after"]) }),
    () => ({ _tag: "failed", words: wordsOf(random, number), times: random.between(1, 2) }),
    () => ({
      _tag: "failed",
      words: { error: `RCPT0${random.between(10, 48)}: ${sentence(random)}`, actionable: random.pick([null, true]) },
      times: 1
    }),
    () => ({ _tag: "declined", status: random.pick([400, 413, 415, 422] as const) }),
    () => ({ _tag: "silent", until })
  ])()
}

/**
 * Draws the documents of one or two accounts. A crowd shares one text of the gateway, and has more
 * documents than an item of attention names.
 */
const documentsOf = (random: Random, rounds: number): ReadonlyArray<Document> => {
  const isCrowd = random.chance(0.4)
  const hasTwoAccounts = random.chance(0.3)
  const shared: Fate = { _tag: "words", words: wordsOf(random, "INV-1"), until: random.between(1, rounds) }
  const all: Array<Document> = []
  for (let i = 1, count = isCrowd ? random.between(7, 9) : random.between(2, 5); i <= count; i++) {
    const account = hasTwoAccounts && random.chance(isCrowd ? 0.2 : 0.5) ? "till" : "main"
    const credited = new Set(all.map(({ original }) => original))
    const creditable = all.filter(
      (one) => one.account === account && one.original === null && !credited.has(one.number)
    )
    const original = creditable.length > 0 && random.chance(0.25) ? random.pick(creditable).number : null
    const number = `${original === null ? "INV" : "CN"}-${i}`
    const fate = isCrowd && random.chance(0.9) ? shared : fateOf(random, number, rounds)
    all.push({ number, original, account, fate })
  }
  return all
}

/** Draws a situation with this number of rounds. */
export const situation = (random: Random, rounds: number): Situation => {
  const all = documentsOf(random, rounds)
  const documents = all.length
  const until = () => random.between(1, rounds)
  return {
    documents: all,
    repeats: random.pick(["accept", "accept", "decline", "fail"]),
    unknownIds: random.pick(["omit", "error-item"]),
    unknown: wordsOf(random, "{id}"),
    off: random.chance(0.15) ? { after: random.between(1, documents), until: until() } : null,
    refused: random.chance(0.15)
      ? { status: random.pick([401, 403, 429, 503]), after: random.between(0, documents - 1), until: until() }
      : null,
    copiedAfter: random.chance(0.25) ? random.between(1, documents - 1) : null,
    source: random.pick(["corrected", "corrected", "unchanged"]),
    page: random.chance(0.4) ? random.between(0, rounds - 1) : null,
    // Together less than 20 hours: time alone settles a failure then (STAT-9).
    ages: Array.from({ length: rounds }, () => random.pick([minute, 6 * minute, 20 * minute, hour, 5 * hour])),
    reason: random.pick(["it is so", "seen", "x", "the portal has it", "not in the portal", "ok, done!"])
  }
}
