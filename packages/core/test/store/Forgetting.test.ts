import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, DateTime, Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Layer } from "effect"
import { CivilDate } from "../../src/document/CivilDate.ts"
import * as StatusPoller from "../../src/sending/StatusPoller.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import * as StoreOpening from "../../src/node/StoreOpening.ts"
import * as StorePlace from "../../src/submission/StorePlace.ts"
import type { Finding } from "../../src/finding/Finding.ts"
import type { ImportMade, KeptDocument } from "../../src/submission/KeptImport.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { creditNote, invoice } from "../submission/PlannedDocuments.ts"
import { at, drain, explain, key, now, plan, states, sweep } from "../sending/Engine.ts"
import { answers, fiscalised, make, rejected } from "../sending/ScriptedGateway.ts"

const day = CivilDate.make("2026-01-11")
const buyer = "Grace Planted"

/** Provides a store in a separate file; `inStore` opens it, runs an effect, and closes it. */
const inFolder = <A, E>(
  body: (
    place: StorePlace.StorePlace,
    inStore: <B, F>(
      effect: Effect.Effect<B, F, SubmissionStore | Submitter.Submitter | StatusPoller.StatusPoller>
    ) => Effect.Effect<B, unknown>,
    folder: string
  ) => Effect.Effect<A, E>
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "forgetting-"))),
    (folder) => {
      const place = StorePlace.file(join(folder, "store.db"))
      return Effect.andThen(
        at(now),
        body(
          place,
          (effect) =>
            Effect.provide(
              effect,
              Layer.mergeAll(Submitter.layer(), StatusPoller.layer).pipe(
                Layer.provideMerge(Layer.fresh(StoreOpening.layer(place)))
              )
            ),
          folder
        )
      )
    },
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

const settle = (gateway: ReturnType<typeof make>, ...documents: ReadonlyArray<ReturnType<typeof invoice>>) =>
  Effect.gen(function* () {
    const account = gateway.account()
    yield* plan(...documents)
    yield* drain(account)
    yield* TestClock.adjust("10 seconds")
    yield* sweep(account)
  })

const original = Effect.flatMap(SubmissionStore, ({ ledger }) => ledger.original("shop", { by: "id", value: "i1" }))

/** Returns true if any file of the folder contains the text. */
const holds = (folder: string, text: string) =>
  readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes(text))

