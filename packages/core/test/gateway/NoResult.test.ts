import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { defaults } from "../../src/gateway/contract/AssumptionSwitches.ts"
import * as NoResult from "../../src/gateway/operation/NoResult.ts"
import * as Status from "../../src/gateway/operation/Status.ts"
import { rejections, unknownIds } from "./RejectionWordings.ts"

const requestId = "7f0c2d4e-01aa"
const read = (Error: string, more: object = {}) =>
  Result.getOrThrow(Status.decodeItem({ RequestId: requestId, Success: false, Error, QrData: null, ...more }, defaults))
const isNone = (text: string, pattern = "usual", more: object = {}) =>
  NoResult.is(read(text.replaceAll("#", requestId), more), { "STAT-9": pattern })

describe("a status item that speaks of its request id alone", () => {
  it("is not a result, in all the ways a gateway says it", () => {
    assert.deepStrictEqual(
      unknownIds.filter((text) => !isNone(text)),
      []
    )
  })

  it("leaves 200 wordings of real rejections what they are: final at once", () => {
    assert.isAtLeast(rejections.length, 200)
    assert.deepStrictEqual(
      rejections.filter((text) => isNone(text)),
      []
    )
  })

  it("is a result where it has proof, or a code of the authority", () => {
    assert.isFalse(isNone("Request not found", "usual", { QrData: { VerificationCode: "A-1" } }))
    assert.isFalse(isNone("request .*", "request .*", { Error: "request refused: RCPT020" }))
    assert.isTrue(isNone("request .*", "request .*", { Error: "request still travelling" }))
  })

  it("is a result where another request's id is named: that says nothing of this one", () => {
    assert.isFalse(isNone("Request 4711 not found"))
  })

  it("goes by the account's own pattern, or by none", () => {
    assert.isFalse(isNone("Anfrage unbekannt"))
    assert.isTrue(isNone("Anfrage unbekannt", "anfrage (unbekannt|fehlt)"))
    assert.isFalse(isNone("Anfrage unbekannt: Steuersatz", "anfrage (unbekannt|fehlt)"))
    assert.isFalse(isNone("Request not found", "anfrage (unbekannt|fehlt)"))
    assert.isFalse(isNone("Request not found", "none"))
  })
})
