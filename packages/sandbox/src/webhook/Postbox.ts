/**
 * Turns outcomes into deliveries, applies faults, and delays failed deliveries longer each time
 * (HOOK-4).
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
  lettingPassUntil: number | null
  state: "waiting" | "under-way"
}

/** Address with its state; `disabled` after 24 hours without a successful delivery. */
export interface Recipient {
  readonly config: WebhookConfig
  state: "enabled" | "disabled"
}

export interface Postbox {
  readonly addresses: Map<string, Recipient>
  letters: Array<Letter>
  readonly log: Array<DeliveryAttempt>
  lastId: number
}

export const make = (): Postbox => ({ addresses: new Map(), letters: [], log: [], lastId: 0 })

const logged = 10_000

export const record = (postbox: Postbox, attempt: DeliveryAttempt): void => {
  postbox.log.push(attempt)
  if (postbox.log.length > logged) postbox.log.shift()
}

const seconds = 1000
const hours = 3600 * seconds

/** Time after the first try until the delivery is given up and the webhook disabled. */
const givenUpAfter = 24 * hours

/** Returns the pause after a number of tries: three times longer each time, at most six hours. */
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

/**
 * Takes the deliveries to send now; each is returned once. A delivery that lets others pass is sent
 * after a later one of its account is taken, or after its waiting time.
 */
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

export const next = ({ letters }: Postbox): number | undefined => {
  const times = letters
    .filter(({ state }) => state === "waiting")
    .map((each) => Math.max(each.due, each.lettingPassUntil ?? 0))
  return times.length === 0 ? undefined : Math.min(...times)
}

/**
 * Records the result of a try: delivered, tried again later, or given up with the webhook disabled.
 * Returns the time of the next try, or null.
 */
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
