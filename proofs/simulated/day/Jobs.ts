/**
 * Programs of the machines, with the configuration at their start: imports of an export, resumes
 * and workers.
 */
import type { Duration } from "effect"
import { type AccountName, accountsOf, device, pinnedDevice, policyOf, secretOf } from "../Accounts.ts"
import { type BookChoice, bookOf, hour, type Stated } from "../Books.ts"
import type { Draw } from "../Draw.ts"
import * as Exports from "../Exports.ts"
import type { GatewaySide } from "../GatewaySide.ts"
import type { Program } from "./Machines.ts"
import { type Account, importing, reconciling, resuming, working } from "../Programs.ts"
import type { Scenario } from "../Scenario.ts"
import type { Simulation } from "../Simulation.ts"
import type { Witnesses } from "./Witnesses.ts"

export interface JobsOptions {
  readonly scenario: Scenario
  readonly simulation: Simulation
  readonly gateway: GatewaySide
  readonly documents: ReadonlyArray<Stated>
  readonly late: BookChoice["late"]
  /** Waiting time of a process while nothing progresses, in seconds. */
  readonly patience: number
  readonly witnesses: Witnesses
  /** Returns the code of an account's first use, once an operator has read the code. */
  readonly firstUse: (account: string) => string | undefined
  readonly opening: Account["opening"]
}

export class Jobs {
  readonly accounts: ReadonlyArray<AccountName>
  /** Reasons for the refusals of imports, by document. */
  readonly refusals = new Map<string, string>()
  readonly #options: JobsOptions
  #book: BookChoice
  #secret = "s1"

  constructor(options: JobsOptions) {
    this.#options = options
    this.accounts = accountsOf(options.scenario)
    this.#book = { late: options.late, taxCode: "VAT155" }
  }

  /**
   * Returns an import. `part` draws the documents in the export, mostly the latest; null for all
   * documents.
   */
  importing(account: AccountName, part: Draw | null, timing: "ordinary" | "historical" = "ordinary"): Program {
    const { documents, patience, scenario, simulation } = this.#options
    return (machine) => {
      const { now } = simulation
      const since = part === null || part.chance(0.4) ? 0 : now - part.between(0.2 * hour, 1.5 * hour)
      const there = documents.filter(
        (one) => one.account === account && one.appears <= now && (one.appears >= since || one.corrected >= since)
      )
      return importing({
        account: this.#account(account, machine),
        others: this.accounts.filter((other) => other !== account).map((other) => this.#account(other, machine)),
        book: bookOf(this.#book),
        readings: Exports.readings(
          Exports.formatOf(scenario, account),
          there.filter(() => part === null || part.chance(0.8)),
          now,
          scenario.seed
        ),
        timing,
        patience,
        refused: (id, because) => {
          if (because === null) this.refusals.delete(id)
          else this.refusals.set(id, because)
        }
      })
    }
  }

  resuming(): Program {
    return (machine) =>
      resuming(
        this.accounts.map((account) => this.#account(account, machine)),
        this.#options.patience
      )
  }

  reconciling(made: Parameters<typeof reconciling>[1]): Program {
    return (machine) => {
      const [first, ...others] = this.accounts.filter((account) => pinnedDevice(account) === device)
      return reconciling(
        [this.#account(first!, machine), ...others.map((account) => this.#account(account, machine))],
        made
      )
    }
  }

  working(time: Duration.Duration): Program {
    return (machine) =>
      working(
        this.accounts.map((account) => this.#account(account, machine)),
        time
      )
  }

  #account(account: AccountName, machine: number): Account {
    const { firstUse, opening, scenario, witnesses } = this.#options
    return {
      account,
      secret: secretOf(account, this.#secret),
      zone: bookOf(this.#book).zone,
      witness: witnesses.of(machine),
      policy: policyOf(scenario),
      firstUse: firstUse(account),
      opening
    }
  }

  /** Returns an account's secrets in the configuration, the current secret first. */
  secrets(account: string): ReadonlyArray<string> {
    return [...new Set([this.#secret, "s1"])].map((generation) => secretOf(account, generation))
  }

  rotateSecret(): void {
    const { gateway, simulation } = this.#options
    simulation.log("the secret is exchanged")
    this.#secret = "s2"
    for (const account of this.accounts)
      gateway.on(({ control }) => control.changeAccount({ account, secret: secretOf(account, "s2") }))
  }

  editBook(): void {
    this.#book = { late: this.#book.late === "hold" ? "restamp" : "hold", taxCode: "STD155" }
    this.#options.simulation.log(`the mapping book is edited: late is ${this.#book.late}, and the tax is STD155`)
  }
}
