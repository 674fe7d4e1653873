/**
 * Sends batches to one device under every kind of failure: no receipt is marked because of its date
 * or its number.
 */
import { assert, it } from "@effect/vitest"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import * as SandboxConfig from "@fiscal-connector/sandbox/SandboxConfig"
import { Clock, DateTime, Effect, Redacted } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import { TestClock } from "effect/testing"
import { RequestId } from "../../packages/core/src/document/Identifiers.ts"
import * as Instant from "../../packages/core/src/document/Instant.ts"
import * as Gateway from "../../packages/core/src/gateway/Gateway.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import { creditNote, invoice } from "../../packages/core/test/submission/PlannedDocuments.ts"
import { at, drain, engine, plan, sweep } from "../../packages/core/test/sending/Engine.ts"
import { given } from "../Given.ts"
import * as WithoutSockets from "../../packages/core/test/sending/WithoutSockets.ts"

const { count: batches, extent, seed: first } = given("chronology")
const zone = DateTime.zoneMakeOffset(2 * 3600 * 1000)

/** Returns the same random numbers every time. */
const generator = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}

const sandbox = Sandbox.makeInProcess({
  processingDelayMillis: 0,
  accounts: [
    {
      ...SandboxConfig.defaultAccount,
      taxMappings: [{ taxCode: "EXEMPT", destinationTaxId: 3 }],
      currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
    }
  ]
})

it.effect(
  "batches with refused, late, unknown and credit-note documents give no receipt a color for its date or number",
  () =>
    Effect.gen(function* () {
      const draw = generator(20_260_109 + first)
      const chance = (share: number) => draw() < share
      const below = (limit: number) => Math.floor(draw() * limit)
      yield* at("2026-01-01T08:00:00+02:00")
      const { answer, control } = yield* sandbox
      const gateway = yield* Gateway.make({
        account: "shop",
        baseUrl: "http://127.0.0.1",
        application: "sandbox-application",
        station: "sandbox-station",
        apiKey: Redacted.make("sandbox-key"),
        secret: Redacted.make("sandbox-secret")
      }).pipe(Effect.provideService(HttpClient.HttpClient, WithoutSockets.client(answer)))
      const store = yield* SubmissionStore
      const account = { account: "shop", gateway, firstLook: 0, clockSkew: "10000 days" } as const
      const invoices: Array<string> = []
      let made = 0

      /**
       * Draws a receipt date: at submission, or a second that may be already used, behind the mark,
       * or in the future.
       */
      const receiptDate = (now: number) =>
        chance(0.15)
          ? "at-submission"
          : Instant.format(Instant.fromSeconds(now - below(7200) + (chance(0.05) ? 60 : 0), zone))

      const document = (now: number) => {
        const id = `d${++made}`
        const particulars = {
          receiptDate: receiptDate(now),
          sourceDate: Instant.format(Instant.fromSeconds(now, zone)).slice(0, 10),
          zone: "+02:00",
          late: chance(0.3) ? "restamp" : "hold",
          ...(chance(0.03) ? { number: `N-d${1 + below(made)}` } : {})
        } as const
        if (invoices.length > 0 && chance(0.2)) {
          return creditNote(id, { ...particulars, credits: invoices[below(invoices.length)]!, total: "1.00" })
        }
        invoices.push(id)
        return invoice(id, particulars)
      }

      /** Settles Unknown documents: truthfully, by withdrawing them, or not at all for a while. */
      const settleUnknown = Effect.gen(function* () {
        const unknown = yield* store.list({ states: ["Unknown"] })
        if (unknown.length === 0) return
        const truth = new Map((yield* control.accepted).map((one) => [one.id, one.requestIds[0]]))
        for (const { account, id, kind } of unknown) {
          const turn = draw()
          const requestId = truth.get(id)
          if (turn < 0.3) continue
          if (turn < 0.4) yield* store.decide({ account, kind, id }, { _tag: "Withdrawn" }, "given up", "recent")
          else if (requestId === undefined)
            yield* store.decide({ account, kind, id }, { _tag: "NotProcessed" }, "asked", "recent")
          else
            yield* store.decide(
              { account, kind, id },
              { _tag: "Accepted", requestId: RequestId.make(requestId) },
              "asked"
            )
        }
      })

      for (let batch = 0; batch < batches; batch++) {
        yield* TestClock.adjust(`${1 + below(3600)} seconds`)
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        if (chance(0.1))
          yield* control.addFault({
            kind: "drop",
            stage: chance(0.5) ? "before" : "after",
            times: 1,
            operations: ["submitInvoice", "submitCreditNote"]
          })
        if (chance(0.1)) yield* control.addFault({ kind: "reject", times: 1, actionable: chance(0.5) })
        if (chance(0.05))
          yield* control.addFault({ kind: "error", status: 400, times: 1, operations: ["submitInvoice"] })
        yield* plan(...Array.from({ length: 1 + below(6) }, () => document(now)))
        yield* WithoutSockets.ticking(drain(account), TestClock.adjust("1 second"))
        if (chance(0.7)) yield* sweep(account)
        yield* settleUnknown
        if (chance(0.1)) {
          for (const { account, id, kind } of yield* store.list({
            states: ["Held", "Rejected", "Declined"],
            limit: 5000
          })) {
            if (chance(0.2))
              yield* store.decide({ account, kind, id }, { _tag: "Resend" }, "send it after all", "recent")
          }
        }
      }

      const colored = yield* control.coloured
      const dates = new Set(["RCPT030", "RCPT031", "RCPT013"])
      assert.deepStrictEqual(
        colored.flatMap(({ documentNumber, marks }) =>
          marks.filter(({ code }) => dates.has(code)).map(({ code }) => `${documentNumber} ${code}`)
        ),
        []
      )
      assert.deepStrictEqual(
        (yield* control.accepted).filter(({ receipts }) => receipts > 1),
        []
      )
      if (extent === "part") return
      const receipts = (yield* control.receipts).length
      assert.isTrue(receipts > batches, `only ${receipts} receipts were issued`)
      const held = yield* store.list({ states: ["Held"], limit: 5000 })
      for (const cause of ["late", "original"]) {
        assert.isTrue(
          held.some(({ hold }) => hold?.cause === cause),
          `nothing was held for being ${cause}`
        )
      }
    }).pipe(Effect.scoped, Effect.provide(engine()))
)
