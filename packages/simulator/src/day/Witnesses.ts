/** The witness files beside the configurations: one for all machines, or one for each, which then knows only what that machine has sent. */
import { Effect } from "effect"
import { merged, type StoreWitness, type WitnessedStore } from "@fiscal-connector/core/account/StoreWitness"
import type { Report } from "../laws/Law.ts"

export class Witnesses {
  readonly #files = new Map<number, Map<string, WitnessedStore>>()
  readonly #shared: boolean
  readonly #report: Report
  #lowering: "forbidden" | "by an operator" = "forbidden"

  constructor(own: "one for each machine" | "one for all machines", report: Report) {
    this.#shared = own === "one for all machines"
    this.#report = report
  }

  /** Whether two machines read the same file. */
  areShared(machine: number, other: number): boolean {
    return this.#fileOf(machine) === this.#fileOf(other)
  }

  /** The number under which a machine's file is kept. An operator works at machine 0. */
  #fileOf(machine: number): number {
    return this.#shared || machine > 2 ? 0 : machine
  }

  #of(machine: number): Map<string, WitnessedStore> {
    const file = this.#fileOf(machine)
    const found = this.#files.get(file) ?? new Map<string, WitnessedStore>()
    this.#files.set(file, found)
    return found
  }

  /** The machine's file, as a process there reads and writes it. */
  of(machine: number): StoreWitness {
    return {
      read: Effect.sync(() => [...this.#of(machine).values()]),
      write: (told) =>
        Effect.sync(() => {
          const known = this.#of(machine).get(told.id)
          const store = merged(known, told)
          if (this.#lowering === "forbidden" && known !== undefined && known.attempts > store.attempts)
            this.#report("witness", `${known.attempts} attempts were recorded, and then ${store.attempts}`)
          this.#of(machine).set(store.id, store)
          return "written"
        })
    }
  }

  /** One machine of each file. */
  get machines(): ReadonlyArray<number> {
    return this.#shared ? [0] : [0, 1, 2]
  }

  /** Runs what may record less than before: an operator accepts an older copy. */
  lowering<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => {
        this.#lowering = "by an operator"
      }),
      () => effect,
      () =>
        Effect.sync(() => {
          this.#lowering = "forbidden"
        })
    )
  }

  /** How many attempts of a store a machine's file counts. */
  attempts(machine: number, store: string): number {
    return this.#of(machine).get(store)?.attempts ?? 0
  }

  /** Whether any store was ever recorded. */
  get isUsed(): boolean {
    return [...this.#files.values()].some((file) => file.size > 0)
  }
}
