/**
 * Witness files beside the configurations: one for all machines, or one per machine with only that
 * machine's attempts.
 */
import { Effect } from "effect"
import { merged, type StoreWitness, type WitnessedStore } from "../../../packages/core/src/account/StoreWitness.ts"
import type { BegunAttempt } from "../laws/AttemptsBegun.ts"
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

  /** Returns true if a machine's file has the attempt of a store, or a later one of its lane. */
  has(machine: number, store: string, attempt: Pick<BegunAttempt, "lane" | "id">): boolean {
    const newest = this.#of(machine).get(store)?.newest ?? []
    return newest.some(({ attempt: id, lane }) => lane === attempt.lane && id >= attempt.id)
  }

  /** Returns the number of the machine whose file is used. The operator works at machine 0. */
  #fileOf(machine: number): number {
    return this.#shared || machine > 2 ? 0 : machine
  }

  #of(machine: number): Map<string, WitnessedStore> {
    const file = this.#fileOf(machine)
    const found = this.#files.get(file) ?? new Map<string, WitnessedStore>()
    this.#files.set(file, found)
    return found
  }

  /** Returns the witness of a machine, for its processes. */
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

  /** Copies all files. Returns an action that puts the copies back. */
  snapshot(): () => void {
    const kept = Array.from(this.#files, ([machine, stores]) => [machine, new Map(stores)] as const)
    return () => {
      this.#files.clear()
      for (const [machine, stores] of kept) this.#files.set(machine, stores)
    }
  }

  /** One machine of each file. */
  get machines(): ReadonlyArray<number> {
    return this.#shared ? [0] : [0, 1, 2]
  }

  /** Runs an effect that may lower the recorded number: an operator accepts an older copy. */
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

  /** Returns the number of attempts that a machine's file has recorded for a store. */
  attempts(machine: number, store: string): number {
    return this.#of(machine).get(store)?.attempts ?? 0
  }

  /** True if any store was ever recorded. */
  get isUsed(): boolean {
    return [...this.#files.values()].some((file) => file.size > 0)
  }
}
