import { assert, it } from "../It.ts"
import { DateTime, Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { RequestId } from "../../src/document/Identifiers.ts"
import type { AttemptOptions } from "../../src/submission/Attempt.ts"
import type { AttemptResult } from "../../src/submission/AttemptResult.ts"
import { type StatusControl, nobody, type StatusItem } from "../../src/gateway/operation/Status.ts"
import type { StatusPoller } from "../../src/sending/StatusPoller.ts"
import * as Attention from "../../src/attention/Attention.ts"
import * as BulkDecision from "../../src/session/BulkDecision.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import type { HoldCause, SubmissionKey } from "../../src/submission/PlannedDocument.ts"
import * as PermittedDecision from "../../src/submission/PermittedDecision.ts"
import { transitions } from "../../src/submission/Submission.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { at, drain, engine, now, plan, sweep } from "../sending/Engine.ts"
import { answers, contradictory, failed, fiscalised, make, pending, rejected } from "../sending/ScriptedGateway.ts"

/** Returns a seeded generator, so that a walk can be repeated. */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

const deciding = {
  fiscalised: "Fiscalised",
  "not-processed": "NotProcessed",
  resend: "Resend",
  rejected: "Rejected",
  acknowledged: "Acknowledged",
  accepted: "Accepted",
  same: "Same"
} as const

const holds: ReadonlyArray<HoldCause> = [
  "late",
  "historical",
  "outdated",
  "original",
  "credited",
  "operator",
  "before-start",
  "older-copy",
  "rejection-unconfirmed",
  "duplicate",
  "replaces"
]

/** Asserts that the store would accept every decision which attention lists about the account. */
const listedIsPermitted = (account: string) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const health = yield* store.health(Duration.days(7))
    for (const item of [...Attention.of(health), ...Attention.pending(health)].filter((one) => one.account === account))
      for (const { document, step } of item.actions) {
        if (step.do !== "resolve" && step.do !== "withdraw") continue
        const decision = step.do === "withdraw" ? "Withdrawn" : deciding[step.as]
        const said = `${item.code} (${item.cause}): ${JSON.stringify(step)} is listed`
        const { of } = step
        const subjects =
          document === null
            ? (yield* BulkDecision.select({ ...of, state: of?.state as never, account }, decision)).documents
            : [document.key]
        assert.isNotEmpty(subjects, `${said}, and is about nothing`)
        for (const subject of subjects) {
          const explanation = Option.getOrThrow(yield* store.explain(subject))
          const permitted = PermittedDecision.of(explanation).map((one) => one.decision)
          assert.include(permitted, decision, `${said}, and refused for ${explanation.submission.state}`)
        }
      }
  })

