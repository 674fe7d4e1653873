import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Zone from "../../src/wire/Zone.ts"

const berlin = Zone.Zone.make("Europe/Berlin")
const utc = (text: string) => Date.parse(text)

describe("an IANA zone", () => {
  it("has the civil time of each season", () => {
    assert.strictEqual(Zone.civil(berlin, utc("2026-01-15T12:00:00.5Z")), "2026-01-15T13:00:00.500")
    assert.strictEqual(Zone.civil(berlin, utc("2026-07-15T12:00:00Z")), "2026-07-15T14:00:00.000")
    assert.strictEqual(
      Zone.civil(Zone.Zone.make("Africa/Harare"), utc("2026-01-31T22:30:00Z")),
      "2026-02-01T00:30:00.000"
    )
  })

  it("converts civil time into an instant, and uses the earlier one when clocks go back", () => {
    for (const text of ["2026-01-15T13:00:00", "2026-07-15T14:00", "2026-03-29T04:00:00", "2026-10-25T12:00:00"]) {
      const at = Zone.instant(berlin, text)!
      assert.isTrue(Zone.civil(berlin, at).startsWith(text), text)
    }
    assert.strictEqual(Zone.instant(berlin, "2026-10-25T02:30:00"), utc("2026-10-25T00:30:00Z"))
    assert.strictEqual(Zone.instant(berlin, "2026-02-30"), undefined)
  })

  it("states its offset at a civil time", () => {
    assert.strictEqual(Zone.offsetAt(berlin, "2026-07-15T14:00:00"), "+02:00")
    assert.strictEqual(Zone.offsetAt(berlin, "2026-01-15T14:00:00"), "+01:00")
    assert.strictEqual(Zone.offsetAt(Zone.Zone.make("-03:30"), "2026-01-15T14:00:00"), "-03:30")
  })

  it("must be known on this machine", () => {
    const is = Schema.is(Zone.Zone)
    assert.isTrue(["+02:00", "Africa/Harare", "UTC"].every((zone) => is(zone)))
    assert.isFalse(["+2", "Nowhere/Town", "", "2026"].some((zone) => is(zone)))
  })
})
