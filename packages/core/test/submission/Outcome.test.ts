import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { RequestId } from "../../src/document/Identifiers.ts"
import { type Evidence, type Outcome, reduce, type OutcomeSource, succeeded } from "../../src/submission/Outcome.ts"
import type { Proof } from "../../src/submission/Submission.ts"
import { seeded } from "../Property.ts"

const proof = (verificationCode: string | null, more: Partial<Proof> = {}): Proof => ({
  verificationCode,
  qrCodeUrl: null,
  fiscalDay: null,
  deviceId: null,
  invoiceNumber: null,
  fiscalInvoicePdf: null,
  ...more
})
const fiscalised = (code: string | null, more?: Partial<Proof>): Outcome => ({
  _tag: "Fiscalised",
  proof: proof(code, more)
})
const rejected = (error: string, nature: "correctable" | "final" = "correctable"): Outcome => ({
  _tag: "Rejected",
  rejection: { error, nature }
})
const contradictory = (code: string): Outcome => ({
  _tag: "Contradictory",
  rejection: { error: "printing failed", nature: "correctable" },
  proof: proof(code)
})
const pending: Outcome = { _tag: "Pending" }
const expired: Outcome = { _tag: "Expired" }
const said = (source: OutcomeSource, outcome: Outcome, requestId: string | null = "r1"): Evidence => ({
  source,
  outcome,
  requestId: requestId === null ? null : RequestId.make(requestId)
})
const codesOf = (evidence: ReadonlyArray<Evidence>) => reduce(evidence).conflicts.map(({ code }) => code)