/** Runs one document through thirty random events; returns the edges of its states. */
const walk = (seed: number) =>
  Effect.gen(function* () {
    const next = random(seed)
    const pickBy =
      (next: () => number) =>
      <A>(from: ReadonlyArray<A>): A =>
        from[Math.floor(next() * from.length)]!
    const pick = pickBy(next)
    // texts and causes do not change the way of the walk
    const choose = pickBy(random(seed + 1_000_000))
    const gateway = make()
    const own = { account: `shop ${seed}`, lane: `test/${seed}`, number: String(seed) }
    const key: SubmissionKey = { account: own.account, kind: "invoice", id: "i1" }
    const account = gateway.account(
      {
        account: own.account,
        firstLook: 0,
        credentials: pick(["exclusive", "shared"]),
        unknown: "resend-flagged",
        assumptions: { "DOC-10": "deduplicates" }
      },
      { deviceId: seed }
    )
    const store = yield* SubmissionStore
    yield* at(now)
    let version = 0
    const dead: Array<number> = []
    const atOnce = { firstLook: Duration.zero }
    const taken = (attempt: number): AttemptResult => ({
      _tag: "Accepted",
      requestId: RequestId.make(`late${attempt}`)
    })
    const late = (attempt: number): AttemptResult =>
      pick([taken(attempt), taken(attempt), { _tag: "Declined", text: "no" }, { _tag: "NotProcessed", text: "no" }])
    const lost: AttemptResult = { _tag: "Accepted", requestId: RequestId.make("lost") }
    const sending: AttemptOptions = {
      accounts: [{ account: own.account, environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
      lease: Duration.minutes(2),
      skew: Duration.zero
    }
    const answer = () => pick([gateway.accept, gateway.accept, answers.declined, answers.unknown, answers.limited])
    const ids = () => [...[...gateway.submitted.keys()].map((n) => `r${n + 1}`), ...dead.map((n) => `late${n}`)]
    const item = (id: string): StatusItem =>
      pick([
        fiscalised(id),
        fiscalised(id, "OTHER"),
        rejected(id),
        rejected(id, "final"),
        failed(id, choose(["no", "no", "no", "DEV01: off", "DEV01 (off)"]), pick(["final", "correctable"])),
        pending(id),
        contradictory(id)
      ])
    const entered: Decision = { _tag: "Accepted", requestId: RequestId.make("lost") }
    const decisions: ReadonlyArray<Decision> = [
      { _tag: "Fiscalised", proof: {} },
      { _tag: "Rejected", rejection: { error: "no", nature: pick(["final", "correctable"]) } },
      entered,
      { _tag: "NotProcessed" },
      { _tag: "Resend" },
      { _tag: "Withdrawn" },
      { _tag: "Acknowledged" }
    ]
    // The store accepts exactly the offered decisions. It refuses one if a request has no current
    // answer, so requests are asked for once more.
    const decided = (decision: Decision) =>
      Effect.gen(function* () {
        if (decision._tag === "Rejected") {
          yield* store.hastenPolls(
            own.account,
            ids().map((id) => RequestId.make(id))
          )
          yield* sweep(account)
        }
        const explanation = Option.getOrThrow(yield* store.explain(key))
        const offered = PermittedDecision.of(explanation).find((one) => one.decision === decision._tag)
        const from = offered?.from ?? null
        if (from !== null) {
          const early = yield* store.decide(key, decision, "a reason")
          assert.isTrue(early._tag === "Refused" && DateTime.Equivalence(early.from!, from), JSON.stringify(early))
        }
        const resolution = yield* store.decide(key, decision, "a reason", from === null ? undefined : "recent")
        const said = `${explanation.submission.state}, ${decision._tag}: ${JSON.stringify(resolution)}`
        if (resolution._tag === "Resolved") {
          if (decision._tag !== "Acknowledged") assert.isDefined(offered, said)
        } else if (
          !/request id|ask the gateway once more|must be asked once more|states no failure for its request|its request \w+ (is older|now)/.test(
            resolution.text
          )
        ) {
          assert.isUndefined(offered, said)
        }
      })
    const answerLate = () =>
      dead.length === 0
        ? Effect.void
        : store.finishAttempt({ attempt: pick(dead), result: late(pick(dead)), ...atOnce })
    const deliver = () => store.recordOutcomes(own.account, ids().map(item), "webhook")
    // a process that dies while sending, and may get an answer after all
    const begin = Effect.fnUntraced(function* () {
      const claim = yield* store.claim(own.lane, `w${++version}`, Duration.minutes(2), () => true)
      assert.isTrue(claim._tag === "Claimed")
      if (claim._tag === "Busy") return null
      const begun = yield* store.beginAttempt(claim.lease, sending)
      return begun._tag === "Begun" ? begun.attempt : null
    })
    const events: ReadonlyArray<() => Effect.Effect<unknown, unknown, StatusPoller>> = [
      () =>
        plan(invoice("i1", { ...own, total: `${++version}.00`, late: "restamp" })).pipe(
          Effect.provideService(SubmissionStore, store)
        ),
      () =>
        plan(invoice("i1", { ...own, held: "look", total: `${++version}.00` })).pipe(
          Effect.provideService(SubmissionStore, store)
        ),
      () => store.hold([key], { cause: choose(holds), text: "wait" }),
      () => decided(pick(decisions)),
      () => decided(pick(decisions)),
      () => decided(entered),
      () => store.recordOutcomes(own.account, [item(pick(["lost", ...ids()]))], "webhook"),
      () => Effect.andThen(deliver(), answerLate()),
      () => Effect.andThen(decided({ _tag: "NotProcessed" }), Effect.andThen(deliver(), answerLate())),
      // the gateway forgets every request
      Effect.fnUntraced(function* () {
        gateway.state.status = () => null
        yield* TestClock.adjust("8 days")
        yield* sweep(account)
        yield* pick([deliver, () => decided(pick(decisions))])()
      }),
      // the next request is under way, and answers to earlier ones arrive
      Effect.fnUntraced(function* () {
        yield* decided({ _tag: "NotProcessed" })
        const attempt = yield* begin()
        if (attempt === null) return
        const isInFlight = next() < 0.5
        if (isInFlight) {
          for (const one of dead) yield* store.finishAttempt({ attempt: one, result: taken(one), ...atOnce })
        } else yield* store.claim(own.lane, `h${attempt}`, Duration.zero, () => true)
        dead.push(attempt)
        yield* store.recordOutcomes(own.account, [item(`late${pick(dead)}`)], "webhook")
        const result: AttemptResult = isInFlight ? { _tag: "Declined", text: "no" } : late(attempt)
        yield* store.finishAttempt({ attempt, result, ...atOnce })
      }),
      () => Effect.andThen(TestClock.adjust("5 minutes"), store.resendUnknown(own.account)),
      () => store.joinByElimination(own.account),
      answerLate,
      answerLate,
      () => TestClock.adjust(pick(["1 second", "10 minutes", "8 days"]))
    ]
    yield* plan(invoice("i1", own))
    for (let step = 0; step < 30; step++) {
      const turn = next()
      if (turn < 0.3) {
        gateway.answer("i1", answer())
        // The status of a rejected document is asked again before the document is sent again.
        gateway.state.status = (id) => rejected(id)
        // a lane reads its device again after a failure, but not at once
        yield* TestClock.adjust("10 seconds")
        yield* drain(account)
      } else if (turn < 0.4) {
        const silent = next() < 0.4
        // the id that no request has gets no answer, or the text of a failure without a code
        gateway.state.control = pick<StatusControl>([
          { _tag: "LeftOut" },
          { _tag: "LeftOut" },
          { _tag: "NotAnswered" },
          { _tag: "Answered", items: [failed(nobody, "no")] }
        ])
        gateway.state.status = (id) => (silent ? null : item(id))
        yield* sweep(account)
      } else if (turn < 0.55) {
        const attempt = yield* begin()
        yield* store.claim(own.lane, `h${step}`, Duration.zero, () => true)
        if (attempt !== null) dead.push(attempt)
      } else {
        yield* pick(events)()
      }
      if (choose([true, false, false])) yield* listedIsPermitted(own.account)
      if (choose([true, ...Array.from({ length: 9 }, () => false)])) yield* decided({ _tag: "Same" })
    }
    if (next() < 0.5) {
      yield* decided(entered)
      gateway.state.status = () => null
      yield* TestClock.adjust("8 days")
      yield* sweep(account)
      if (next() < 0.5) yield* decided(pick(decisions))
    }
    // Another document is sent, and gets the request id that an operator may have entered for this
    // one.
    yield* plan(invoice("i2", { ...own, number: `${seed} b` }))
    const claim = yield* store.claim(own.lane, "the next", Duration.minutes(2), () => true)
    assert(claim._tag === "Claimed")
    const begun = yield* store.beginAttempt(claim.lease, sending)
    if (begun._tag === "Begun" && begun.key.id === "i2") {
      yield* store.finishAttempt({ attempt: begun.attempt, result: lost, firstLook: Duration.zero })
    }
    // the next walk sets the clock back, and this gateway's time with it
    yield* store.compareClocks(own.account, null)
    const { attempts, submission, timeline } = Option.getOrThrow(yield* store.explain(key))
    const successes = new Set(timeline.filter(({ to }) => to === "Fiscalised").map(({ at }) => at))
    assert.isTrue(submission.state === "Fiscalised" || successes.size === 0, "nothing leads back from Fiscalised")
    for (const { repeats } of attempts.slice(0, 1)) assert.strictEqual(repeats, "first")
    return timeline.flatMap(({ cause, from, to }) => (from === null || from === to ? [] : [`${from} ${to} ${cause}`]))
  })

/**
 * Seeds of the walks, always the same. The first ones are known to cover every edge together;
 * further ones follow as needed.
 */
const every = [
  200, 207, 1366, 222, 1160, 56, 91, 139, 215, 273, 1047, 6, 9, 10, 11, 26, 34, 57, 58, 62, 64, 82, 94, 97, 251, 1232
]
const seeds = [...every, ...Array.from({ length: 3000 }, (_, i) => i + 1)]

// slow: each walk has its own store, and attention is read after a third of its steps
it.effect("a document changes its state along every edge of the table, and never otherwise", function* () {
  const table = new Set(transitions.map(({ cause, from, to }) => `${from} ${to} ${cause}`))
  const seen = new Set<string>()
  for (const seed of seeds) {
    if (seen.size >= table.size) break
    // attention reads the whole store: each walk has its own
    const edges = yield* Effect.provide(walk(seed), engine({ backOff: { first: 0, longest: 0 } }))
    for (const edge of edges) seen.add(edge)
  }
  assert.deepStrictEqual(
    [...seen].filter((edge) => !table.has(edge)),
    []
  )
  assert.deepStrictEqual(
    [...table].filter((edge) => !seen.has(edge)),
    []
  )
})
