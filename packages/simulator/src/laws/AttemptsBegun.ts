/**
 * Keeps every attempt that was ever committed, and who remembers it: the process that began it, and after some seconds the witness file of its machine.
 * When the store goes back, this says which attempts were lost, and which senders could know.
 */
import type { SimulatedProcess } from "../SimulatedProcess.ts"
import type { Row } from "../StoreFile.ts"

/** A witness file may lack the attempts of so many last milliseconds, with what an operation takes. */
const witnessedWithin = 10_000 + 5000

export interface BegunAttempt {
  readonly id: number
  readonly document: string
  readonly by: SimulatedProcess
  /** The true time of its commit. */
  readonly at: number
  sent: "not yet" | "sent"
  /** `given up`: an operator has accepted an older copy without it. */
  place: "in the store" | "lost" | "given up"
}

/** The source that tells a sender that the store is older than it was. */
export type Knowledge = "its own memory" | "the witness of its machine" | "nothing"

// ids are used again by a copy that counts on, and times of different machines may be equal
const keyOf = (row: Row): string => `${row["id"]} ${row["submission"]} ${row["begun_at"]} ${row["fence"]}`

export class AttemptsBegun {
  readonly #all = new Map<string, BegunAttempt>()
  readonly #shareWitness: (machine: number, other: number) => boolean
  /** `lost`: an operator had accepted an older copy, and the store does not know it any more. */
  acceptance: "kept" | "lost" = "kept"
  /** When the store was last exchanged or went back. */
  #exchangedAt = 0

  constructor(shareWitness: (machine: number, other: number) => boolean) {
    this.#shareWitness = shareWitness
  }

  /** An attempt was committed by a process. */
  begun(row: Row, document: string, by: SimulatedProcess, at: number): void {
    const key = keyOf(row)
    if (!this.#all.has(key))
      this.#all.set(key, { id: Number(row["id"]), document, by, at, sent: "not yet", place: "in the store" })
  }

  /** The attempt that a process is about to hand over. */
  latest(document: string, by: SimulatedProcess): BegunAttempt | undefined {
    return [...this.#all.values()].findLast((attempt) => attempt.document === document && attempt.by === by)
  }

  /** The store has other contents now: these attempts are in it. `acceptance`: `lost` with a copy that was made before it. */
  exchanged(rows: ReadonlyArray<Row>, now: number, acceptance: "kept" | "lost"): void {
    this.#exchangedAt = now
    const present = new Set(rows.map(keyOf))
    for (const [key, attempt] of this.#all) {
      if (present.has(key)) attempt.place = "in the store"
      else if (attempt.place === "in the store" || acceptance === "lost") attempt.place = "lost"
    }
    this.acceptance = acceptance
  }

  /** An operator has accepted the copy as the store. */
  giveUp(): void {
    for (const attempt of this.#all.values()) if (attempt.place === "lost") attempt.place = "given up"
  }

  /** True if any attempt is lost. */
  get isAnythingLost(): boolean {
    return this.#lost.length > 0
  }

  /** True if anything that was sent is lost. */
  get isAnythingSentLost(): boolean {
    return this.#lost.some(({ sent }) => sent === "sent")
  }

  /**
   * Finds what tells the sender of an attempt that the store has lost others. A witness file is read when the permission is renewed: `renewedAt` is
   * when the sender last asked the gateway about the device.
   */
  toldBy({ at, by }: BegunAttempt, renewedAt: number): Knowledge {
    // it was committed before the store went back
    if (at < this.#exchangedAt) return "nothing"
    if (this.#lost.some((lost) => lost.by === by)) return "its own memory"
    const isRead = renewedAt > this.#exchangedAt
    const isTold = this.#lost.some((lost) => this.#isWitnessed(lost) && this.#shareWitness(lost.by.machine, by.machine))
    return isRead && isTold ? "the witness of its machine" : "nothing"
  }

  #isWitnessed({ at }: BegunAttempt): boolean {
    return this.#exchangedAt - at > witnessedWithin
  }

  get #lost(): ReadonlyArray<BegunAttempt> {
    return [...this.#all.values()].filter(({ place }) => place === "lost")
  }
}
