/**
 * Attention lists everything that will not become a receipt without an operator, and nothing else.
 */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as OpenAccount from "../../src/account/OpenAccount.ts"
import * as Attention from "../../src/attention/Attention.ts"
import { texts } from "../../src/attention/AttentionCode.ts"
import * as BulkDecision from "../../src/session/BulkDecision.ts"
import * as OlderStore from "../../src/session/OlderStore.ts"
import type { SubmissionKey } from "../../src/submission/PlannedDocument.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, explain, plan, sweep, test } from "../sending/Engine.ts"
import { answers, fiscalised, make, rejected } from "../sending/ScriptedGateway.ts"

const items = SubmissionStore.use((store) =>
  Effect.map(store.health(Duration.days(7)), (health) => Attention.of(health))
)
const names = Effect.map(items, (found) => found.map(({ cause, code }) => (cause === null ? code : `${code} ${cause}`)))

const report = (fiscalDayNumber: number, isSuccess: boolean, message: string | null = null) => ({
  openedAt: null,
  closedAt: null,
  fiscalDayNumber,
  isSuccess,
  message,
  summaries: null,
  unknownFields: {}
})

describe("the list of open items", () => {
  it.effect(
    "contains an account that cannot send at all, for every process, until the account is opened",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        gateway.state.profile = answers.credentials
        yield* Effect.flip(OpenAccount.open(gateway.account()))
        const [found, ...others] = yield* items
        assert.deepStrictEqual(others, [])
        assert.deepStrictEqual([found!.code, found!.cause, found!.account], ["ACCOUNT_STOPPED", "KEY_REFUSED", "shop"])
        assert.deepStrictEqual(
          found!.actions.map(({ step }) => step.do),
          ["doctor", "resume"]
        )
        yield* TestClock.adjust("1 day")
        yield* Effect.flip(OpenAccount.open(gateway.account()))
        const [later] = yield* items
        assert.strictEqual(later!.since.epochMilliseconds, found!.since.epochMilliseconds, "since it was seen first")
        gateway.state.profile = make().state.profile
        yield* OpenAccount.open(gateway.account())
        assert.deepStrictEqual(yield* names, [])
      })
    )
  )

  it.effect(
    "drops the stop of an unused account after a week, unless documents wait",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        gateway.state.profile = answers.credentials
        yield* Effect.flip(OpenAccount.open(gateway.account()))
        yield* TestClock.adjust("8 days")
        assert.deepStrictEqual(yield* names, [])
      })
    )
  )

  it.effect(
    "keeps the stop of an account with waiting documents after a week",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        yield* OpenAccount.open(gateway.account())
        yield* plan(invoice("i1"))
        gateway.state.device = { isLive: true }
        yield* Effect.flip(OpenAccount.open(gateway.account()))
        yield* TestClock.adjust("8 days")
        assert.include(yield* names, "ACCOUNT_STOPPED FIRST_USE")
      })
    )
  )

  it.effect(
    "contains a lane stopped by its account's problem once, not twice",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        yield* OpenAccount.open(gateway.account())
        gateway.state.device = { isSwitchedOn: false }
        yield* Effect.flip(OpenAccount.open(gateway.account()))
        assert.deepStrictEqual(yield* names, ["STOPPED device-refuses"])
      })
    )
  )

  it.effect(
    "contains an older copy of the store once for all devices, until an operator accepts the copy",
    test(() =>
      Effect.gen(function* () {
        const counted = yield* Effect.flatMap(SubmissionStore, ({ identity }) => identity)
        const known = { ...counted, attempts: 7, lanes: [], at: "2026-01-01T00:00:00Z", accepted: null, newest: [] }
        const witness = { read: Effect.succeed([known]), write: () => Effect.succeed("written" as const) }
        const accounts = [
          make().account(),
          make().account({ account: "till" }, { deviceId: 2002, serialNo: "SN-2002" })
        ]
        for (const account of accounts) yield* OpenAccount.open(account)
        // the second device alone is opened with the witness
        yield* Effect.flip(OpenAccount.open(accounts[1]!, { witness }))
        assert.deepStrictEqual(yield* names, ["STOPPED store-older"])
        yield* Effect.flip(OpenAccount.open(accounts[0]!, { witness }))
        const [found, ...others] = yield* items
        assert.deepStrictEqual(others, [])
        assert.deepStrictEqual([found!.code, found!.cause, found!.lane], ["STOPPED", "store-older", null])
        assert.match(found!.words, /^nothing is sent: this store is an older copy/)
        assert.deepStrictEqual(
          found!.actions.map(({ account, step }) => `${step.do} ${account}`),
          ["accept-older null", "resume null"]
        )
        yield* OlderStore.accept(witness, "there is no newer copy")
        assert.deepStrictEqual(yield* names, [])
        // requests that the copy does not have may still arrive
        yield* plan(invoice("i1", { sourceDate: "2026-02-01" }))
        const documents = yield* SubmissionStore.use((store) => store.list({}))
        const from = BulkDecision.acceptedFrom(documents, "Withdrawn")
        assert.isNotNull(yield* from)
        assert.isNull(yield* BulkDecision.acceptedFrom(documents, "Fiscalised"), "it makes no receipt")
        yield* TestClock.adjust("1 hour")
        assert.isNull(yield* from)
      })
    )
  )

  it.effect(
    "contains failed, missing and overlong fiscal days",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        gateway.state.closes = [report(9, false, "RCPT030 on receipt 12"), report(8, true), report(6, true)]
        yield* OpenAccount.open(gateway.account())
        const found = yield* items
        assert.deepStrictEqual(
          found.map(({ cause, code }) => `${code} ${cause}`),
          ["DAY_FAILED 9", "DAY_MISSING 7"]
        )
        assert.match(found[0]!.text, /could not be closed: RCPT030 on receipt 12; RCPT030: /)
        gateway.state.closes = [report(9, true), report(8, true), report(7, true)]
        yield* OpenAccount.open(gateway.account())
        assert.deepStrictEqual(yield* names, [])
      })
    )
  )

  it.effect(
    "measures an overlong day from the first receipt after the last close",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        const config = { currentConfig: { taxPayerDayMaxHrs: 24 } } as never
        const closedAt = DateTime.makeZonedUnsafe("2026-01-09T18:00:00+02:00", { timeZone: "+02:00" })
        gateway.state.closes = [{ ...report(7, true), closedAt }]
        const account = gateway.account({ firstLook: 0 }, config)
        yield* OpenAccount.open(account)
        yield* plan(invoice("i1"))
        yield* drain(account)
        yield* sweep(account)
        assert.deepStrictEqual(yield* names, [])
        yield* TestClock.adjust("25 hours")
        yield* OpenAccount.open(account)
        assert.deepStrictEqual(yield* names, ["DAY_OVERLONG 8"])
      })
    )
  )

  it.effect(
    "contains planned documents without a worker after a quarter of an hour, or after the configured time",
    test(() =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        yield* OpenAccount.open(make().account())
        yield* plan(invoice("i1"))
        yield* TestClock.adjust("15 minutes")
        assert.deepStrictEqual(yield* names, [])
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* names, ["NOT_WORKED Planned"])
        const gateway = make()
        yield* OpenAccount.open({ ...gateway.account(), unworkedAfter: "1 hour" })
        assert.deepStrictEqual(yield* names, [], "the account is opened with another time")
        yield* TestClock.adjust("45 minutes")
        assert.deepStrictEqual(yield* names, ["NOT_WORKED Planned"], "its time is over, too")
        yield* OpenAccount.open(gateway.account())
        yield* store.claim("test/1001", "a worker", Duration.minutes(2), () => false)
        assert.deepStrictEqual(yield* names, [], "a process works it")
      })
    )
  )

  it.effect(
    "states that documents behind an unknown outcome wait for it, not that a worker is missing",
    test(() =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const gateway = make()
        gateway.answer("i1", answers.unknown)
        yield* plan(invoice("i1"), invoice("i2"))
        const account = gateway.account()
        yield* drain(account)
        // A live worker looks at the lane repeatedly, and cannot continue.
        yield* TestClock.adjust("2 days")
        yield* drain(account)
        assert.deepStrictEqual(yield* names, ["UNKNOWN"])
        yield* store.decide(
          { account: "shop", kind: "invoice", id: "i1" } as SubmissionKey,
          { _tag: "Fiscalised", proof: {} },
          "seen in the portal"
        )
        assert.deepStrictEqual(yield* names, ["NOT_WORKED Planned"], "now a process could go on, and none does")
      })
    )
  )

  it.effect(
    "states a missing worker for documents behind an awaited outcome only after a while",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        yield* plan(invoice("i1"), invoice("i2"))
        yield* TestClock.adjust("10 minutes")
        yield* drain(gateway.account({ assumptions: { "ORD-1": "outcome" } }))
        yield* TestClock.adjust("10 minutes")
        assert.deepStrictEqual(yield* names, [])
        yield* TestClock.adjust("10 minutes")
        assert.deepStrictEqual(yield* names, ["NOT_WORKED Planned"])
      })
    )
  )

  it.effect(
    "contains rejected and declined documents until they are corrected or withdrawn",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        const store = yield* SubmissionStore
        gateway.answer("i1", answers.declined)
        gateway.state.status = (id) => rejected(id)
        yield* plan(invoice("i1"), invoice("i2"))
        const account = gateway.account({ firstLook: 0 })
        yield* drain(account)
        yield* sweep(account)
        const found = yield* items
        assert.deepStrictEqual(found.map(({ cause, code, documents }) => `${code} ${cause} ${documents}`).toSorted(), [
          "FAILED_AT_GATEWAY Declined 1",
          "FAILED_AT_GATEWAY RCPT017 1"
        ])
        for (const { actions } of found) {
          const [last] = actions.slice(-1)
          assert.deepStrictEqual([last!.step.do, last!.effect], ["withdraw", "settles"])
          yield* store.decide(last!.document!.key, { _tag: "Withdrawn" }, "issued anew")
        }
        assert.deepStrictEqual(yield* names, [])
      })
    )
  )

  it.effect(
    "groups failed documents by cause, says whether it is still there, and offers to send them again first",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        const account = gateway.account({ firstLook: 0, assumptions: { "STAT-9": "any" } })
        const errors = ["DEV01: off", "jam in printer 7", "DEV01 (off)", "jam in printer 8", "RCPT017: X"]
        gateway.state.status = (id) => {
          const error = errors[Number(id.slice(1)) - 1]
          return error === undefined ? fiscalised(id) : { ...rejected(id), error }
        }
        yield* plan(...["i1", "i2", "i3", "i4", "i5"].map((id) => invoice(id)))
        yield* drain(account)
        yield* sweep(account)
        const found = (yield* items).filter(({ code }) => code === "FAILED_AT_GATEWAY")
        assert.deepStrictEqual(found.map(({ cause, documents, text }) => [cause, documents, text]).toSorted(), [
          ["DEV01", 2, "DEV01 · 2 Rejected: N-i1, N-i3; no later document has its receipt yet"],
          ["RCPT017", 1, "RCPT017 · 1 Rejected: N-i5"],
          ["Rejected", 2, "“jam in printer #” · 2 Rejected: N-i2, N-i4; no later document has its receipt yet"]
        ])
        assert.deepStrictEqual(found.map(({ words }) => words).toSorted(), [
          "the gateway rejected N-i1, N-i3; no later document has its receipt yet",
          "the gateway rejected N-i5",
          "the gateway says “jam in printer #” of N-i2, N-i4; no later document has its receipt yet"
        ])
        const [dev, words] = [0, 1].map((n) => found.filter(({ documents }) => documents === 2)[n]!)
        assert.notInclude(words!.plain, "jam", "alerts do not quote the gateway")
        assert.deepStrictEqual(
          dev!.actions.map(({ step }) => step),
          [
            { do: "list", state: "Rejected" },
            { do: "resolve", as: "resend", of: { state: "Rejected", cause: "DEV01" } },
            { do: "import-again" },
            { do: "withdraw", of: { state: "Rejected", cause: "DEV01" } }
          ]
        )
        const rule = found.find(({ cause }) => cause === "RCPT017")
        assert.deepStrictEqual(
          rule!.actions.map(({ effect, step }) => [step.do, effect]),
          [
            ["explain", "shows"],
            ["import-again", "shows"],
            ["resolve", "settles"],
            ["withdraw", "settles"]
          ],
          "the fault of a document is corrected first"
        )
        const chosen = yield* BulkDecision.select({ state: "Rejected", cause: "jam in printer #" }, "Resend")
        assert.deepStrictEqual(
          chosen.documents.map(({ id }) => id),
          ["i2", "i4"]
        )
        const from = BulkDecision.acceptedFrom(chosen.documents, "Resend")
        assert.isNull(yield* from, "the gateway has refused every request")
        yield* plan(invoice("i6"))
        yield* TestClock.adjust("1 minute")
        yield* drain(account)
        yield* sweep(account)
        const later = (yield* items).find(({ cause }) => cause === "DEV01")
        assert.strictEqual(later!.text, "DEV01 · 2 Rejected: N-i1, N-i3; sending was continued since")
      })
    )
  )

  it.effect(
    "offers no resend for what the gateway rejected for good, and the bulk decision leaves it out",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        const account = gateway.account({ firstLook: 0, assumptions: { "STAT-9": "any" } })
        gateway.state.status = (id) => ({ ...rejected(id, id === "r1" ? "correctable" : "final"), error: "no" })
        yield* plan(...["i1", "i2", "i3"].map((id) => invoice(id)))
        yield* drain(account)
        yield* sweep(account)
        const found = (yield* items).filter(({ code }) => code === "FAILED_AT_GATEWAY")
        assert.deepStrictEqual(
          found.map(({ actions, documents }) => [documents, ...actions.slice(1).map(({ step }) => step.do)]).toSorted(),
          [
            [1, "resolve", "import-again", "withdraw"],
            [2, "explain", "import-again", "withdraw"]
          ]
        )
        // the same steps for each document alone
        const alone = yield* Effect.forEach(["i1", "i2", "i3"], explain)
        assert.deepStrictEqual(
          alone.map(({ facts, submission }) =>
            Attention.ofDocument({ key: submission, number: submission.number, facts }).map(({ step }) => step.do)
          ),
          [
            ["resolve", "import-again", "withdraw"],
            ["import-again", "withdraw"],
            ["import-again", "withdraw"]
          ]
        )
        const chosen = yield* BulkDecision.select({ state: "Rejected" }, "Resend")
        assert.deepStrictEqual([chosen.documents.map(({ id }) => id), chosen.others], [["i1"], 2])
      })
    )
  )

  it.effect(
    "contains an import that was killed before its acceptance, until it is cancelled",
    test(() =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const destination = { account: "shop", taxpayer: "2", lane: "test/1001", environment: "test" } as const
        const at = DateTime.makeZonedUnsafe("2026-01-10T15:00:00+02:00", { timeZone: "+02:00" })
        const made = { at, destination, adapter: "csv", files: [], book: null, settings: {} }
        const id = yield* store.beginImport(made, "kept")
        assert.deepStrictEqual(yield* names, [], "a living process may still accept it")
        yield* TestClock.adjust("11 minutes")
        assert.deepStrictEqual(yield* names, [`IMPORT_NOT_ACCEPTED ${id}`])
        yield* store.cancelImport(id)
        assert.deepStrictEqual(yield* names, [])
      })
    )
  )

  it.effect(
    "contains unchecked sending until the gateway states the fact again",
    test(() =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        yield* store.acceptUnknown("shop", "taxes", "the portal shows them")
        const [found, ...others] = yield* items
        assert.deepStrictEqual(others, [])
        assert.deepStrictEqual([found!.code, found!.cause, found!.account], ["SENT_UNCHECKED", "taxes", "shop"])
        assert.include(found!.text, "the portal shows them")
        assert.notInclude(found!.plain, "portal", "an alert has our own words alone")
        yield* store.factsBack("shop", ["taxes"])
        assert.deepStrictEqual(yield* names, [])
      })
    )
  )

  it.effect(
    "contains a fiscal day with a difference until an operator acknowledges it, and again for another difference",
    test(() =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        yield* OpenAccount.open(make().account())
        const differs = (text: string) =>
          store.notice("counters", "test/1001", [{ code: "DAY_DIFFERS", detail: "7", text }])
        yield* differs("USD 10.00 more")
        const [found] = yield* items
        assert.deepStrictEqual(
          found!.actions.map(({ account, effect, step }) => [step, account, effect]),
          [
            [{ do: "compare-day", day: 7 }, "shop", "shows"],
            [{ do: "acknowledge-day", day: 7 }, "shop", "settles"]
          ]
        )
        assert.strictEqual((yield* store.acknowledgeDay("test/1001", 7, " "))._tag, "Refused")
        assert.strictEqual((yield* store.acknowledgeDay("test/1001", 8, "looked up"))._tag, "Refused")
        yield* store.acknowledgeDay("test/1001", 7, "looked up")
        assert.deepStrictEqual(yield* names, [])
        // A worker finds the same difference again.
        yield* TestClock.adjust("2 hours")
        yield* differs("USD 10.00 more")
        assert.deepStrictEqual(yield* names, [])
        yield* differs("USD 20.00 more")
        assert.deepStrictEqual(yield* names, ["DAY_DIFFERS 7"])
        const [decision, ...others] = yield* store.decisions(0, 10)
        assert.deepStrictEqual(
          [decision!.act, decision!.what, others],
          ["acknowledge-day", "DAY_DIFFERS: USD 10.00 more", []]
        )
      })
    )
  )

  it.effect(
    "does not let an operator acknowledge a problem that the device must solve",
    test(() =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const gateway = make()
        gateway.state.closes = [report(9, false, "RCPT030 on receipt 12"), report(8, true), report(6, true)]
        yield* OpenAccount.open(gateway.account())
        const answer = yield* store.acknowledgeDay("test/1001", 9, "looked up")
        assert.match(answer._tag === "Refused" ? answer.text : "", /DAY_FAILED ends when its cause is gone/)
        yield* store.acknowledgeDay("test/1001", 7, "there is none")
        assert.deepStrictEqual(yield* names, ["DAY_FAILED 9"])
      })
    )
  )

  it("has a consequence and an end for every kind of item", () => {
    for (const [code, { consequence, until }] of Object.entries(texts)) {
      assert.isNotEmpty(consequence, code)
      assert.match(until, /\.$/, code)
    }
  })
})