describe("the outcome of a document", () => {
  it("is pending without a final statement", () => {
    assert.deepStrictEqual(reduce([]).outcome, pending)
    assert.deepStrictEqual(reduce([said("poll", pending)]).outcome, pending)
  })

  it("prefers fiscalised to rejected, rejected to expired, and expired to pending", () => {
    const evidence = [
      said("poll", pending),
      said("poll", expired),
      said("webhook", rejected("no")),
      said("poll", fiscalised("A"))
    ]
    assert.strictEqual(reduce(evidence.slice(0, 2)).outcome._tag, "Expired")
    assert.strictEqual(reduce(evidence.slice(0, 3)).outcome._tag, "Rejected")
    assert.strictEqual(reduce(evidence).outcome._tag, "Fiscalised")
  })

  it("keeps the higher of two contradicting gateway statements, and reports the contradiction", () => {
    const { conflicts, outcome } = reduce([said("poll", fiscalised("A")), said("webhook", rejected("no"))])
    assert.strictEqual(outcome._tag, "Fiscalised")
    assert.deepStrictEqual(conflicts, [
      { code: "OUTCOME_CONFLICT", detail: "the gateway says both fiscalised and rejected" }
    ])
  })

  it("keeps an operator's fiscalised against the gateway's rejection, and reports the contradiction", () => {
    const evidence = [said("poll", rejected("no")), said("operator", fiscalised("A"), null)]
    assert.strictEqual(reduce(evidence).outcome._tag, "Fiscalised")
    assert.deepStrictEqual(codesOf(evidence), ["OUTCOME_CONFLICT"])
  })

  it("prefers the gateway's fiscalised to an operator's rejected, and the gateway's rejection to an operator's", () => {
    const refused = said("operator", rejected("by hand"), null)
    assert.strictEqual(reduce([refused, said("poll", fiscalised("A"))]).outcome._tag, "Fiscalised")
    assert.deepStrictEqual(reduce([refused, said("poll", rejected("no"))]).outcome, rejected("no"))
  })

  it("prefers an operator's decision to our own conclusion of expiry", () => {
    const { outcome, statedBy } = reduce([said("poll", expired), said("operator", rejected("not there"), null)])
    assert.strictEqual(outcome._tag, "Rejected")
    assert.strictEqual(statedBy, "operator")
  })

  it("identifies a receipt by its verification code, and merges all facts about it", () => {
    const evidence = [
      said("webhook", fiscalised("A", { fiscalDay: 7 }), "r1"),
      said("poll", fiscalised("A", { fiscalInvoicePdf: "a.pdf" }), "r2")
    ]
    const { conflicts, proofs } = reduce(evidence)
    assert.deepStrictEqual(proofs, [proof("A", { fiscalDay: 7, fiscalInvoicePdf: "a.pdf" })])
    assert.deepStrictEqual(conflicts, [])
  })

  it("keeps both proofs of a document that was fiscalised twice", () => {
    const evidence = [said("poll", fiscalised("B"), "r1"), said("poll", fiscalised("A"), "r2")]
    const { conflicts, proofs } = reduce(evidence)
    assert.deepStrictEqual(proofs, [proof("A"), proof("B")])
    assert.deepStrictEqual(conflicts, [{ code: "DOUBLE_FISCALISED", detail: "verification codes A and B" }])
  })

  it("does not count a success without a verification code as a second receipt", () => {
    const { conflicts, proofs } = reduce([
      said("webhook", fiscalised(null, { fiscalDay: 7 })),
      said("poll", fiscalised("A"))
    ])
    assert.deepStrictEqual(proofs, [proof("A", { fiscalDay: 7 })])
    assert.deepStrictEqual(conflicts, [])
  })

  it("counts two request ids that succeeded as two receipts, unless both state the same code", () => {
    const doubles = (a: string | null, b: string | null) =>
      reduce([said("poll", fiscalised(a), "r1"), said("webhook", fiscalised(b), "r2")])
    assert.deepStrictEqual(doubles("A", null).proofs, [proof("A"), proof(null)])
    assert.deepStrictEqual(doubles("A", null).conflicts, [
      { code: "DOUBLE_FISCALISED", detail: "verification codes A and none (request id r2)" }
    ])
    assert.deepStrictEqual(doubles(null, null).conflicts, [
      { code: "DOUBLE_FISCALISED", detail: "verification codes none (request id r1) and none (request id r2)" }
    ])
    assert.deepStrictEqual(doubles("A", "A").conflicts, [])
    assert.deepStrictEqual(doubles("A", "B").proofs, [proof("A"), proof("B")])
  })

  it("lists every request that succeeded, with the codes that were stated", () => {
    const evidence = [
      said("poll", fiscalised(null), "r1"),
      said("webhook", fiscalised("A"), "r1"),
      said("poll", fiscalised(null), "r2"),
      said("poll", rejected("no"), "r3")
    ]
    assert.deepStrictEqual(succeeded(evidence), [
      { requestId: RequestId.make("r1"), codes: ["A"] },
      { requestId: RequestId.make("r2"), codes: [] }
    ])
  })

  it("reads an operator's statement without a code as the gateway's receipt", () => {
    const evidence = [said("operator", fiscalised(null), null), said("poll", fiscalised("A"), "r1")]
    assert.deepStrictEqual(reduce(evidence).conflicts, [])
  })

  it("reports an operator's verification code that differs from the gateway's", () => {
    const evidence = [said("operator", fiscalised("X"), null), said("poll", fiscalised("A"))]
    assert.deepStrictEqual(reduce(evidence).proofs, [proof("A")])
    assert.deepStrictEqual(codesOf(evidence), ["OUTCOME_CONFLICT"])
  })

  it("prefers a failure with a proof to every rejection, until the same request succeeds", () => {
    const evidence = [said("poll", contradictory("A")), said("webhook", rejected("no")), said("poll", expired)]
    assert.strictEqual(reduce(evidence).outcome._tag, "Contradictory")
    assert.deepStrictEqual(codesOf(evidence), ["SUCCESS_AND_FAILURE"])
    assert.deepStrictEqual(codesOf([evidence[0]!, said("poll", fiscalised("A"))]), [])
    assert.deepStrictEqual(codesOf([evidence[0]!, said("poll", fiscalised(null))]), [])
    assert.deepStrictEqual(codesOf([evidence[0]!, said("poll", fiscalised("B"))]), ["SUCCESS_AND_FAILURE"])
    assert.deepStrictEqual(codesOf([evidence[0]!, said("poll", fiscalised("A"), "r2")]), ["SUCCESS_AND_FAILURE"])
  })

  it("is what the code of a receipt rule says, whatever a text without a code stated before", () => {
    for (const text of [rejected("still working", "final"), rejected("still working")])
      for (const coded of [rejected("RCPT016", "correctable"), rejected("RCPT016", "final")]) {
        const both = [said("webhook", text), said("poll", coded)]
        assert.deepStrictEqual(reduce(both).outcome, coded)
        assert.deepStrictEqual(reduce(both.toReversed()).outcome, coded)
      }
  })

  it("is final if one of two rejections is final", () =>
    assert.deepStrictEqual(
      reduce([said("poll", rejected("b")), said("webhook", rejected("a", "final"))]).outcome,
      rejected("a", "final")
    ))
})

const outcomes: ReadonlyArray<Outcome> = [
  pending,
  expired,
  rejected("no"),
  rejected("never", "final"),
  fiscalised("A"),
  fiscalised("A", { fiscalDay: 7 }),
  fiscalised("B"),
  contradictory("A"),
  contradictory("C"),
  fiscalised(null, { fiscalInvoicePdf: "x.pdf" })
]
const index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: outcomes.length - 1 }))
const OneEvidence = Schema.Struct({
  source: Schema.Literals(["poll", "webhook", "operator"]),
  request: Schema.Literals(["r1", "r2"]),
  index
})
const Case = Schema.Array(
  Schema.Struct({ one: OneEvidence, place: Schema.Int, times: Schema.Literals([1, 2, 3]) })
).check(Schema.isMaxLength(7))

it.prop(
  "does not depend on the order or the repetition of statements",
  { cases: Case },
  ({ cases }) => {
    const evidence = cases.map(({ one }) =>
      said(one.source, outcomes[one.index]!, one.source === "operator" ? null : one.request)
    )
    const shuffled = cases
      .flatMap(({ place, times }, i) =>
        Array.from({ length: times }, (_, n) => ({ place: place + n * 7919, evidence: evidence[i]! }))
      )
      .toSorted((a, b) => a.place - b.place)
      .map(({ evidence }) => evidence)
    const a = reduce(evidence)
    const b = reduce(shuffled)
    assert.deepStrictEqual(b, a)
  },
  seeded()
)
