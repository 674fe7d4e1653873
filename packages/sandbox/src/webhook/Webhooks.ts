/**
 * Delivers the outcomes of submissions: signed, at least once, in no guaranteed order (HOOK-1 to
 * HOOK-7).
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Processing from "../gateway/Processing.ts"
import * as Status from "../gateway/Status.ts"
import { currentOutcome, type Submission } from "../gateway/Submission.ts"
import { type SandboxAccount, World, type WorldState } from "../gateway/World.ts"
import * as Credentials from "../http/Credentials.ts"
import { Invalid, SandboxError } from "../SandboxError.ts"
import type { StatusItem } from "../wire/StatusItem.ts"
import * as Problems from "../wire/Problems.ts"
import * as Channel from "./Channel.ts"
import type { DeliveryAttempt, Dress, Registration, TestResult } from "./DeliveryLog.ts"
import * as Postbox from "./Postbox.ts"
import { WebhookConfig } from "./WebhookConfig.ts"

export interface WebhooksShape {
  readonly registrations: Effect.Effect<ReadonlyArray<Registration>>
  /**
   * Registers or enables a webhook, and sends the test series. Outcomes processed earlier are not
   * delivered.
   */
  readonly register: (
    account: string,
    webhook: typeof WebhookConfig.Encoded
  ) => Effect.Effect<ReadonlyArray<TestResult>, SandboxError>
  readonly remove: (account: string) => Effect.Effect<"removed" | "unknown">
  readonly test: (account: string) => Effect.Effect<ReadonlyArray<TestResult>, SandboxError>
  /** Tries so far, oldest first; the last 10 000. */
  readonly deliveries: Effect.Effect<ReadonlyArray<DeliveryAttempt>>
  readonly forgetDeliveries: Effect.Effect<void>
  /**
   * Delivers everything due by now, and waits for the answers. Deliveries also run in the
   * background, unless configured as on demand.
   */
  readonly deliver: Effect.Effect<void>
  /**
   * Processes the request now and delivers its outcome before anything else happens to the request.
   */
  readonly hurry: (requestId: string) => Effect.Effect<void>
}

export class Webhooks extends Context.Service<Webhooks, WebhooksShape>()(
  "@fiscal-connector/sandbox/webhook/Webhooks"
) {}

const header = "X-Api-Signature"
const decode = Schema.decodeUnknownEffect(WebhookConfig, { errors: "all", onExcessProperty: "error" })
const invalid = (...problems: ReadonlyArray<string>) => new SandboxError({ reason: new Invalid({ problems }) })
const bytes = (text: string) => new TextEncoder().encode(text)

const secretOf = (account: SandboxAccount, { secret }: WebhookConfig): Redacted.Redacted<string> | undefined => {
  const own = account.config.secret
  return secret ?? (own === undefined || Redacted.isRedacted(own) ? own : own[0])
}

const parcel = (
  account: SandboxAccount,
  config: WebhookConfig,
  body: Uint8Array<ArrayBuffer>,
  dress: Dress
): Channel.Parcel => {
  const secret = secretOf(account, config)
  const key = dress === "badly-signed" ? Redacted.make("another secret") : secret
  // The added byte is a space: the body remains JSON, so that only the signature reveals the
  // change.
  const sent = dress === "corrupted" ? Uint8Array.of(...body, 0x20) : body
  return {
    url: config.url,
    headers: { "Content-Type": "application/json", ...(key && { [header]: Credentials.sign(key, body) }) },
    body: sent
  }
}

/** Pending submissions remain in the outbox. */
const collect = (world: WorldState, now: number): ReadonlyMap<string, ReadonlyArray<Submission>> => {
  Processing.workOff(world, now)
  const isPending = (each: Submission) => currentOutcome(world, each)._tag === "Pending"
  const waiting = world.outbox ?? []
  const ready = waiting.filter((each) => !isPending(each))
  if (ready.length > 0) world.outbox = waiting.filter(isPending)
  return Map.groupBy(ready, ({ account }) => account)
}

const dressOf = (faults: ReadonlyArray<string>): Dress => {
  if (faults.includes("delivery-badly-signed")) return "badly-signed"
  return faults.includes("delivery-corrupted") ? "corrupted" : "as-it-should-be"
}

