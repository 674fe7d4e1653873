import type { Doctor } from "@fiscal-connector/core/host/account"
import type { Explanation, Lane } from "@fiscal-connector/core/store"
import { assert, describe, it } from "../../core/test/It.ts"
import * as StoreJson from "../src/command/store/StoreJson.ts"

const hold = { cause: "operator", text: "look at it" } as const

/** Only the fields whose names differ, and their neighbors. */
const explanation = {
  submission: { requestId: null, hold, text: "answered 502", rejection: null },
  attempts: [
    { id: 1, result: { _tag: "Unknown", text: "answered 502" }, requestId: null },
    { id: 2, result: { _tag: "Accepted", requestId: "r1" }, requestId: "r1" },
    { id: 3, result: null, requestId: null }
  ],
  timeline: [{ to: "Held", text: "look at it", attempt: null }],
  facts: { state: "Held", hold, nature: null }
} as unknown as Explanation.Explanation

describe("the JSON of the store's values", () => {
  it("names the reason of a hold and of an attempt `because`, and the text of a document `said`", () => {
    assert.strictEqual(
      JSON.stringify(StoreJson.ofExplanation(explanation)),
      '{"submission":{"requestId":null,"hold":{"cause":"operator","because":"look at it"},"said":"answered 502","rejection":null},' +
        '"attempts":[{"id":1,"result":{"_tag":"Unknown","because":"answered 502"},"requestId":null},' +
        '{"id":2,"result":{"_tag":"Accepted","requestId":"r1"},"requestId":"r1"},{"id":3,"result":null,"requestId":null}],' +
        '"timeline":[{"to":"Held","text":"look at it","attempt":null}],' +
        '"facts":{"state":"Held","hold":{"cause":"operator","because":"look at it"},"nature":null}}'
    )
  })

  it("names the reason of a stop `because`", () => {
    const lanes = [
      { lane: "a", stop: { cause: "limited", text: "429", retryAt: null }, stops: 1 },
      { lane: "b", stop: null, stops: 0 }
    ] as unknown as ReadonlyArray<Lane.LaneView>
    assert.strictEqual(
      JSON.stringify(lanes.map(StoreJson.ofLane)),
      '[{"lane":"a","stop":{"cause":"limited","because":"429","retryAt":null},"stops":1},{"lane":"b","stop":null,"stops":0}]'
    )
  })

  it("names the text of a check `said`", () => {
    const check: Doctor.Check = { name: "device", text: "it is online", findings: [], state: "fine" }
    assert.strictEqual(
      JSON.stringify(StoreJson.ofCheck(check)),
      '{"name":"device","said":"it is online","findings":[],"state":"fine"}'
    )
  })
})
