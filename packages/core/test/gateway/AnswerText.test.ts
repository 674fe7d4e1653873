import { assert, describe, it } from "@effect/vitest"
import * as AnswerText from "../../src/gateway/exchange/AnswerText.ts"

describe("AnswerText", () => {
  const bodies: ReadonlyArray<readonly [shape: string, body: string, text: string]> = [
    ["message", '{"message":"tax code unknown"}', "tax code unknown"],
    ["Message", '{"Message":"tax code unknown"}', "tax code unknown"],
    ["error as text", '{"error":"bad key"}', "bad key"],
    ["error as an object", '{"error":{"code":7,"message":"bad key"}}', "bad key"],
    [
      "problem details with field errors",
      '{"type":"about:blank","title":"One or more errors","status":400,"errors":{"Total":["must match"],"Date":["is required","is late"]}}',
      "One or more errors; Total: must match; Date: is required; is late"
    ],
    ["a list of errors", '{"errors":[{"message":"a"},{"message":"b"}]}', "a; b"],
    ["a JSON string", '"not today"', "not today"],
    ["plain text", "  not\r\n today ", "not today"],
    [
      "HTML",
      "<!doctype html><style>p{color:red}</style><title>502</title><h1>Bad&nbsp;Gateway</h1><script>x()</script>",
      "502 Bad Gateway"
    ],
    ["JSON of another shape", '{"code":7}', '{"code":7}'],
    ["nothing", "", ""],
    ["JSON that is cut", '{"message":"ta', '{"message":"ta']
  ]
  for (const [shape, body, text] of bodies) {
    it(`reads ${shape}`, () => assert.strictEqual(AnswerText.fromErrorBody(body), text))
  }

  it("removes control and hiding characters", () => {
    assert.strictEqual(AnswerText.oneLine("a\u001b[31mb\u0000c\u202ed\u200be\ud800f\u0085g", 100), "a [31mb c d e f g")
  })

  it("limits the shown length, in time proportional to the size", () => {
    for (const text of [
      "x".repeat(1e6),
      "<".repeat(1e6),
      " ".repeat(1e6),
      `{"message":"${"y".repeat(1e6)}"}`,
      "[".repeat(1e6)
    ]) {
      assert.isAtMost(AnswerText.fromErrorBody(text).length, 500)
    }
    assert.strictEqual(AnswerText.oneLine("abcdef", 4), "abc…")
  })
})
