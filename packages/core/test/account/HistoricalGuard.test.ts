import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as Instant from "../../src/document/Instant.ts"
import { AnswerDateTime } from "../../src/gateway/operation/LocalDateTime.ts"
import * as HistoricalGuard from "../../src/account/HistoricalGuard.ts"

const now = Option.getOrThrow(Instant.parse("2026-03-02T12:00:00+02:00"))

const check = (expiry: string | null, allowed: boolean | null = true) =>
  HistoricalGuard.check(
    {
      deviceId: 1001,
      allowCsvUpload: allowed,
      expireCsvUpload: expiry === null ? null : Schema.decodeSync(AnswerDateTime)(expiry)
    },
    now,
    "permitted"
  )

describe("the permission to send documents from before the last close of the day", () => {
  it("is valid to the second, in the account's zone", () => {
    for (const expiry of [null, "0001-01-01T00:00:00", "2026-03-02T12:00:00", "2026-03-02T10:00:01Z"]) {
      assert.strictEqual(check(expiry)._tag, "Permitted", String(expiry))
    }
    for (const expiry of ["2026-03-02T11:59:59", "2026-03-02T09:59:59Z", "2026-03-01T23:59:59"]) {
      const refused = check(expiry)
      assert.strictEqual(refused._tag, "Refused", expiry)
      if (refused._tag === "Refused")
        assert.include(refused.text, "the upload permission of the device 1001 ended on 2026-03-0")
    }
  })

  it("has no effect without the device's flag, or with the switch HIST-1 off", () => {
    assert.strictEqual(check(null, false)._tag, "Refused")
    assert.strictEqual(check(null, null)._tag, "Refused")
    const device = { deviceId: 1001, allowCsvUpload: true, expireCsvUpload: null }
    assert.strictEqual(HistoricalGuard.check(device, now, "refused")._tag, "Refused")
  })
})
