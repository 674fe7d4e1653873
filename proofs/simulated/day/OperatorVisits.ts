/**
 * Operator during a day: visits, checks of the decisions' results, and codes read for accounts that
 * were not opened.
 */
import { Duration } from "effect"
import type { AccountStopped } from "../../../packages/core/src/account/StopReason.ts"
import { pinnedDevice } from "../Accounts.ts"
import type { Stated } from "../Books.ts"
import { type Draw, stream } from "../Draw.ts"
import { fixOf } from "../Fixes.ts"
import type { GatewaySide } from "../GatewaySide.ts"
import { untrue } from "../laws/HoldReasons.ts"
import type { Report } from "../laws/Law.ts"
import type { StepLaws } from "../laws/StepLaws.ts"
import type { Program } from "./Machines.ts"
import type { Network } from "../Network.ts"
import { blindly } from "../BlindOperator.ts"
import { type Decided, visiting } from "../Operator.ts"
import type { Submission as Stored } from "../../../packages/core/src/submission/Submission.ts"
import type { Scenario } from "../Scenario.ts"
import type { Simulation } from "../Simulation.ts"
import { note, type Seen } from "../Sometimes.ts"
import type { StoreFile } from "../StoreFile.ts"

/**
 * Maximum number of identical decisions: the operator follows the printed steps at most twice, then
 * they must have worked.
 */
const mostDecisions = 2

/** Troubles with failures that no receipt rule's code proves. */
const ofWords = ["device-off", "failing-words", "coded-numbers", "device-flickers", "nights", "early-words"] as const

export interface OperatorVisitsOptions {
  readonly scenario: Scenario
  readonly simulation: Simulation
  readonly gateway: GatewaySide
  readonly network: Network
  readonly store: StoreFile
  readonly laws: StepLaws
  readonly documents: ReadonlyArray<Stated>
  readonly seen: Seen
  /** Random stream of the operator's mistakes. */
  readonly life: Draw
  readonly isCalm: () => boolean
  /** Returns the time of the account's last import of all documents; 0 before the first. */
  readonly importedAt: (account: string) => number
  readonly report: Report
}

export class OperatorVisits {
  readonly #options: OperatorVisitsOptions
  /** Codes of first uses that an operator has read, by account. */
  readonly #codes = new Map<string, string>()
  /** Number of decisions, by document and printed code. */
  readonly #decisions = new Map<string, number>()

  /** Documents that the operator called not processed, and whose request the gateway had. */
  readonly misstated = new Set<string>()
  /** Documents that the operator corrected. */
  readonly #corrected = new Set<string>()
  /** True after an operator executed a listed action without looking. */
  isBlind = false
  readonly #blindness: Draw
  readonly #oversights: Draw
  readonly #mixups: Draw
  readonly #hurries: Draw
  /** Time at which an opening last refused the store as an older copy. */
  olderAt = 0
  /** Time at which an opening last refused the store because of receipts of another till. */
  sharedAt = 0
  /** Documents whose quiet period the operator overrode. */
  readonly overridden = new Set<string>()

  constructor(options: OperatorVisitsOptions) {
    this.#options = options
    this.#mixups = stream(options.scenario.seed, "mixed-up ids")
    this.#hurries = stream(options.scenario.seed, "overrides")
    this.#oversights = stream(options.scenario.seed, "early words")
    this.#blindness = stream(options.scenario.seed, "blind operator")
  }

