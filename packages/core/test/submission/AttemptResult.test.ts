import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { certainlyNotProcessed } from "../../src/gateway/contract/CertainlyNotProcessed.ts"
import {
  CredentialsRefused,
  Declined,
  GatewayError,
  type GatewayErrorReason,
  Limited,
  MalformedAnswer,
  Misdirected,
  NotFound,
  NotSent,
  Unavailable,
  UnknownOutcome
} from "../../src/gateway/contract/GatewayError.ts"
import { type AttemptResult, classify } from "../../src/submission/AttemptResult.ts"
import type { OwnStop } from "../../src/submission/Lane.ts"

const classified = (reason: GatewayErrorReason) => {
  const { result, retryAfter, stop } = classify(new GatewayError({ operation: "Submit Invoice", reason }))
  return { state: result._tag, stop, retryAfter }
}

/** Returns the client's reason for an entry of the list. */
const reasonOf = (entry: (typeof certainlyNotProcessed)[number]): GatewayErrorReason => {
  if (entry.when === "not-sent") return new NotSent({ cause: entry.cause, text: "" })
  switch (entry.status) {
    case 401:
    case 403:
      return new CredentialsRefused({ status: entry.status, text: "" })
    case 404:
      return new NotFound({ what: "operation" })
    case 405:
    case 411:
      return new Misdirected({ status: entry.status })
    case 429:
      return new Limited({})
    default:
      return new Declined({ status: entry.status, text: "" })
  }
}

const expected: Record<string, { readonly state: AttemptResult["_tag"]; readonly stop: OwnStop["cause"] | null }> = {
  "name-not-resolved": { state: "NotProcessed", stop: "not-sent" },
  "not-connected": { state: "NotProcessed", stop: "not-sent" },
  "tls-failure": { state: "NotProcessed", stop: "not-sent" },
  "aborted-before-sending": { state: "NotProcessed", stop: "not-sent" },
  400: { state: "Declined", stop: null },
  401: { state: "NotProcessed", stop: "credentials" },
  403: { state: "NotProcessed", stop: "credentials" },
  404: { state: "NotProcessed", stop: "not-found" },
  405: { state: "NotProcessed", stop: "misdirected" },
  411: { state: "NotProcessed", stop: "misdirected" },
  413: { state: "Declined", stop: null },
  415: { state: "Declined", stop: null },
  422: { state: "Declined", stop: null },
  429: { state: "NotProcessed", stop: "limited" }
}

describe("a failed submission", () => {
  for (const entry of certainlyNotProcessed) {
    const name = entry.when === "not-sent" ? entry.cause : String(entry.status)
    const { state, stop } = expected[name]!
    it(`that failed with ${name} is ${state}${stop === null ? "" : ` and stops the lane (${stop})`}`, () =>
      assert.deepStrictEqual(classified(reasonOf(entry)), { state, stop, retryAfter: null }))
  }

  it("keeps the gateway's retry hint after too many requests", () =>
    assert.deepStrictEqual(
      classified(new Limited({ retryAfter: Duration.seconds(30) })).retryAfter,
      Duration.seconds(30)
    ))

  for (const reason of [
    new UnknownOutcome({ status: 502, text: "" }),
    new UnknownOutcome({ text: "cut" }),
    new Unavailable({ status: 409, text: "" }),
    new MalformedAnswer({ text: "", excerpt: "" })
  ]) {
    it(`that failed with ${reason._tag} may have been processed`, () =>
      assert.deepStrictEqual(classified(reason), { state: "Unknown", stop: null, retryAfter: null }))
  }
})
