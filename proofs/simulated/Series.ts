/**
 * Collects the results of many runs: violated laws with their seeds, and the occasions that
 * occurred.
 */
import type { Run } from "./day/Day.ts"
import { knownViolationOf, type KnownViolation, unexplained } from "./laws/KnownViolations.ts"
import { laws, type Violation } from "./laws/Law.ts"
import { occasions, type Occasion } from "./Sometimes.ts"

interface Found {
  readonly violation: Violation
  readonly known: KnownViolation | undefined
  readonly seeds: Array<number>
}

/** Seeds printed for each violated law. */
const shown = 8

export class Series {
  readonly #found = new Map<string, Found>()
  readonly #occasions = new Map<Occasion, number>()
  #runs = 0
  #failed = 0
  #known = 0
  #steps = 0
  #receipts = 0

  add(run: Run): void {
    const { receipts, scenario, seen, steps, violations } = run
    this.#runs++
    this.#steps += steps
    this.#receipts += receipts
    for (const [occasion, times] of seen) this.#occasions.set(occasion, (this.#occasions.get(occasion) ?? 0) + times)
    if (unexplained(run).length > 0) this.#failed++
    else if (violations.length > 0) this.#known++
    for (const violation of violations) {
      const known = knownViolationOf(run.excuses, violation)
      const key = `${violation.law} ${violation.text} ${known?.because}`
      const found = this.#found.get(key) ?? { violation, known, seeds: [] }
      found.seeds.push(scenario.seed)
      this.#found.set(key, found)
    }
  }

  /** True if a law was violated and no known violation explains it. */
  get failed(): boolean {
    return this.#failed > 0
  }

  /** Occasions that never occurred. */
  get missing(): ReadonlyArray<Occasion> {
    return occasions.filter((occasion) => !this.#occasions.has(occasion))
  }

  /** Formats the results. `seconds`: processor time. */
  print(seconds: number): string {
    const perMinute = Math.round((60 * this.#runs) / seconds)
    const head = `${this.#runs} seeds, ${this.#failed} with violations, ${this.#known} with known violations only; ${perMinute} a minute and core, ${Math.round(this.#steps / this.#runs)} steps and ${(this.#receipts / this.#runs).toFixed(1)} receipts each`
    const found = [...this.#found.values()].toSorted((a, b) => b.seeds.length - a.seeds.length)
    const violations = found.map(({ known, seeds, violation }) => {
      const more = seeds.length > shown ? ", …" : ""
      const note = known === undefined ? "" : ` (known: ${known.because})`
      const { law, text } = violation
      return `${String(seeds.length).padStart(6)}  ${law}: ${text}${note}\n        must hold: ${laws[law]}. Seeds ${seeds.slice(0, shown).join(", ")}${more}`
    })
    const seen = occasions.map((occasion) => `${String(this.#occasions.get(occasion) ?? 0).padStart(6)}  ${occasion}`)
    return [head, ...violations, "Happened:", ...seen].join("\n")
  }
}
