/**
 * Single-threaded scheduler of a simulation: chooses the next task, the time, and the processes
 * that die. The same seed makes the same choices.
 */
import { Clock, Context, Duration, Effect, type Exit, type Fiber, Logger, Random, References } from "effect"
import type { Scheduler } from "effect/Scheduler"
import { Uuid } from "../../packages/core/src/document/Uuid.ts"
import { type Draw, stream, uuid } from "./Draw.ts"
import type { Crash, SimulatedProcess } from "./SimulatedProcess.ts"

interface Timer {
  readonly at: number
  /** Process whose queue the timer joins; null: the timer fires at once. */
  readonly owner: SimulatedProcess | null
  readonly fire: () => void
  cancelled: boolean
}

export interface ProcessOptions {
  readonly host?: string
  readonly machine?: number
  readonly skew?: number
  readonly crash?: Crash | null
  readonly onDeath?: () => void
  /** True if the process is never paused. */
  readonly isSpared?: boolean
}

/** Pause of the program between two looks at what may have changed, in milliseconds. */
const betweenLooks = 1000

/**
 * Time without a change after which a process oversleeps, and the longest such sleep, in
 * milliseconds. A waiting process makes the same fifty queries at every look, and nineteen of
 * twenty looks of a day found nothing new.
 */
const [restedAfter, longestSleep] = [5000, 10_000]

/** Maximum number of tasks without any passing of time; more is an endless loop. */
const mostTasksInAMoment = 50_000

/**
 * Share of the operations before which a process is paused, and the share of these pauses that last
 * minutes.
 */
export interface Preemption {
  readonly share: number
  readonly stalls: number
}

export class Simulation {
  readonly seed: number
  /** Milliseconds since 1970, always whole. */
  now: number
  preemption: Preemption = { share: 0, stalls: 0 }
  /** Process whose task ran last. */
  running: SimulatedProcess | null = null
  steps = 0
  hash = 0
  readonly trace: Array<string> = []
  readonly #draw: Draw
  readonly #sleeps: Draw
  /** Time of the last commit that changed more than who has a lane. */
  #changedAt = 0
  readonly #listen: (line: string) => void
  #ready: Array<SimulatedProcess> = []
  // Sorted, the latest first.
  readonly #timers: Array<Timer> = []
  #processes = 0
  #tasksNow = 0

  constructor(seed: number, start: number, listen: (line: string) => void) {
    this.seed = seed
    this.now = start
    this.#draw = stream(seed, "scheduler")
    this.#sleeps = stream(seed, "sleeps")
    this.#listen = listen
  }

  /** Logs an event; every character is part of the hash. */
  log(text: string): void {
    for (let i = 0; i < text.length; i++) this.#mix(text.charCodeAt(i))
    const line = `${new Date(this.now).toISOString().slice(5, 23).replace("T", " ")} ${text}`
    this.trace.push(line)
    this.#listen(line)
  }

  process(
    name: string,
    { crash = null, host = name, isSpared = false, machine = -1, onDeath = () => {}, skew = 0 }: ProcessOptions = {}
  ) {
    const draw = stream(this.seed, `process ${++this.#processes}`)
    const process: SimulatedProcess = {
      name,
      host,
      machine,
      pid: this.#processes,
      crash,
      context: Context.empty(),
      tasks: [],
      connections: new Set(),
      onDeath,
      startedAt: this.now,
      life: "running",
      skew,
      skewedAt: this.now,
      operations: 0,
      stallsAt: 0,
      commits: 0,
      requests: 0,
      seen: new Map(),
      swept: new Map(),
      opened: new Map(),
      closesUnread: new Set(),
      isAside: false,
      asideFor: 0,
      isSpared
    }
    return Object.assign(process, {
      context: Context.make(Clock.Clock, this.clockOf(process)).pipe(
        Context.add(Random.Random, { nextDoubleUnsafe: draw, nextIntUnsafe: () => draw.int(2 ** 31) }),
        Context.add(Uuid, uuid(draw)),
        Context.add(References.TracerEnabled, false),
        Context.add(Logger.CurrentLoggers, new Set())
      )
    })
  }

  /** Runs a program as a process; calls `done` at its end, unless the process dies. */
  spawn<A, E>(process: SimulatedProcess, effect: Effect.Effect<A, E>, done: (exit: Exit.Exit<A, E>) => void): void {
    this.enqueue(process, () =>
      Effect.runForkWith(process.context)(effect, { scheduler: this.#scheduler(process) }).addObserver((exit) => {
        if (process.life === "running") done(exit)
      })
    )
  }

