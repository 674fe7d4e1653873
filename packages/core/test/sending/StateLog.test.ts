import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, References, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { RequestId } from "../../src/document/Identifiers.ts"
import { StateLog } from "../../src/submission/StateLog.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, plan, sweep, test } from "./Engine.ts"
import { answers, fiscalised, make, rejected } from "./ScriptedGateway.ts"

interface Line {
  readonly level: string
  readonly text: string
  readonly annotations: Readonly<Record<string, unknown>>
}

/** Returns everything that the effect logs. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<Line> = []
    const logger = Logger.make<unknown, void>(({ fiber, logLevel, message }) => {
      const text = (Array.isArray(message) ? message : [message]).map(String).join(" ")
      lines.push({ level: logLevel, text, annotations: { ...fiber.getRef(References.CurrentLogAnnotations) } })
    })
    return Effect.as(Effect.provide(effect, Logger.layer([logger])), lines)
  })

/** Sends a document, then looks for its outcome. */
const sent = (account: ReturnType<ReturnType<typeof make>["account"]>) =>
  Effect.gen(function* () {
    yield* drain(account)
    yield* TestClock.adjust("10 seconds")
    yield* sweep(account)
  })

const texts = (lines: ReadonlyArray<Line>) => lines.map(({ level, text }) => `${level} ${text}`)

describe("the log of state changes", () => {
  it.effect(
    "reports a fiscalised document once, with all identifiers and without intermediate states",
    test(function* () {
      const gateway = make()
      const lines = yield* logged(Effect.andThen(plan(invoice("i1")), sent(gateway.account())))
      assert.deepStrictEqual(texts(lines), [`Info invoice ${invoice("i1").document.number} is fiscalised`])
      assert.deepStrictEqual(lines[0]?.annotations, {
        event: "document-fiscalised",
        account: "shop",
        lane: invoice("i1").lane,
        kind: "invoice",
        id: "i1",
        number: invoice("i1").document.number,
        requestId: "r1"
      })
      // The same answer again changes nothing.
      const again = yield* logged(
        SubmissionStore.use((store) => store.recordOutcomes("shop", [fiscalised("r1")], "webhook"))
      )
      assert.deepStrictEqual(again, [])
    })
  )

  it.effect(
    "warns of rejected, declined and unknown documents, without the gateway's own text",
    test(function* () {
      const gateway = make()
      gateway.state.status = (id) => rejected(id)
      gateway.answer("i2", answers.declined)
      gateway.answer("i3", answers.unknown)
      const lines = yield* logged(
        Effect.andThen(plan(invoice("i1"), invoice("i2"), invoice("i3")), sent(gateway.account()))
      )
      assert.deepStrictEqual(
        lines.map(({ annotations, level }) => `${level} ${String(annotations["event"])} ${String(annotations["id"])}`),
        ["Warn document-declined i2", "Warn document-unknown i3", "Warn document-rejected i1"]
      )
      assert.notMatch(JSON.stringify(lines), /RCPT017|Total is missing|502/)
    })
  )

  it.effect(
    "warns once of a stopped lane, however often it is tried, and reports its restart",
    test(function* () {
      const gateway = make()
      const account = gateway.account()
      gateway.answer("i1", answers.credentials)
      const stopped = yield* logged(Effect.andThen(plan(invoice("i1")), drain(account)))
      const lane = invoice("i1").lane
      assert.deepStrictEqual(texts(stopped), [`Warn lane ${lane} is stopped: credentials`])
      assert.deepStrictEqual(stopped[0]?.annotations, { event: "lane-stopped", lane, cause: "credentials" })
      gateway.state.profile = answers.credentials
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* logged(drain(account)), [])
      gateway.state.profile = make().state.profile
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(texts(yield* logged(drain(account))), [`Info lane ${lane} goes on`])
    })
  )

  it.effect(
    "warns of a conflict once",
    test(function* () {
      const gateway = make()
      yield* plan(invoice("i1"))
      yield* sent(gateway.account())
      const contradict = SubmissionStore.use((store) =>
        store.recordOutcomes("shop", [fiscalised("r1", "another code")], "webhook")
      )
      const lines = yield* logged(contradict)
      assert.deepStrictEqual(
        lines.map(({ annotations, level }) => [level, annotations["event"], annotations["requestId"]]),
        [["Warn", "conflict", "r1"]]
      )
      assert.deepStrictEqual(yield* logged(contradict), [])
    })
  )

  it.effect(
    "is silent if another channel reports the change",
    test(function* () {
      const all = Effect.andThen(plan(invoice("i1")), sent(make().account()))
      assert.deepStrictEqual(yield* logged(Effect.provideService(all, StateLog, "silent")), [])
    })
  )
})

describe("spans", () => {
  it.effect(
    "cover planning, each attempt with its request id, and each poll",
    test(function* () {
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const gateway = make()
      const all = Effect.andThen(plan(invoice("i1")), sent(gateway.account()))
      yield* Effect.provideService(all, Tracer.Tracer, tracer)
      const own = spans.filter(({ name }) => name.startsWith("FiscalConnector."))
      assert.deepStrictEqual(
        own.map(({ attributes, name }) => [name, Object.fromEntries(attributes)]),
        [
          ["FiscalConnector.plan", { documents: 1 }],
          [
            "FiscalConnector.attempt",
            {
              account: "shop",
              kind: "invoice",
              id: "i1",
              number: invoice("i1").document.number,
              lane: invoice("i1").lane,
              attempt: 1,
              result: "Accepted",
              requestId: RequestId.make("r1")
            }
          ],
          ["FiscalConnector.poll", { account: "shop", asked: 1 }]
        ]
      )
    })
  )
})
