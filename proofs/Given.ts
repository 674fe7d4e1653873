/** Seed and amount of work that `pnpm proofs` passes to a proof. */
import { proofs, type Proof, type ProofName } from "./Proofs.ts"

export interface Given {
  /** First seed. */
  readonly seed: number
  readonly count: number
  /** All seeds of the run. */
  readonly seeds: ReadonlyArray<number>
  /**
   * Extent of the run. `part` if the run has fewer units than the sample, to repeat one seed:
   * shares of outcomes are meaningless then.
   */
  readonly extent: "part" | "sample" | "full"
  /** Arguments after `--`, for a proof that starts a program. */
  readonly rest: ReadonlyArray<string>
}

/** Environment variables between the runner and the tests. */
export const variables = { seed: "PROOF_SEED", count: "PROOF_COUNT", size: "PROOF_SIZE", rest: "PROOF_ARGUMENTS" }

export const given = (name: ProofName): Given => {
  const { full, sample }: Proof = proofs[name]
  const size = process.env[variables.size] === "full" ? full : sample
  const count = Number(process.env[variables.count] ?? size)
  const seed = Number(process.env[variables.seed] ?? 1)
  return {
    seed,
    count,
    seeds: Array.from({ length: count }, (_, n) => seed + n),
    extent: count >= full ? "full" : count >= sample ? "sample" : "part",
    rest: JSON.parse(process.env[variables.rest] ?? "[]") as ReadonlyArray<string>
  }
}
