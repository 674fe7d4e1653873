/**
 * Proves that no change is missed while documents change between two answers, whatever the page
 * boundaries and however many share a second.
 */
import { assert, describe, it } from "../It.ts"
import { Duration, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import type { LiveSource } from "../../src/source/LiveSource.ts"
import * as Walk from "../../src/pull/Walk.ts"

const minute = 60_000
const began = Date.parse("2026-03-01T08:00:00Z")

const options = { overlap: Duration.minutes(5), clockSkew: Duration.minutes(5) }

/** Returns a generator of pseudo-random numbers from a seed (mulberry32). */
const drawing = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

interface Stored {
  modified: number
  /** Time from which lists show the change: a transaction may take a while. */
  shown: number
}

/** System whose documents change with every request. */
class Changing {
  now = began
  readonly documents = new Map<string, Stored>()
  calls = 0
  readonly pageSize: number
  readonly since: "after" | "from"
  readonly draw: (below: number) => number
  changes: "going-on" | "over" = "going-on"

  constructor(seed: number) {
    this.draw = drawing(seed)
    this.pageSize = 2 + this.draw(4)
    this.since = this.draw(2) === 0 ? "after" : "from"
    const several = this.draw(3) === 0
    for (let i = 0; i < 5 + this.draw(20); i++) {
      // Many documents share a second.
      const modified = began - 10 * minute + (several ? 0 : this.draw(8) * 1000) + this.draw(3)
      this.documents.set(`d${i}`, { modified, shown: modified })
    }
  }

  change(): void {
    this.now += this.draw(3) === 0 ? this.draw(90_000) : this.draw(40)
    for (let n = this.draw(4); n > 0; n--) {
      const modified = this.now
      this.documents.set(`d${this.draw(40)}`, { modified, shown: modified + this.draw(2) * this.draw(4 * minute) })
    }
  }

  readonly source: Pick<LiveSource<unknown>, "name" | "pages"> = {
    name: "books",
    pages: ({ page, since }) =>
      Effect.gen({ self: this }, function* () {
        this.calls++
        if (this.changes === "going-on") {
          this.change()
          yield* TestClock.setTime(this.now)
        }
        const wanted = [...this.documents]
          .filter(([, { modified, shown }]) => {
            if (shown > this.now) return false
            const second = Math.floor(modified / 1000) * 1000
            return since === null || (this.since === "after" ? second > since : second >= since)
          })
          .toSorted(([, a], [, b]) => a.modified - b.modified)
        const records = wanted
          .slice((page - 1) * this.pageSize, page * this.pageSize)
          .map(([id, { modified }]) => ({ id, kind: "invoice" as const, number: id, modified, needs: [] }))
        const more = wanted.length > page * this.pageSize ? "more" : "last"
        return { bytes: new Uint8Array(), records, more, answeredAt: this.now } as const
      })
  }
}

/**
 * Runs the source several times; returns the latest state of each document that any run has read.
 */
const runs = (system: Changing) =>
  Effect.gen(function* () {
    const read = new Map<string, number>()
    let mark: number | null = null
    for (let run = 0; run < 6; run++) {
      if (run === 4) {
        system.changes = "over"
        system.now += 5 * minute
      }
      yield* TestClock.setTime(system.now)
      const walked: Walk.Walked = yield* Walk.walk(system.source, "Invoices", mark, options, () => Effect.void)
      for (const { id, modified } of walked.records) read.set(id, modified)
      assert.isAtLeast(walked.mark ?? 0, mark ?? 0)
      mark = walked.mark
    }
    return read
  })

describe("a walk through the pages of a source", () => {
  for (const first of [1, 101, 201])
    it.effect(
      `reads the last state of every document while documents change (seeds ${first} to ${first + 99})`,
      function* () {
        for (let seed = first; seed < first + 100; seed++) {
          const system = new Changing(seed)
          const read = yield* runs(system)
          const missed = [...system.documents].filter(([id, { modified }]) => read.get(id) !== modified)
          assert.deepStrictEqual(missed, [], `seed ${seed}`)
        }
      }
    )

  it.effect("makes one request if nothing is new", function* () {
    const system = new Changing(5)
    system.changes = "over"
    yield* TestClock.setTime(system.now)
    const { mark } = yield* Walk.walk(system.source, "Invoices", null, options, () => Effect.void)
    system.calls = 0
    system.documents.clear()
    const again = yield* Walk.walk(system.source, "Invoices", mark, options, () => Effect.void)
    assert.deepStrictEqual([system.calls, again.mark], [1, mark])
  })

  it.effect("never takes a mark later than the source's own clock", function* () {
    const system = new Changing(5)
    system.changes = "over"
    system.documents.set("ahead", { modified: system.now + 60 * minute, shown: 0 })
    yield* TestClock.setTime(system.now)
    const { mark, records } = yield* Walk.walk(system.source, "Invoices", null, options, () => Effect.void)
    assert.isTrue(records.some(({ id }) => id === "ahead"))
    assert.strictEqual(mark, system.now)
  })

  it.effect("stops if the source's clock is an hour off, or its records are unordered", function* () {
    const system = new Changing(5)
    system.changes = "over"
    yield* TestClock.setTime(system.now + 60 * minute)
    const walking = Walk.walk(system.source, "Invoices", null, options, () => Effect.void)
    const off = yield* Effect.result(walking)
    assert.deepStrictEqual(Result.isFailure(off) && off.failure.reason, { _tag: "ClockOff", aheadSeconds: 3600 })
    yield* TestClock.setTime(system.now)
    const backwards: typeof system.source = {
      name: "books",
      pages: (request) =>
        Effect.map(system.source.pages(request), (page) => ({ ...page, records: page.records.toReversed() }))
    }
    system.documents.set("other", { modified: began, shown: began })
    system.documents.set("another", { modified: began + 5000, shown: began })
    const unordered = yield* Effect.result(Walk.walk({ ...backwards }, "Invoices", began, options, () => Effect.void))
    assert.strictEqual(Result.isFailure(unordered) && unordered.failure.reason._tag, "AnswerUnreadable")
  })
})
