/** The clock of the machine or test, moved by an offset, or stopped. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Clock with controls. All instants are milliseconds since 1970-01-01T00:00:00Z. */
export interface SandboxClock {
  readonly now: Effect.Effect<number>
  readonly set: (epochMillis: number) => Effect.Effect<void>
  /** Moves the time by a number of milliseconds; a negative number moves the time back. */
  readonly advance: (millis: number) => Effect.Effect<void>
  readonly freeze: Effect.Effect<void>
  readonly run: Effect.Effect<void>
  /**
   * Position to keep between runs: the offset from the machine's clock, or the time of a stopped
   * clock.
   */
  readonly position: Effect.Effect<Position>
  readonly resume: (position: Position) => Effect.Effect<void>
}

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
