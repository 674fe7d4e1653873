/** A clock on which hours pass in no time: it stands while anything has work to do, and jumps to the end of the next wait as soon as everything waits. */
import { setImmediate, setTimeout } from "node:timers/promises"

interface Sleeper {
  readonly at: number
  readonly side: Side
  readonly wake: () => void
}

/** `connector`: the code under test. `gateway`: the other side of its requests. */
export type Side = "connector" | "gateway"

/** Milliseconds of the machine's time that a delivery may take before the clock goes on, so that a host which waits on the clock is not waited for. */
const longestDelivery = 1000

/** One turn of the event loop for every clock of the process: two that wait for an idle loop would otherwise keep it busy for each other. */
let turning: Promise<void> | undefined
const turn = (): Promise<void> => (turning ??= setImmediate().then(() => void (turning = undefined)))

/** Work that is scheduled, and files that are read: a module that is loaded, for instance. */
const isLoopBusy = (): boolean =>
  process.getActiveResourcesInfo().some((resource) => resource === "Immediate" || resource.startsWith("FSReq"))

export class VirtualClock {
  #now: number
  #isRunning = false
  #requests = 0
  #deliveries = 0
  readonly #sleepers = new Set<Sleeper>()

  constructor(now: Date) {
    this.#now = now.getTime()
  }

  now(): Date {
    return new Date(this.#now)
  }

  /** Resolves once so many milliseconds have passed. Never resolves once the signal is aborted. */
  sleep(millis: number, signal?: AbortSignal, side: Side = "connector"): Promise<void> {
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        at: this.#now + Math.max(0, millis),
        side,
        wake: () => {
          this.#sleepers.delete(sleeper)
          resolve()
        }
      }
      signal?.addEventListener("abort", () => this.#sleepers.delete(sleeper), { once: true })
      this.#sleepers.add(sleeper)
      this.#start()
    })
  }

  /** Lets so many milliseconds pass. Waits that end meanwhile end at their own time. */
  async advance(millis: number): Promise<void> {
    const target = this.#now + millis
    await this.sleep(millis)
    await this.#idle()
    this.#now = Math.max(this.#now, target)
  }

  /** Runs while the gateway has a request: time passes only where the gateway itself waits. */
  async serving<A>(request: () => Promise<A>): Promise<A> {
    this.#requests++
    try {
      return await request()
    } finally {
      this.#requests--
    }
  }

  /** Runs a delivery to code of the host. Time stands meanwhile, because the host may use sockets, but for at most a second of the machine's time. */
  async delivering<A>(delivery: () => Promise<A>): Promise<A> {
    this.#deliveries++
    const patience = setTimeout(longestDelivery, undefined, { ref: false })
    let isWaitedFor = true
    const leave = () => {
      if (isWaitedFor) this.#deliveries--
      isWaitedFor = false
    }
    void patience.then(leave)
    try {
      return await delivery()
    } finally {
      leave()
    }
  }

  #start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run()
  }

  async #run(): Promise<void> {
    for (;;) {
      await this.#idle()
      const next = Math.min(...Array.from(this.#sleepers, ({ at }) => at))
      if (!Number.isFinite(next)) break
      this.#now = Math.max(this.#now, next)
      for (const sleeper of this.#sleepers) if (sleeper.at <= this.#now) sleeper.wake()
    }
    // nothing is awaited in between: who sleeps from here on starts it again
    this.#isRunning = false
  }

  #isBusy(): boolean {
    const waiting = [...this.#sleepers].filter(({ side }) => side === "gateway").length
    return this.#deliveries > 0 || this.#requests > waiting || isLoopBusy()
  }

  /** Two turns without work: what a promise that has just resolved starts is scheduled by then. */
  async #idle(): Promise<void> {
    for (let calm = 0; calm < 2;) {
      await turn()
      calm = this.#isBusy() ? 0 : calm + 1
    }
  }
}