describe("forgetting", () => {
  it.effect("removes refused documents dated before the day, or without a day and last stated before it", () =>
    inFolder((place, inStore, folder) =>
      Effect.gen(function* () {
        const refused = (number: string, dated: string | null) => ({
          name: `invoice ${number}`,
          kind: "invoice" as const,
          number,
          day: dated === null ? null : CivilDate.make(dated),
          content: "f",
          codes: ["TAX_UNMAPPED"],
          original: null,
          dated: "as-before" as const
        })
        const given = [refused("PLANTED-1", "2026-01-10"), refused("PLANTED-2", null), refused("KEPT-3", "2026-01-11")]
        const note = (refused: typeof given) =>
          inStore(
            SubmissionStore.use((store) => store.refused.note({ account: "shop", origin: "csv", refused, ended: [] }))
          )
        yield* TestClock.setTime(Date.parse("2026-01-10T23:00:00Z"))
        yield* note(given)
        yield* TestClock.setTime(Date.parse("2026-01-11T01:00:00Z"))
        yield* note([refused("KEPT-4", null)])
        assert.isTrue(holds(folder, "PLANTED-1"))
        yield* StoreOpening.forget(place, day)
        const left = yield* inStore(SubmissionStore.use((store) => store.refused.of("shop")))
        assert.deepStrictEqual(left.map(({ number }) => number).toSorted(), ["KEPT-3", "KEPT-4"])
        assert.isFalse(holds(folder, "PLANTED"))
      })
    )
  )

  it.effect(
    "leaves no byte of buyers, descriptions, rows or answers in the files, and keeps the facts needed for counting",
    () =>
      inFolder((place, inStore, folder) =>
        Effect.gen(function* () {
          const gateway = make()
          gateway.state.status = (id) => (id === "r2" ? rejected(id) : fiscalised(id))
          const source = { file: "planted-row.csv", line: 3, text: "planted cell" }
          const before = yield* inStore(
            Effect.andThen(
              settle(gateway, invoice("i1", { buyer, source }), invoice("i2", { buyer, source })),
              explain("i1")
            )
          )
          assert.isTrue(holds(folder, buyer) && holds(folder, "a thing") && holds(folder, "planted-row.csv"))
          assert.deepStrictEqual(yield* StoreOpening.lookToForget(place, day), { documents: 2, imports: 0, open: [] })
          assert.isTrue(holds(folder, buyer), "looking changes nothing")
          assert.deepStrictEqual(yield* StoreOpening.forget(place, day), { documents: 2, imports: 0, open: [] })
          for (const text of [
            buyer,
            "1234567890",
            "a thing",
            "as agreed",
            "planted-row.csv",
            "planted cell",
            "is not mapped"
          ]) {
            assert.isFalse(holds(folder, text), text)
          }
          const after = yield* inStore(explain("i1"))
          const { buyer: _, source: __, ...kept } = before.submission
          const { buyer: gone, source: place_, ...now } = after.submission
          assert.deepStrictEqual([gone, place_, now], [null, { file: "(forgotten)" }, kept])
          const strip = ({ document }: typeof before) => ({
            ...document.payload,
            reference: null,
            buyerContact: null,
            lineItems: document.payload.lineItems.map((line) => ({ ...line, description: null }))
          })
          assert.deepStrictEqual(JSON.stringify(after.document.payload), JSON.stringify(strip(before)))
          assert.deepStrictEqual(
            after.attempts.map(({ id, requestId, receiptDate }) => [id, requestId, receiptDate]),
            before.attempts.map(({ id, requestId, receiptDate }) => [id, requestId, receiptDate])
          )
          assert.deepStrictEqual(
            after.evidence.map(({ outcome }) => outcome),
            before.evidence.map(({ outcome }) => outcome)
          )
          const other = yield* inStore(explain("i2"))
          assert.strictEqual(other.submission.rejection?.error, "RCPT017")
          // A second time, nothing is left to erase.
          assert.deepStrictEqual(yield* StoreOpening.forget(place, day), { documents: 0, imports: 0, open: [] })
        })
      )
  )

  it.effect(
    "causes no sending when the export is imported again, not even of declined or rejected documents, nor by a decision",
    () =>
      inFolder((place, inStore) =>
        Effect.gen(function* () {
          const gateway = make()
          gateway.state.status = (id) => (id === "r2" ? rejected(id) : fiscalised(id))
          gateway.answer("i3", answers.declined)
          const documents = [invoice("i1", { buyer }), invoice("i2", { buyer }), invoice("i3", { buyer })]
          yield* inStore(settle(gateway, ...documents))
          const sent = gateway.submitted.length
          yield* StoreOpening.forget(place, day)
          yield* inStore(
            Effect.gen(function* () {
              const again = yield* plan(...documents)
              assert.deepStrictEqual(
                again.map(({ verdict }) => verdict._tag),
                ["Unchanged", "Unchanged", "Unchanged"]
              )
              const word = yield* SubmissionStore.use((store) => store.decide(key("i3"), { _tag: "Resend" }, "again"))
              assert.strictEqual(word._tag, "Refused")
              yield* drain(gateway.account())
              assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "i2 Rejected", "i3 Declined"])
            })
          )
          assert.strictEqual(gateway.submitted.length, sent)
        })
      )
  )

  it.effect(
    "keeps the facts of an original that credit notes are compared with: date, currency, taxes, total and credited amount",
    () =>
      inFolder((place, inStore) =>
        Effect.gen(function* () {
          const gateway = make()
          const note = creditNote("c2", { credits: "i1", total: "15.00", buyer })
          yield* inStore(settle(gateway, invoice("i1", { buyer })))
          yield* inStore(settle(gateway, note))
          const before = Option.getOrThrow(yield* inStore(original))
          yield* StoreOpening.forget(place, day)
          const after = Option.getOrThrow(yield* inStore(original))
          const { buyer: _, lines: __, ...figures } = before
          assert.deepStrictEqual(JSON.stringify(after), JSON.stringify(figures))
          assert.strictEqual(BigDecimal.format(after.credited), "15")
        })
      )
  )

  it.effect("is refused while an older document or its credit note is open, and then changes nothing", () =>
    inFolder((place, inStore, folder) =>
      Effect.gen(function* () {
        const gateway = make()
        yield* inStore(settle(gateway, invoice("i1", { buyer })))
        const held = { held: "a person is to look", sourceDate: "2026-02-01" }
        yield* inStore(plan(creditNote("c1", { credits: "i1", receiptDate: "at-submission", ...held })))
        const text = "credits one of them, and is not settled"
        const open = [{ account: "shop", kind: "credit-note", number: "N-c1", text }] as const
        assert.deepStrictEqual(yield* StoreOpening.forget(place, day), { documents: 0, imports: 0, open })
        yield* inStore(plan(invoice("i2", { held: "a person is to look" })))
        const { open: both } = yield* StoreOpening.lookToForget(place, day)
        assert.deepStrictEqual(
          both.map(({ number, text: why }) => [number, why]),
          [
            ["N-c1", text],
            ["N-i2", "not settled"]
          ]
        )
        assert.isTrue(holds(folder, buyer))
      })
    )
  )

  it.effect("leaves documents of the given day, and documents whose receipt is of that day", () =>
    inFolder((place, inStore) =>
      Effect.gen(function* () {
        const gateway = make()
        yield* inStore(settle(gateway, invoice("i1", { buyer }), invoice("i2", { buyer, sourceDate: "2026-01-01" })))
        assert.strictEqual((yield* StoreOpening.forget(place, CivilDate.make("2026-01-10"))).documents, 0)
        assert.strictEqual((yield* inStore(explain("i2"))).submission.buyer, buyer)
      })
    )
  )

  it.effect("leaves the counts of an import's older documents, and the hashes of its files", () =>
    inFolder((place, inStore, folder) =>
      Effect.gen(function* () {
        const cell = { file: "planted-file.csv", line: 3, text: "planted cell" }
        const finding: Finding = {
          _tag: "Finding",
          code: "TOTAL_MISMATCH",
          severity: "error",
          message: "planted message",
          detail: "planted detail",
          consequence: "it is refused",
          fix: "mend it",
          path: [],
          at: cell
        }
        const refused = (id: string, day: string): KeptDocument => ({
          is: "Refused",
          kind: "invoice",
          id,
          number: `N-${id}`,
          news: "new",
          day: CivilDate.make(day),
          source: cell,
          buyer,
          currency: "USD",
          total: "10",
          shares: null,
          said: null,
          findings: [finding]
        })
        const skipped: KeptDocument = {
          ...refused("", "2026-01-01"),
          is: "Skipped",
          kind: null,
          id: null,
          day: null,
          said: "planted reason"
        }
        const made = (at: string): ImportMade => ({
          at: DateTime.makeZonedUnsafe(at, { timeZone: DateTime.zoneMakeOffset(0) }),
          destination: { account: "shop", taxpayer: "2000000001", lane: "test/1001", environment: "test" },
          adapter: "csv",
          files: [{ name: "planted-file.csv", bytes: 12, sha256: "ab".repeat(32) }],
          book: null,
          settings: {}
        })
        const [old, later] = yield* inStore(
          SubmissionStore.use((store) =>
            Effect.gen(function* () {
              const old = yield* store.beginImport(made("2026-01-10T10:00:00Z"), "kept")
              yield* store.keepPage({ import: old, documents: [refused("i1", "2026-01-05"), skipped] })
              const later = yield* store.beginImport(made("2026-02-10T10:00:00Z"), "kept")
              yield* store.keepPage({ import: later, documents: [refused("i2", "2026-02-05")] })
              return [old, later] as const
            })
          )
        )
        assert.deepStrictEqual(yield* StoreOpening.lookToForget(place, day), { documents: 0, imports: 1, open: [] })
        assert.deepStrictEqual(yield* StoreOpening.forget(place, day), { documents: 0, imports: 1, open: [] })
        assert.isTrue(holds(folder, "planted detail"), "the later one stays as it is")
        yield* inStore(
          SubmissionStore.use((store) =>
            Effect.gen(function* () {
              const [documents = []] = yield* Stream.runCollect(store.importDocuments(old))
              assert.notMatch(JSON.stringify(documents), /planted|Planted/)
              assert.deepStrictEqual(
                documents.map(({ currency, is, number, total }) => [is, number, currency, total]),
                [
                  ["Refused", "N-i1", "USD", "10"],
                  ["Skipped", "", "USD", "10"]
                ]
              )
              const { files } = Option.getOrThrow(yield* store.importOf(old))
              assert.deepStrictEqual(files, [{ name: "(forgotten)", bytes: 12, sha256: "ab".repeat(32) }])
              const [kept = []] = yield* Stream.runCollect(store.importDocuments(later))
              assert.deepStrictEqual(kept, [refused("i2", "2026-02-05")])
            })
          )
        )
        assert.deepStrictEqual(yield* StoreOpening.forget(place, CivilDate.make("2027-01-01")), {
          documents: 0,
          imports: 1,
          open: []
        })
        for (const text of ["planted", buyer]) assert.isFalse(holds(folder, text), text)
      })
    )
  )
})