  enqueue(process: SimulatedProcess, task: () => void): void {
    if (process.life === "dead") return
    process.tasks.push(task)
    if (!this.#ready.includes(process)) this.#ready.push(process)
  }

  /** Schedules a function after a number of milliseconds, in the queue of the process. */
  later(millis: number, owner: SimulatedProcess | null, fire: () => void): Timer {
    const at = Math.ceil(this.now + Math.max(0, millis))
    const timer: Timer = { at, owner, fire, cancelled: false }
    let [low, high] = [0, this.#timers.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#timers[middle]!.at >= at) low = middle + 1
      else high = middle
    }
    this.#timers.splice(low, 0, timer)
    return timer
  }

  /** Records a change that a waiting process may find. */
  changed(): void {
    this.#changedAt = this.now
  }

  /** Returns the length of a sleep: while nothing changes, a pause between looks is oversled. */
  #sleepOf(millis: number): number {
    const isOverslept = millis === betweenLooks && this.now - this.#changedAt > restedAfter
    return isOverslept ? this.#sleeps.between(betweenLooks, longestSleep) : millis
  }

  /** Ends a process without cleanup: the system closes its connections, and no finalizer runs. */
  kill(process: SimulatedProcess, where: string): void {
    this.log(`${process.name} dies ${where}`)
    process.life = "dead"
    process.tasks.length = 0
    for (const connection of process.connections) connection.close()
    process.onDeath()
  }

  /**
   * Runs the next task of some process; without any task, advances to the next timer. Returns false
   * if nothing is left to run.
   */
  step(): boolean {
    this.#ready = this.#ready.filter(({ life, tasks }) => life !== "dead" && tasks.length > 0)
    const able = this.#ready.filter(({ isAside }) => !isAside)
    if (able.length > 0) {
      const chosen = able.length === 1 ? 0 : this.#draw.int(able.length)
      const process = able[chosen]!
      this.steps++
      this.#tasksNow++
      this.#mix(chosen * 31 + process.tasks.length)
      this.running = process
      process.tasks.shift()!()
      return true
    }
    const timer = this.#timers.pop()
    if (timer === undefined) return false
    if (timer.at > this.now) this.#tasksNow = 0
    this.now = Math.max(this.now, timer.at)
    if (timer.owner === null) timer.fire()
    else if (!timer.cancelled) this.enqueue(timer.owner, timer.fire)
    return true
  }

  /** True if so many tasks ran at the current instant that the loop is endless. */
  get isTurningOnTheSpot(): boolean {
    return this.#tasksNow > mostTasksInAMoment
  }

  #mix(value: number): void {
    this.hash = (Math.imul(this.hash, 31) + value) | 0
  }

  /** Returns the clock of a process, which may be wrong. */
  clockOf(process: SimulatedProcess): Clock.Clock {
    const now = () => this.now + process.skew
    const nanos = () => BigInt(now()) * 1_000_000n
    const monotonic = () => BigInt(this.now) * 1_000_000n
    return {
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: monotonic,
      monotonicTimeNanos: Effect.sync(monotonic),
      sleep: (duration) =>
        Effect.callback((resume) => {
          const timer = this.later(this.#sleepOf(Duration.toMillis(duration)), process, () => resume(Effect.void))
          return Effect.sync(() => {
            timer.cancelled = true
          })
        })
    }
  }

  /** Pauses the process at random: for some milliseconds, or for minutes like a stopped machine. */
  #preempts(process: SimulatedProcess): boolean {
    const { share, stalls } = this.preemption
    if (share === 0 || process.isSpared || !this.#draw.chance(share)) return false
    const isStalled = this.#draw.chance(stalls)
    if (isStalled) this.stall(process)
    else this.#putAside(process, this.#draw.int(30))
    return true
  }

  /** Stops the process for minutes, like a sleeping machine or a debugger. */
  stall(process: SimulatedProcess): void {
    const pause = this.#draw.between(100_000, 400_000)
    this.log(`${process.name} is stopped for ${Math.round(pause / 1000)} s`)
    this.#putAside(process, pause)
  }

  #putAside(process: SimulatedProcess, pause: number): void {
    process.isAside = true
    process.asideFor += pause
    this.later(pause, null, () => {
      process.isAside = false
    })
  }

  /**
   * Controls Effect's scheduling: asked before every operation of every fiber, and given every
   * deferred task of a fiber.
   */
  #scheduler(process: SimulatedProcess): Scheduler {
    return {
      executionMode: "async",
      shouldYield: (fiber: Fiber.Fiber<unknown, unknown>) => {
        if (process.life === "dead") return true
        const { crash } = process
        if (++process.operations === (crash?.at === "operation" ? crash.n : 0)) {
          this.kill(process, `at its operation ${process.operations}`)
          return true
        }
        if (process.operations === process.stallsAt) {
          this.stall(process)
          return true
        }
        return fiber.currentOpCount >= 2048 || this.#preempts(process)
      },
      makeDispatcher: () => ({ scheduleTask: (task) => this.enqueue(process, task), flush: () => {} })
    }
  }
}
