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

describe("a status item about its request id only", () => {
  it("is not a result, in all wordings of gateways", () => {
    assert.deepStrictEqual(
      unknownIds.filter((text) => !isNone(text)),
      []
    )
  })

  it("is distinguished from 200 wordings of real rejections, which stay final", () => {
    assert.isAtLeast(rejections.length, 200)
    assert.deepStrictEqual(
      rejections.filter((text) => isNone(text)),
      []
    )
  })

  it("is a result if it has proof or a code of the authority", () => {
    assert.isFalse(isNone("Request not found", "usual", { QrData: { VerificationCode: "A-1" } }))
    assert.isFalse(isNone("request .*", "request .*", { Error: "request refused: RCPT020" }))
    assert.isTrue(isNone("request .*", "request .*", { Error: "request still travelling" }))
  })

  it("is a result if it names another request's id, because the text is about that request", () => {
    assert.isFalse(isNone("Request 4711 not found"))
  })

  it("is recognized by the account's own pattern, or not at all", () => {
    assert.isFalse(isNone("Anfrage unbekannt"))
    assert.isTrue(isNone("Anfrage unbekannt", "anfrage (unbekannt|fehlt)"))
    assert.isFalse(isNone("Anfrage unbekannt: Steuersatz", "anfrage (unbekannt|fehlt)"))
    assert.isFalse(isNone("Request not found", "anfrage (unbekannt|fehlt)"))
    assert.isFalse(isNone("Request not found", "none"))
  })
})
