/**
 * A plain function from a delivery's bytes to the reply, for any server. Accepts only deliveries
 * signed with the account's secret, and changes only its documents.
 */
import {
  Array as Arr,
  Cause,
  Clock,
  Context,
  DateTime,
  Duration,
  Effect,
  Fiber,
  Layer,
  Option,
  Result,
  type Scope
} from "effect"
import { settlesAfter } from "../gateway/contract/AssumptionSwitches.ts"
import type { StatusItem } from "../gateway/operation/Status.ts"
import * as Nudges from "./Nudges.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import {
  bodyProblem,
  type Delivery,
  hasSecret,
  isSigned,
  itemsOf,
  maxBodySize,
  switchesOf,
  type WebhookAccount
} from "./WebhookDelivery.ts"

/**
 * Reply to a delivery: the body is text/plain, without cookies (HOOK-4).
 * - 200: accepted, with any content (HOOK-5).
 * - 204: a nudge.
 * - 401: not signed by the account.
 * - 413: larger than `maxBodySize`.
 * - 500: the host altered the body, and the text explains how.
 * - 503: the store is busy, and the gateway delivers again.
 */
export interface Reply {
  readonly status: 200 | 204 | 401 | 413 | 500 | 503
  readonly body: string
}

/** Operations of the receiver. */
export interface WebhookReceiverShape {
  /**
   * Replies to a delivery within four fifths of HOOK-4. Never fails. Accepts the same delivery any
   * number of times (HOOK-3, HOOK-7).
   */
  receive(delivery: Delivery): Effect.Effect<Reply>
}

/** Receives deliveries of the gateway. */
export class WebhookReceiver extends Context.Service<WebhookReceiver, WebhookReceiverShape>()(
  "@fiscal-connector/core/webhook/WebhookReceiver"
) {}

/** Options of the receiver. */
export interface WebhookReceiverOptions {
  /**
   * Look that a nudge leads to, for accounts without a secret, at most once per account in 10 s.
   * Default: none, because outcomes are polled anyway.
   */
  readonly look?: Nudges.NudgedLook
}

const busy: Reply = { status: 503, body: "the store is busy; deliver again later" }
const nudged: Reply = { status: 204, body: "" }
const tooLarge: Reply = { status: 413, body: `more than ${maxBodySize} bytes` }
const unsigned: Reply = { status: 401, body: "the signature does not fit the bytes of the body" }

const taken = (items: number, unreadable: number): Reply => ({
  status: 200,
  body: unreadable === 0 ? `${items} taken` : `${items} taken, ${unreadable} unreadable`
})

/** A delivery that never finishes in time makes progress each time it is repeated. */
const perTransaction = 200

/** The items caused the failure: writing them again would fail again. */
const isItsOwn = (cause: Cause.Cause<StoreError>): boolean =>
  Option.match(Cause.findErrorOption(cause), {
    onNone: () => !Cause.hasInterrupts(cause),
    onSome: ({ reason }) => reason === "conflict"
  })

/**
 * One document, or the whole store, cannot be read. An operator restores a backup, and the gateway
 * delivers again.
 */
const isDamage = (cause: Cause.Cause<StoreError>): boolean =>
  Option.exists(Cause.findErrorOption(cause), ({ reason }) => reason === "corrupt")

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, each) => total + each, 0)

/**
 * In one transaction per group, or one by one if a group fails. Returns the number of items that
 * could not be stored.
 */
const record = (
  store: SubmissionStoreOperations,
  { account, assumptions }: Pick<WebhookAccount, "account" | "assumptions">,
  items: ReadonlyArray<StatusItem>
): Effect.Effect<number, StoreError> => {
  const after = settlesAfter(switchesOf({ assumptions })["STAT-9"]) ?? undefined
  const write = (part: ReadonlyArray<StatusItem>) => Effect.as(store.recordOutcomes(account, part, "webhook", after), 0)
  const alone = (item: StatusItem) =>
    Effect.catchCauseIf(write([item]), isItsOwn, (cause) =>
      Effect.as(Effect.logWarning(`a delivery to ${account}: one result could not be written`, cause), 1)
    )
  // Stores every item that can be stored. A document that cannot be read fails the delivery, but
  // not the other items.
  const apart = (part: ReadonlyArray<StatusItem>) =>
    Effect.map(
      Effect.flatMap(
        Effect.forEach(part, (item) => Effect.exit(alone(item))),
        Effect.all
      ),
      sum
    )
  const together = (part: ReadonlyArray<StatusItem>) =>
    Effect.catchCauseIf(
      write(part),
      (cause) => isItsOwn(cause) || isDamage(cause),
      () => apart(part)
    )
  return Effect.map(Effect.forEach(Arr.chunksOf(items, perTransaction), together), sum)
}

