/**
 * What is still to be delivered, as data: outcomes become deliveries, faults bend them, failed ones wait longer each time (HOOK-4).
 */
import type { FaultSpec } from "../fault/Fault.ts"
import type { WebhookConfig } from "./WebhookConfig.ts"
import type { DeliveryAttempt, Purpose } from "./DeliveryLog.ts"

/** One delivery; instants are milliseconds since 1970 on the sandbox's clock. */
export interface Letter {
  readonly id: number
  readonly account: string
  readonly purpose: Purpose
  readonly requestIds: ReadonlyArray<string>
  readonly documents: ReadonlyArray<string>
  readonly body: Uint8Array<ArrayBuffer>
  due: number
  attempts: number
  firstTriedAt: number | null
  /** It lets a later one of the account pass, until then. */
  lettingPassUntil: number | null
  state: "waiting" | "under-way"
}

/** An address with its state; `disabled` once nothing got through for 24 hours. */
export interface Address {
  readonly config: WebhookConfig
  state: "enabled" | "disabled"
}

export interface Postbox {
  readonly addresses: Map<string, Address>
  letters: Array<Letter>
  readonly log: Array<DeliveryAttempt>
  lastId: number
}

export const make = (): Postbox => ({ addresses: new Map(), letters: [], log: [], lastId: 0 })

/** How many tries the log keeps. */
const logged = 10_000

export const record = (postbox: Postbox, attempt: DeliveryAttempt): void => {
  postbox.log.push(attempt)
  if (postbox.log.length > logged) postbox.log.shift()
}

const seconds = 1000
const hours = 3600 * seconds

/** How long after its first try a delivery is given up, and the webhook with it. */
const givenUpAfter = 24 * hours

/** The pause after so many tries: three times as long each, up to six hours. */
const pauseAfter = (attempts: number, first: number): number => Math.min(first * 3 ** (attempts - 1), 6 * hours)

export const letter = (
  postbox: Postbox,
  content: Pick<Letter, "account" | "purpose" | "requestIds" | "documents" | "body" | "due">
): Letter => ({
  ...content,
  id: ++postbox.lastId,
  attempts: 0,
  firstTriedAt: null,
  lettingPassUntil: null,
  state: "waiting"
})

const empty = new TextEncoder().encode("[]")

/** The deliveries that a delivery becomes under its faults. */
export const bent = (postbox: Postbox, one: Letter, faults: ReadonlyArray<FaultSpec>): ReadonlyArray<Letter> => {
  const letters = [one]
  for (const fault of faults) {
    switch (fault.kind) {
      case "delivery-twice":
        letters.push(...letters.map((each) => ({ ...each, id: ++postbox.lastId })))
        break
      case "delivery-late":
        for (const each of letters) each.due += fault.millis
        break
      case "delivery-out-of-order":
        for (const each of letters) each.lettingPassUntil = each.due + 5 * seconds
        break
      case "delivery-empty":
        letters.unshift(letter(postbox, { ...one, requestIds: [], documents: [], body: empty }))
        break
      default:
        break
    }
  }
  return letters
}

/** What goes out now; nobody else is given it. One that lets others pass goes once a later one of its account is going, or has gone, or its time is over. */
export const due = (postbox: Postbox, now: number): ReadonlyArray<Letter> => {
  const ready = postbox.letters.filter((each) => each.state === "waiting" && each.due <= now)
  const going = ready.filter(({ lettingPassUntil }) => lettingPassUntil === null || lettingPassUntil <= now)
  for (const each of going) {
    each.state = "under-way"
    for (const other of postbox.letters) {
      if (other.account === each.account && other.id < each.id) other.lettingPassUntil = null
    }
  }
  return going
}

/** When the next one goes out; none when nothing waits. */
export const next = ({ letters }: Postbox): number | undefined => {
  const times = letters
    .filter(({ state }) => state === "waiting")
    .map((each) => Math.max(each.due, each.lettingPassUntil ?? 0))
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Takes the result of a try: done, tried again later, or given up, and the webhook disabled. Answers when it is tried again. */
export const settle = (postbox: Postbox, one: Letter, now: number, problem: string | null): number | null => {
  const drop = () => {
    postbox.letters = postbox.letters.filter((each) => each !== one)
    return null
  }
  one.attempts++
  one.firstTriedAt ??= now
  const address = postbox.addresses.get(one.account)
  if (problem === null || address === undefined || !postbox.letters.includes(one)) return drop()
  if (now - one.firstTriedAt >= givenUpAfter) {
    address.state = "disabled"
    postbox.letters = postbox.letters.filter(({ account }) => account !== one.account)
    return null
  }
  one.state = "waiting"
  one.due = Math.min(now + pauseAfter(one.attempts, address.config.firstPauseMillis), one.firstTriedAt + givenUpAfter)
  return one.due
}