  /** Returns the program of one visit. */
  visiting(): Program {
    const { gateway, isCalm, life, network, scenario } = this.#options
    const [mixups, hurries] = [this.#mixups, this.#hurries]
    const { troubles } = scenario
    if (troubles.has("blind-operator") && !isCalm())
      return () => blindly({ draw: this.#blindness, taken: (text) => this.#takenBlindly(text) })
    return () =>
      visiting({
        gateway,
        underWay: (id) => network.underWay.get(id) ?? 0,
        leaves: Duration.minutes(isCalm() ? 0 : 10),
        attends: isCalm() ? "everything" : "unknowns",
        historical: troubles.has("no-upload") ? "refused" : "permitted",
        typos: troubles.has("typos") && !isCalm() ? life : null,
        mixups: troubles.has("wrong-ids") && !isCalm() ? mixups : null,
        hurries: troubles.has("overrides") && !isCalm() ? hurries : null,
        oversights: troubles.has("early-words") && !isCalm() ? this.#oversights : null,
        unproven: ofWords.some((trouble) => troubles.has(trouble)) ? "decided" : "awaited",
        overlooked: ({ id }) => this.misstated.add(id),
        corrects: (submission) => this.#corrects(submission),
        answers: troubles.has("prompt-operator") && !isCalm() ? "at-once" : "when nothing can arrive",
        decided: (decided) => this.#decided(decided)
      })
  }

  #takenBlindly(text: string): void {
    this.isBlind = true
    note(this.#options.seen, "an operator executes a listed action without looking")
    this.#options.simulation.log(`the operator executes ${text}`)
  }

  /** Corrects a document that was refused after the operator had called it not processed. */
  #corrects({ id, kind }: Stored): "corrected" | "unchanged" {
    const { documents, isCalm, simulation } = this.#options
    const stated = documents.find((one) => one.id === id && one.kind === kind)
    if (stated === undefined || isCalm() || !this.misstated.has(id)) return "unchanged"
    if (this.#corrected.has(id)) return "corrected"
    if (stated.corrected <= simulation.now) return "unchanged"
    simulation.log(`the operator corrects ${id}, which was refused`)
    this.#corrected.add(id)
    stated.corrected = simulation.now
    // An invoice that is credited stays large enough.
    stated.correctedAmount = kind === "invoice" ? "110.00" : "30.00"
    return "corrected"
  }

  #decided(decided: Decided): void {
    const { documents, gateway, importedAt, isCalm, laws, network, report, seen, simulation, store } = this.#options
    const { code, decision, result, submission } = decided
    simulation.log(`the operator says ${decision._tag} of ${submission.id}, ${code}: ${result}`)
    this.#noteMistakes(decided)
    if (result === "early") note(seen, "a decision is too early")
    if (result === "overridden") {
      note(seen, "an operator overrides the quiet period")
      this.overridden.add(submission.id)
    }
    laws.decided(decided)
    if (!isCalm()) return
    const reason = untrue(submission, {
      gateway,
      store,
      network,
      ruledOut: (submission) => laws.ruledOut(submission),
      documents,
      importedAt: importedAt(submission.account)
    })
    if (reason !== null) report("hold-reason", reason, submission.id)
    if (result === "refused") report("way-out", `${code}: ${fixOf(code)} is printed, and refused`, submission.id)
    // The time from which the decision will be accepted is printed, so the operator comes back.
    if (result === "early") return
    const key = `${submission.id} ${code}`
    const times = (this.#decisions.get(key) ?? 0) + 1
    this.#decisions.set(key, times)
    if (times > mostDecisions)
      report("way-out", `${code}: ${fixOf(code)} is printed, and changes nothing`, submission.id)
  }

  #noteMistakes({ decision, submission }: Decided): void {
    const { gateway, network, seen } = this.#options
    const { account, id, kind } = submission
    if (decision._tag === "NotProcessed" && (network.underWay.get(id) ?? 0) > 0)
      note(seen, "an operator answers while a request may still arrive")
    if (decision._tag !== "Accepted") return
    const others = gateway.requests.filter(({ document }) => document.id !== id || document.kind !== kind)
    if (others.some((request) => request.account === account && request.requestId === decision.requestId))
      note(seen, "an operator names another document's request id")
  }

  /** Reads the reasons why an account was not opened. */
  stopped(account: string, reasons: AccountStopped["reasons"]): void {
    const { scenario, seen, simulation, store } = this.#options
    for (const reason of reasons) {
      if (reason._tag === "StoreBehind") {
        note(seen, "the device shows an older store")
        // an operator who knows of another till states it
        if (scenario.troubles.has("other-till")) this.sharedAt = simulation.now
        else this.olderAt = simulation.now
      }
      if (reason._tag === "StoreOlder") {
        note(seen, "an older store is noticed")
        this.olderAt = simulation.now
      }
      if (reason._tag !== "FirstUse") continue
      // An operator who reads that another store was used looks for that store.
      if (reason.other !== null) note(seen, "a lost store is noticed")
      // The operator enters the code only if the shown device is the account's own device.
      else if (store.standing === "own" && pinnedDevice(account) === reason.device.deviceId)
        this.#codes.set(account, reason.code)
    }
  }

  /** Returns the code of an account's first use, once read. */
  firstUse(account: string): string | undefined {
    return this.#codes.get(account)
  }
}
