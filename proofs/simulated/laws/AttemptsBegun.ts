/**
 * Keeps every committed attempt and the places where each is remembered: the process that began the
 * attempt, and after some seconds the witness file of its machine. After the store goes back, tells
 * which attempts were lost and which senders could know.
 */
import type { SimulatedProcess } from "../SimulatedProcess.ts"
import type { Row } from "../StoreFile.ts"

export interface BegunAttempt {
  readonly id: number
  readonly lane: string
  readonly document: string
  readonly by: SimulatedProcess
  /** True time of its commit. */
  readonly at: number
  sent: "not yet" | "sent"
  /**
   * Place of the attempt. `given up`: an operator accepted an older copy that does not contain the
   * attempt.
   */
  place: "in the store" | "lost" | "given up"
  /** Machines whose witness had the attempt, or a later one of its lane, when it was lost. */
  recordedOn: ReadonlyArray<number>
}

/** Time for an opening to write in the store what it has recognized, in milliseconds. */
const recognizedWithin = 60_000

/** The machines, with that of the operator. */
const machines = [0, 1, 2, 3]

/** Source that tells a sender that the store is older than before. */
export type Knowledge = "its own memory" | "the witness of its machine" | "the store" | "nothing"

// A copy that continues counting reuses ids, and times of different machines may be equal.
const keyOf = (row: Row): string => `${row["id"]} ${row["submission"]} ${row["begun_at"]} ${row["fence"]}`

export class AttemptsBegun {
  readonly #all = new Map<string, BegunAttempt>()
  readonly #isRecorded: (machine: number, attempt: BegunAttempt) => boolean
  /**
   * State of the last acceptance. `lost`: an operator had accepted an older copy, and the store no
   * longer contains the acceptance.
   */
  acceptance: "kept" | "lost" = "kept"
  /** Time of the last restore of the store. */
  #restoredAt = 0
  /** Time at which an opening first recognized the restored store as an older copy. */
  #recognizedAt = 0

  /** `isRecorded`: true if the machine's witness has the attempt, or a later one of its lane. */
  constructor(isRecorded: (machine: number, attempt: BegunAttempt) => boolean) {
    this.#isRecorded = isRecorded
  }

  /** Records that a process committed an attempt. */
  begun(row: Row, document: string, by: SimulatedProcess, at: number): void {
    const key = keyOf(row)
    if (!this.#all.has(key))
      this.#all.set(key, {
        id: Number(row["id"]),
        lane: String(row["lane"]),
        document,
        by,
        at,
        sent: "not yet",
        place: "in the store",
        recordedOn: []
      })
  }

  /** Returns the attempt that a process is about to hand over. */
  latest(document: string, by: SimulatedProcess): BegunAttempt | undefined {
    return [...this.#all.values()].findLast((attempt) => attempt.document === document && attempt.by === by)
  }

  /**
   * Records a restore of the store; `rows` are the attempts in the new contents.
   * `acceptance`: `lost` if the copy is older than the acceptance.
   */
  restored(rows: ReadonlyArray<Row>, now: number, acceptance: "kept" | "lost"): void {
    this.#restoredAt = now
    const present = new Set(rows.map(keyOf))
    for (const [key, attempt] of this.#all) {
      if (present.has(key)) attempt.place = "in the store"
      else if (attempt.place === "in the store" || acceptance === "lost") {
        attempt.place = "lost"
        // later, attempts of the copy have the same ids
        attempt.recordedOn = machines.filter((machine) => this.#isRecorded(machine, attempt))
      }
    }
    this.acceptance = acceptance
  }

  /** Records that an opening has recognized the store as an older copy. */
  recognized(now: number): void {
    if (this.#recognizedAt <= this.#restoredAt) this.#recognizedAt = now
  }

  /** Records that an operator has accepted the copy as the store. */
  acceptLoss(): void {
    for (const attempt of this.#all.values()) if (attempt.place === "lost") attempt.place = "given up"
  }

  get restoredAt(): number {
    return this.#restoredAt
  }

  /** Documents with an attempt that an operator gave up. */
  get givenUp(): ReadonlySet<string> {
    return new Set([...this.#all.values()].flatMap(({ document, place }) => (place === "given up" ? [document] : [])))
  }

  /** Documents with a lost attempt. */
  get lost(): ReadonlySet<string> {
    return new Set(this.#lost.map(({ document }) => document))
  }

  /** True if any attempt is lost. */
  get isAnythingLost(): boolean {
    return this.#lost.length > 0
  }

  /** True if any sent attempt is lost. */
  get isAnythingSentLost(): boolean {
    return this.#lost.some(({ sent }) => sent === "sent")
  }

  /**
   * Returns the source that tells the sender of an attempt that the store has lost other attempts.
   * A store that an opening recognized tells every later opening. A witness file is read when the
   * permission is renewed: `renewedAt` is the sender's last request for the device. A process that
   * died with its attempt has recorded nothing.
   */
  knowledgeOf({ at, by }: BegunAttempt, renewedAt: number): Knowledge {
    // The attempt was committed before the store went back.
    if (at < this.#restoredAt) return "nothing"
    const isRecognized = this.#recognizedAt > this.#restoredAt && renewedAt > this.#recognizedAt + recognizedWithin
    if (isRecognized && this.#lost.length > 0) return "the store"
    if (this.#lost.some((lost) => lost.by === by)) return "its own memory"
    const isRead = renewedAt > this.#restoredAt
    const isKnown = this.#lost.some(({ recordedOn }) => recordedOn.includes(by.machine))
    return isRead && isKnown ? "the witness of its machine" : "nothing"
  }

  get #lost(): ReadonlyArray<BegunAttempt> {
    return [...this.#all.values()].filter(({ place }) => place === "lost")
  }
}
