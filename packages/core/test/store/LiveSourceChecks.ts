/** Store conformance checks for live sources. */
import { deepStrictEqual, strictEqual } from "node:assert/strict"
import { Duration, Effect, type Layer, Option } from "effect"
import { RequestId } from "../../src/document/Identifiers.ts"
import type { AttemptOptions } from "../../src/submission/Attempt.ts"
import * as CivilDate from "../../src/document/CivilDate.ts"
import type { StoreError } from "../../src/submission/ledger/StoreError.ts"
import type { ImportMade } from "../../src/submission/KeptImport.ts"
import type { LiveDocument, PulledRun } from "../../src/submission/LiveSourceState.ts"
import type { SourceNotice } from "../../src/submission/PlanResult.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"

type OpenStore = Layer.Layer<SubmissionStore, StoreError>

const within = <A>(open: OpenStore, use: (store: SubmissionStoreOperations) => Effect.Effect<A, StoreError>) =>
  SubmissionStore.use(use).pipe(Effect.provide(open))

const key = { source: "books", tenant: "company" }

const sending: AttemptOptions = {
  accounts: [{ account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
  lease: Duration.minutes(1),
  skew: Duration.days(36_500)
}

const document = (id: string, more: Partial<LiveDocument> = {}): LiveDocument => ({
  endpoint: "Invoices",
  id,
  kind: "invoice",
  number: `N-${id}`,
  modified: 1000,
  standing: "taken",
  codes: [],
  ...more
})

const pulled = (more: Partial<PulledRun> = {}): PulledRun => ({
  ...key,
  account: "shop",
  goLive: Option.getOrThrow(CivilDate.parse("2026-01-01")),
  quietAfter: 1000,
  stage: "taken",
  sweep: "not-due",
  marks: [{ endpoint: "Invoices", modified: 1000 }],
  documents: [],
  notices: [],
  follows: null,
  counts: { read: 1, new: 1, changed: 0, unchanged: 0, refused: 0, skipped: { draft: 2 } },
  conditions: "c1",
  loginEnds: null,
  ...more
})

const marks = (store: SubmissionStoreOperations) =>
  Effect.map(store.liveSources.state(key), (state) => state?.marks ?? [])

/** Returns the checks. `made`: record of the import's inputs. */
export const checks = (
  made: ImportMade
): Readonly<Record<string, (open: OpenStore) => Effect.Effect<void, StoreError>>> => ({
  "moves the mark of a source in the commit that accepts its import, and not without it": (open) =>
    Effect.gen(function* () {
      yield* within(open, (store) =>
        Effect.gen(function* () {
          const cancelled = yield* store.beginImport(made, "until-handed-over")
          yield* store.keepRest(cancelled, [invoice("i1")])
          yield* store.cancelImport(cancelled)
          const counts = { documents: 1, refused: 0, skipped: 0 }
          const refused = yield* Effect.isFailure(store.acceptImport(cancelled, counts, pulled()))
          strictEqual(refused, true)
          deepStrictEqual(yield* marks(store), [])
          const id = yield* store.beginImport(made, "until-handed-over")
          yield* store.keepRest(id, [invoice("i1")])
          yield* store.acceptImport(id, counts, pulled({ documents: [document("i1")] }))
        })
      )
      yield* within(open, (store) =>
        Effect.gen(function* () {
          deepStrictEqual(yield* marks(store), [{ endpoint: "Invoices", modified: 1000 }])
          deepStrictEqual(yield* store.liveSources.documents(key, "Invoices", ["i1", "i2"]), [document("i1")])
          deepStrictEqual((yield* store.liveSources.state(key))?.counts?.skipped, { draft: 2 })
        })
      )
    }),

  "knows a document that was taken of another tenant, by number and time as well, unless it is gone there": (open) =>
    within(open, ({ liveSources }) =>
      Effect.gen(function* () {
        const other = { source: "second", tenant: "other" }
        const foreign = (one: LiveDocument, of = other) => liveSources.foreign(of, "Invoices", [one])
        const known = document("i1")
        yield* liveSources.record(pulled({ stage: "planned", marks: [], documents: [known] }))
        strictEqual(yield* foreign(known), undefined)
        yield* liveSources.record(pulled({ documents: [known] }))
        deepStrictEqual(yield* foreign(known), { ...key, number: "N-i1" })
        strictEqual(yield* foreign(known, { ...other, tenant: key.tenant }), undefined)
        strictEqual(yield* foreign({ ...known, number: "N-2" }), undefined)
        strictEqual(yield* foreign({ ...known, modified: 2000 }), undefined)
        yield* liveSources.record(pulled({ documents: [{ ...known, standing: "gone" }] }))
        strictEqual(yield* foreign(known), undefined)
      })
    ),

  "takes nothing of a run that another run has overtaken: no document, no mark, no notice, no import": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        const { liveSources } = store
        const sent = invoice("i1")
        yield* store.plan([sent])
        const notice = (states: SourceNotice["states"]): SourceNotice => ({
          key: { account: sent.account, kind: "invoice", id: "i1" },
          states,
          fingerprint: null,
          text: null
        })
        const open = Effect.map(store.health(Duration.days(7)), ({ conflicts }) => conflicts.map(({ code }) => code))
        const later = {
          marks: [{ endpoint: "Invoices", modified: 3000 }],
          documents: [document("i1", { modified: 3000, standing: "skipped" })],
          notices: [notice("cancelled")]
        } as const
        yield* liveSources.record(pulled(later))
        const before = yield* open
        const earlier = pulled({
          marks: [{ endpoint: "CreditNotes", modified: 9000 }],
          documents: [document("i2"), document("i1", { modified: 2000, standing: "refused" })],
          notices: [notice("as-sent")]
        })
        const reasonOf = Effect.match({
          onFailure: ({ reason }: StoreError) => reason,
          onSuccess: () => "done"
        })
        strictEqual(yield* reasonOf(liveSources.record(earlier)), "conflict")
        const id = yield* store.beginImport(made, "kept")
        yield* store.keepRest(id, [invoice("i2")])
        const counts = { documents: 1, refused: 0, skipped: 0 }
        strictEqual(yield* reasonOf(store.acceptImport(id, counts, earlier)), "conflict")
        deepStrictEqual(yield* store.importOf(id), Option.none())
        deepStrictEqual(yield* marks(store), later.marks)
        deepStrictEqual(yield* liveSources.documents(key, "Invoices", ["i1", "i2"]), later.documents)
        deepStrictEqual(yield* open, before)
        strictEqual(before.length, 1)
        // the source itself may go back to an older version
        const { ranAt: follows = null } = (yield* liveSources.state(key)) ?? {}
        const back = [...earlier.marks, { endpoint: "Invoices", modified: 2000 }]
        yield* liveSources.record({ ...earlier, follows, marks: back })
        deepStrictEqual(yield* marks(store), [...earlier.marks, ...later.marks], "a mark never moves back")
        deepStrictEqual(yield* open, [])
        deepStrictEqual(yield* liveSources.documents(key, "Invoices", ["i1"]), [earlier.documents[1]])
      })
    ),

  "takes nothing of a planned run of a source": (open) =>
    within(open, ({ liveSources }) =>
      Effect.gen(function* () {
        yield* liveSources.record(pulled({ stage: "planned", documents: [document("i1")] }))
        const state = yield* liveSources.state(key)
        deepStrictEqual([state?.marks, state?.plannedAt === null], [[], false])
        deepStrictEqual(yield* liveSources.documents(key, "Invoices", ["i1"]), [])
      })
    ),

  "forgets what was read of a source on an operator's decision, and nothing of other sources": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        const { liveSources } = store
        const other = { source: "erp", tenant: "company" }
        for (const one of [key, other])
          yield* liveSources.record(pulled({ ...one, documents: [document("i1", { standing: "refused" })] }))
        strictEqual(yield* liveSources.forget("books", "the source is not used any more"), 1)
        strictEqual(yield* liveSources.state(key), undefined)
        deepStrictEqual(yield* liveSources.again(key), [])
        strictEqual((yield* liveSources.state(other))?.marks.length, 1)
        strictEqual((yield* liveSources.again(other)).length, 1)
        strictEqual(yield* liveSources.forget("books", "once more"), undefined)
        deepStrictEqual(
          (yield* store.decisions(0, 5)).map(({ act, because, subject }) => [act, subject, because]),
          [["forget-source", "source books", "the source is not used any more"]]
        )
      })
    ),

  "asks again for a rejected document that can be corrected, and for no other": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        const { liveSources } = store
        const rejected = { i1: "correctable", i2: "final" } as const
        yield* store.plan([invoice("i1", { number: "1" }), invoice("i2", { number: "2" })])
        yield* liveSources.record(pulled({ documents: [document("i1"), document("i2")] }))
        for (const [id, nature] of Object.entries(rejected)) {
          const claim = yield* store.claim("test/1001", id, Duration.minutes(1), () => true)
          const begun = claim._tag === "Claimed" ? yield* store.beginAttempt(claim.lease, sending) : undefined
          const requestId = RequestId.make(`request ${id}`)
          const result = { _tag: "Accepted", requestId } as const
          const attempt = begun?._tag === "Begun" ? begun.attempt : 0
          yield* store.finishAttempt({ attempt, result, firstLook: Duration.zero })
          yield* store.recordOutcomes("shop", [{ _tag: "Rejected", requestId, error: "RCPT017", nature }], "webhook")
          yield* store.claim("test/1001", `after ${id}`, Duration.zero, () => true)
        }
        deepStrictEqual(
          (yield* liveSources.again(key)).map(({ id }) => id),
          ["i1"]
        )
      })
    ),

  "remembers why a source stopped until a run of it ends well, and what is refused of it until it is taken": (open) =>
    within(open, ({ liveSources }) =>
      Effect.gen(function* () {
        yield* liveSources.stop(pulled(), { code: "SOURCE_UNREACHED", text: "no answer", retryAt: null })
        const first = (yield* liveSources.state(key))?.stop
        yield* liveSources.stop(pulled(), { code: "SOURCE_UNREACHED", text: "no answer again", retryAt: null })
        const second = (yield* liveSources.state(key))?.stop
        deepStrictEqual([second?.text, second?.since], ["no answer again", first?.since])
        const refused = document("i1", { standing: "refused", codes: ["TAX_UNMAPPED", "HS_CODE_MISSING"] })
        yield* liveSources.record(pulled({ documents: [refused, document("i2", { modified: 5000 })] }))
        strictEqual((yield* liveSources.state(key))?.stop, null)
        const [kept] = yield* liveSources.again(key)
        deepStrictEqual(kept, { ...refused, askedAt: kept?.askedAt, conditions: "c1" })
        deepStrictEqual(
          (yield* liveSources.modified(key, "Invoices", { from: 0, limit: 1 })).map(({ id }) => id),
          ["i2"]
        )
        yield* liveSources.record(pulled({ documents: [document("i1")] }))
        deepStrictEqual(yield* liveSources.again(key), [])
      })
    )
})