const lost = { answer: "lost", problem: "lost on the way, by a fault" } as const

const chunks = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))

const delivery = (one: Postbox.Letter, url: string, dress: Dress) => ({
  delivery: one.id,
  attempt: one.attempts + 1,
  account: one.account,
  url,
  purpose: one.purpose,
  dress,
  requestIds: one.requestIds,
  documents: one.documents
})

const nextDue = ({ devices }: WorldState, postbox: Postbox.Postbox) => {
  const queued = [...devices.values()].flatMap(({ queue }) => (queue[0] === undefined ? [] : [queue[0].readyAt]))
  const posted = Postbox.next(postbox)
  const times = posted === undefined ? queued : [...queued, posted]
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Sends in the background after the first webhook. */
const makeOffice = Effect.gen(function* () {
  const world = yield* World
  const channel = yield* Channel.Channel
  const scope = yield* Effect.scope
  const postbox = Postbox.make()
  for (const { config, name } of world.accounts) {
    if (config.webhook !== undefined) postbox.addresses.set(name, { config: config.webhook, state: "enabled" })
  }
  const accountOf = (name: string) => world.accounts.find((account) => account.name === name)

  const say = (attempt: DeliveryAttempt) => {
    Postbox.record(postbox, attempt)
    for (const observe of world.observers) observe({ _tag: "Delivered", attempt })
  }

  const post = (now: number) => {
    for (const [name, submissions] of collect(world, now)) {
      const account = accountOf(name)
      const address = postbox.addresses.get(name)
      if (account === undefined || address?.state !== "enabled") continue
      for (const some of chunks(submissions, address.config.itemsPerDelivery)) {
        const requestIds = some.map(({ requestId }) => requestId)
        const documents = some.flatMap(({ document }) => [document.id, document.number])
        const items: ReadonlyArray<StatusItem> = Status.answer(world, now, account, requestIds)
        const one = Postbox.letter(postbox, {
          account: name,
          purpose: "outcomes",
          requestIds,
          documents,
          body: bytes(JSON.stringify(items)),
          due: now
        })
        const faults = world.faults.strike({ operation: "delivery", account: name, documents })
        postbox.letters.push(...Postbox.bent(postbox, one, faults))
      }
    }
  }

  const send = Effect.fnUntraced(function* (one: Postbox.Letter) {
    const account = accountOf(one.account)
    const address = postbox.addresses.get(one.account)
    // The webhook was removed meanwhile.
    if (account === undefined || address === undefined) return
    const kinds = world.faults
      .strike({ operation: "delivery-try", account: one.account, documents: one.documents })
      .map(({ kind }) => kind)
    const dress = dressOf(kinds)
    const about = delivery(one, address.config.url, dress)
    const { answer, problem } = kinds.includes("delivery-lost")
      ? lost
      : yield* Channel.send(channel, parcel(account, address.config, one.body, dress))
    const now = yield* world.clock.now
    say({ ...about, at: now, answer, problem, next: Postbox.settle(postbox, one, now, problem) })
    world.bell.openUnsafe()
  })

  const goOut = Effect.map(world.clock.now, (now) => {
    post(now)
    return Postbox.due(postbox, now)
  })
  const deliver = Effect.flatMap(goOut, (letters) =>
    Effect.forEach(letters, send, { concurrency: "unbounded", discard: true })
  )

  /**
   * Sends the due deliveries without waiting for answers, then sleeps until the next due time or
   * until the bell rings: a call arrived, or the clock was moved.
   */
  const round = Effect.gen(function* () {
    world.bell.closeUnsafe()
    const letters = yield* goOut
    yield* Effect.forEach(letters, (one) => Effect.forkScoped(send(one)), { discard: true })
    const at = nextDue(world, postbox)
    const left = at === undefined ? undefined : at - (yield* world.clock.now)
    const standing = "standsAt" in (yield* world.clock.position)
    yield* left === undefined || standing
      ? world.bell.await
      : Effect.timeoutOption(world.bell.await, Math.max(1, Math.min(left, 60_000)))
  })
  const begin = Effect.suspend(() => {
    if (world.outbox !== undefined) return Effect.void
    world.outbox = []
    if (world.config.deliveries === "on-demand") return Effect.void
    return Effect.forkIn(Effect.provideService(Effect.forever(round), Scope.Scope, scope), scope)
  })
  if (postbox.addresses.size > 0) yield* begin

  return { accountOf, begin, channel, deliver, post, postbox, say, send, world }
})

const testing = ({
  accountOf,
  channel,
  postbox,
  say,
  world
}: Effect.Success<typeof makeOffice>): WebhooksShape["test"] =>
  Effect.fnUntraced(function* (name) {
    const [account, address] = [accountOf(name), postbox.addresses.get(name)]
    if (account === undefined || address === undefined) return yield* invalid(`${name} has no webhook`)
    // The item is still pending, so that no receiver has to store it.
    const unknown = JSON.stringify([
      { RequestId: "test", Success: false, IsActionable: false, Error: null, QrData: null, FiscalInvoicePdf: null }
    ])
    const signed = secretOf(account, address.config) !== undefined
    return yield* Effect.forEach(
      series,
      Effect.fnUntraced(function* ({ body, dress, sent }) {
        const text = body ?? unknown
        const one = Postbox.letter(postbox, {
          account: name,
          purpose: "test",
          requestIds: [],
          documents: [],
          body: bytes(text),
          due: 0
        })
        const { answer, problem } = yield* Channel.send(channel, parcel(account, address.config, one.body, dress))
        say({ ...delivery(one, address.config.url, dress), at: yield* world.clock.now, answer, problem, next: null })
        const mustRefuse = dress !== "as-it-should-be" && signed
        const passed = mustRefuse ? answer === 401 : problem === null
        return {
          sent,
          expected: mustRefuse ? "401" : "2xx within five seconds, without cookies",
          answer,
          passed,
          problem: passed ? null : mustRefuse ? "what is not signed with the secret must be answered 401" : problem
        }
      })
    )
  })

const make = Effect.gen(function* () {
  const office = yield* makeOffice
  const { accountOf, begin, deliver, post, postbox, send, world } = office
  const test = testing(office)
  return Webhooks.of({
    registrations: Effect.sync(() =>
      Array.from(postbox.addresses, ([account, { config, state }]) => ({
        account,
        url: config.url,
        state,
        waiting: postbox.letters.filter((each) => each.account === account).length
      }))
    ),
    register: Effect.fnUntraced(function* (name, webhook) {
      const config = yield* Effect.mapError(decode(webhook), (error) => invalid(...Problems.of(error)))
      if (accountOf(name) === undefined) return yield* invalid(`the sandbox has no account ${name}`)
      yield* Effect.map(world.clock.now, post)
      postbox.addresses.set(name, { config, state: "enabled" })
      yield* begin
      return yield* test(name)
    }),
    remove: (name) =>
      Effect.sync(() => {
        postbox.letters = postbox.letters.filter(({ account }) => account !== name)
        return postbox.addresses.delete(name) ? "removed" : "unknown"
      }),
    test,
    deliveries: Effect.sync(() => [...postbox.log]),
    forgetDeliveries: Effect.sync(() => {
      postbox.log.length = 0
    }),
    deliver,
    hurry: Effect.fnUntraced(function* (requestId) {
      const submission = world.submissions.get(requestId)
      if (submission === undefined) return
      const now = yield* world.clock.now
      Processing.workOff(world, submission.readyAt)
      post(now)
      const own = postbox.letters.filter((each) => each.state === "waiting" && each.requestIds.includes(requestId))
      for (const one of own) one.state = "under-way"
      const sending = yield* Effect.forEach(own, (one) => Effect.forkChild(send(one)))
      yield* Fiber.awaitAll(sending)
    })
  })
})

/**
 * Test series that registration sends (HOOK-5). The third delivery names a request that the account
 * does not have.
 */
const series: ReadonlyArray<{ readonly sent: string; readonly body: string | null; readonly dress: Dress }> = [
  { sent: "an empty array", body: "[]", dress: "as-it-should-be" },
  { sent: "an empty array, badly signed", body: "[]", dress: "badly-signed" },
  { sent: "an unknown request", body: null, dress: "as-it-should-be" },
  { sent: "an unknown request, with a byte more than was signed", body: null, dress: "corrupted" }
]

export const layer = Layer.effect(Webhooks, make)
