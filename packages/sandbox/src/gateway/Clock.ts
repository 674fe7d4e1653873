/**
 * The sandbox's clock: the machine's (or the test's) clock, moved by an offset, or standing still.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** All instants are milliseconds since 1970-01-01T00:00:00Z. */
export interface SandboxClock {
  readonly now: Effect.Effect<number>
  /** Sets the time; a running clock runs on from there. */
  readonly set: (epochMillis: number) => Effect.Effect<void>
  /** Moves the time by so many milliseconds; negative goes back. */
  readonly advance: (millis: number) => Effect.Effect<void>
  /** Stops the clock where it is. */
  readonly freeze: Effect.Effect<void>
  /** Lets a stopped clock run on. */
  readonly run: Effect.Effect<void>
  /** What is kept between runs: how far the clock is from the machine's, or where it stands. */
  readonly position: Effect.Effect<Position>
  /** Goes on from a position of an earlier run. */
  readonly resume: (position: Position) => Effect.Effect<void>
}

/** Milliseconds: how far a running clock is ahead of the machine's, or the instant a stopped one stands at. */
export const Position = Schema.Union([Schema.Struct({ offset: Schema.Int }), Schema.Struct({ standsAt: Schema.Int })])
export type Position = typeof Position.Type

export const make = (start: Position): SandboxClock => {
  let position = start
  const now = Effect.map(Clock.currentTimeMillis, (machine) =>
    "standsAt" in position ? position.standsAt : machine + position.offset
  )
  const moveTo = (epochMillis: number) =>
    Effect.map(Clock.currentTimeMillis, (machine) => {
      position = "standsAt" in position ? { standsAt: epochMillis } : { offset: epochMillis - machine }
    })
  return {
    now,
    set: moveTo,
    advance: (millis) => Effect.flatMap(now, (current) => moveTo(current + millis)),
    freeze: Effect.map(now, (current) => {
      position = { standsAt: current }
    }),
    run: Effect.gen(function* () {
      const current = yield* now
      const machine = yield* Clock.currentTimeMillis
      position = { offset: current - machine }
    }),
    position: Effect.sync(() => position),
    resume: (earlier) =>
      Effect.sync(() => {
        position = earlier
      })
  }
}