/** 503 when the time is over. Unfinished work continues, and a repeated delivery does no harm. */
const inTime = (scope: Scope.Scope, work: Effect.Effect<Reply>, millis: number) =>
  Effect.flatMap(Effect.forkIn(work, scope), (fiber) =>
    Effect.map(
      Effect.timeoutOption(Fiber.join(fiber), millis),
      Option.getOrElse(() => busy)
    )
  )

/** A fifth of HOOK-4 is reserved for the network. */
const timeLeft = ({ account, receivedAt }: Delivery) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const since = receivedAt === undefined ? now : DateTime.makeUnsafe(receivedAt).epochMilliseconds
    const limit = Duration.toMillis(Duration.seconds(switchesOf(account)["HOOK-4"])) * 0.8
    return Math.max(0, limit - Math.max(0, now - since))
  })

/** Makes a receiver over the store in the context. */
export const make = (
  options: WebhookReceiverOptions = {}
): Effect.Effect<WebhookReceiverShape, never, SubmissionStore | Scope.Scope> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const scope = yield* Effect.scope
    const { look } = options
    const nudges =
      look === undefined
        ? undefined
        : yield* Nudges.make((account, ids) => Effect.andThen(store.hastenPolls(account, ids), look(account, ids)))

    const nudge = (delivery: Delivery) => {
      const items = Result.getOrElse(itemsOf(delivery), () => ({ items: [] }))
      const ids = items.items.map(({ requestId }) => requestId)
      return Effect.as(nudges === undefined ? Effect.void : nudges.nudge(delivery.account.account, ids), nudged)
    }

    const take = (delivery: Delivery): Effect.Effect<Reply> => {
      const { account } = delivery.account
      const read = itemsOf(delivery)
      if (Result.isFailure(read)) {
        return Effect.as(Effect.logWarning(`a signed delivery to ${account} is not used: ${read.failure}`), taken(0, 1))
      }
      const { items, malformed } = read.success
      const warning =
        malformed[0] === undefined
          ? Effect.void
          : Effect.logWarning(`a delivery to ${account}: ${malformed.length} results not used: ${malformed[0]}`)
      return Effect.andThen(warning, record(store, delivery.account, items)).pipe(
        Effect.map((lost) => taken(items.length - lost, malformed.length + lost)),
        Effect.catch((error) => Effect.as(Effect.logWarning(`a delivery to ${account}: ${error.message}`), busy))
      )
    }

    const receive = (delivery: Delivery): Effect.Effect<Reply> =>
      Effect.suspend(() => {
        const problem = bodyProblem(delivery.body, delivery.headers)
        if (problem !== null) return Effect.as(Effect.logError(problem), { status: 500, body: problem } as const)
        if (delivery.body.length > maxBodySize) return Effect.succeed(tooLarge)
        if (!hasSecret(delivery.account)) return nudge(delivery)
        if (!isSigned(delivery)) {
          const text = `a delivery to ${delivery.account.account} is not signed with any of its secrets; nothing of it is used`
          return Effect.as(Effect.logWarning(text), unsigned)
        }
        return Effect.flatMap(timeLeft(delivery), (millis) => inTime(scope, take(delivery), millis))
      })
    return { receive }
  })

/** Provides the receiver over the store in the context. */
export const layer = (options: WebhookReceiverOptions = {}): Layer.Layer<WebhookReceiver, never, SubmissionStore> =>
  Layer.effect(WebhookReceiver, make(options))

/**
 * Makes a callback receiver for a host without Effect in its request handlers. Calls `reply` once
 * per delivery.
 */
export const toCallback: Effect.Effect<
  (delivery: Delivery, reply: (reply: Reply) => void) => void,
  never,
  WebhookReceiver
> = Effect.gen(function* () {
  const receiver = yield* WebhookReceiver
  const run = Effect.runForkWith(yield* Effect.context<never>())
  return (delivery, reply) => {
    run(Effect.map(receiver.receive(delivery), reply))
  }
})
