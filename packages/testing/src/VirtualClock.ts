/**
 * Hours pass instantly: time stops while any code has work, and jumps to the end of the next wait
 * as soon as all code waits.
 */
import { setImmediate, setTimeout } from "node:timers/promises"

interface Sleeper {
  readonly at: number
  readonly side: Side
  readonly wake: () => void
}

/** `connector`: the code under test. `gateway`: the other side of the requests. */
export type Side = "connector" | "gateway"

/**
 * In milliseconds of real time. Without a limit, a host that waits on this clock would wait
 * forever.
 */
const longestDelivery = 1000

/** Two clocks with separate turns would keep the loop busy for each other. */
let turning: Promise<void> | undefined
const turn = (): Promise<void> => (turning ??= setImmediate().then(() => void (turning = undefined)))

/** True if the loop has scheduled work or file reads, such as a module being loaded. */
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

  /** Resolves after `millis` milliseconds. Never resolves once the signal is aborted. */
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

  /**
   * Advances the time by `millis` milliseconds. Waits that end in between end at their exact time.
   */
  async advance(millis: number): Promise<void> {
    const target = this.#now + millis
    await this.sleep(millis)
    await this.#idle()
    this.#now = Math.max(this.#now, target)
  }

  /** Runs while the gateway has a request: time passes only while the gateway waits. */
  async serving<A>(request: () => Promise<A>): Promise<A> {
    this.#requests++
    try {
      return await request()
    } finally {
      this.#requests--
    }
  }

  /**
   * Runs a delivery to code of the host. Time stops during the delivery, because the host may use
   * sockets, but at most for a second of real time.
   */
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
    // no await between the check and this line: a later sleep starts the clock again
    this.#isRunning = false
  }

  #isBusy(): boolean {
    const waiting = [...this.#sleepers].filter(({ side }) => side === "gateway").length
    return this.#deliveries > 0 || this.#requests > waiting || isLoopBusy()
  }

  async #idle(): Promise<void> {
    for (let calm = 0; calm < 2;) {
      await turn()
      calm = this.#isBusy() ? 0 : calm + 1
    }
  }
}
