/**
 * Simulated operator who settles open documents truthfully: the outcome is read from the gateway's
 * own record, as in its portal.
 */
import type { AcceptedDocument } from "@fiscal-connector/sandbox/control/AcceptedDocument"
import { Effect, Option } from "effect"
import type { Random } from "../Random.ts"
import { type ChaosWorld, count } from "./ChaosWorld.ts"
import * as Processes from "./Processes.ts"
import * as Restores from "./Restores.ts"
import * as StoreView from "./StoreView.ts"

export interface Operator {
  /** Decisions about each document with the command's answers, by `account kind id`. */
  readonly decided: Map<string, Array<string>>
  /**
   * Settles up to `most` of the documents that have waited `patience` milliseconds. Returns the
   * number of settled documents.
   */
  readonly settle: (most: number, patience: number) => Effect.Effect<number>
}

export const keyOf = ({ account, id, kind }: Pick<StoreView.Row, "account" | "kind" | "id">): string =>
  `${account} ${kind} ${id}`

type Arguments = ReadonlyArray<string>

const unknown = (
  row: StoreView.Row,
  truth: AcceptedDocument | undefined,
  verification: string | undefined,
  random: Random
): Arguments => {
  // The request without an answer is the one whose id the store does not have.
  const unanswered = truth?.requestIds.filter((id) => !row.requestIds.includes(id)) ?? []
  const last = unanswered.at(-1)
  if (last === undefined) return ["--not-processed"]
  if (truth?.state === "fiscalised" && truth.requestIds.at(-1) === last && random.chance(0.3)) {
    return ["--fiscalised", ...(verification === undefined ? [] : ["--verification", verification])]
  }
  return ["--accepted", last]
}

/** Causes of holds after which the operator looks in the portal first. */
const afterLook: ReadonlySet<string> = new Set(["operator", "before-start", "older-copy", "rejection-unconfirmed"])

/** Returns the arguments of the printed action; null if no action is needed. */
const argumentsFor = (
  row: StoreView.Row,
  all: ReadonlyMap<string, StoreView.Row>,
  truth: AcceptedDocument | undefined,
  verification: string | undefined,
  random: Random
): Arguments | null => {
  switch (row.state) {
    case "Unknown":
      return unknown(row, truth, verification, random)
    // the device was off, and the failure proves nothing until an operator has looked
    case "Accepted":
      return truth?.state === "failed" && truth.receipts === 0 ? ["--resend"] : null
    case "Declined":
      return ["--resend"]
    case "Rejected":
      return row.rejection?.nature === "correctable" ? ["--resend"] : null
    case "Held": {
      if (row.hold === "contradicted") {
        if (truth?.state === "pending") return null
        return truth?.receipts === 1 ? ["--fiscalised"] : ["--not-processed"]
      }
      if (row.hold === "outdated") return ["withdraw"]
      // An operator accepted an older copy: the newer store may have sent the document.
      if (afterLook.has(row.hold ?? "") && truth?.receipts === 1) {
        return ["--fiscalised", ...(verification === undefined ? [] : ["--verification", verification])]
      }
      if (afterLook.has(row.hold ?? "") && truth?.state === "pending") return null
      if (row.hold !== "original") return ["--resend"]
      const original = all.get(`${row.account} invoice ${row.original}`)
      const isOver =
        original === undefined ||
        original.state === "Withdrawn" ||
        (original.state === "Rejected" && original.rejection?.nature === "final")
      return isOver ? ["withdraw"] : original.state === "Fiscalised" ? ["--resend"] : null
    }
    default:
      return null
  }
}

/** States the other till, if its receipts stopped the store. No other device has a till. */
const stateTill = (world: ChaosWorld) =>
  Effect.gen(function* () {
    for (const lane of Option.getOrElse(yield* StoreView.behind(world), () => [])) {
      if (!lane.endsWith("/1001"))
        world.violations.push(`${lane} was stopped as behind without a receipt of another till`)
      const where = ["--config", world.config, "--account", lane.endsWith("/1001") ? "main" : "solo"]
      const { code } = yield* Processes.run(world, [
        "device",
        "others",
        ...where,
        "--because",
        "the till at the counter"
      ])
      count(world, `operator device others${code === 0 ? "" : " refused"}`)
    }
  })

/**
 * Accepts the true store, if it stopped as older: documents were sent through the copy that was in
 * its place, and no store has all attempts.
 */
const acceptSplit = (world: ChaosWorld) =>
  Effect.gen(function* () {
    const lanes = Option.getOrElse(yield* StoreView.lanes(world), () => [])
    if (!lanes.some(({ stopCause }) => stopCause === "store-older")) return
    const { code } = yield* Restores.acceptOnce(world)
    count(world, `true store that lacks attempts of a copy ${code === 0 ? "accepted" : "not accepted"}`)
  })

/** Arguments after which a document, or its replacement, can be sent again. */
const freeing: ReadonlySet<string> = new Set(["--not-processed", "--resend", "withdraw"])

export const make = (world: ChaosWorld, random: Random): Operator => {
  const decided = new Map<string, Array<string>>()
  const decide = (row: StoreView.Row, args: Arguments) =>
    Effect.gen(function* () {
      const isHeld = world.held().some((body) => body.includes(`"${row.id}"`))
      // A held request is not visible in the portal, so the answer is the current truth. Otherwise
      // this operator knows that no request is under way. The gateway may retry a failed request.
      const isEarly = isHeld || row.state === "Accepted"
      const because = [...(isEarly ? [] : ["--although-recent"]), "--because", "looked up in the portal"]
      const where = ["--config", world.config, "--account", row.account]
      const command =
        args[0] === "withdraw"
          ? ["withdraw", row.id, ...where, ...because]
          : ["resolve", row.id, ...where, ...args, ...because]
      const { code, err, out } = yield* Processes.run(world, command)
      if (isHeld && freeing.has(args[0]!)) {
        count(world, `decision while a request was held: ${code === 0 ? "TAKEN" : "refused"}`)
        if (code === 0)
          world.violations.push(`${keyOf(row)} DOUBLE to come: ${args[0]} was taken while a request was held`)
      }
      const text = `${row.state}${row.hold === null ? "" : ` (${row.hold})`} ${args[0]}: ${code === 0 ? out.trim() : err.trim()}`
      decided.set(keyOf(row), [...(decided.get(keyOf(row)) ?? []), text])
      count(world, `operator ${args[0]}${code === 0 ? "" : " refused"}`)
      return code === 0 ? ("settled" as const) : ("refused" as const)
    })
  const settle = (most: number, patience: number) =>
    Effect.gen(function* () {
      // No decision is made about a store other than the true one.
      if (world.standing === "older") return 0
      yield* stateTill(world)
      yield* acceptSplit(world)
      const rows = Option.getOrElse(yield* StoreView.rows(world), () => [])
      const all = new Map(rows.map((row) => [keyOf(row), row]))
      const now = Date.now()
      /** Looks in the portal, before each decision: a request may have arrived meanwhile. */
      const looked = (row: StoreView.Row) =>
        Effect.gen(function* () {
          if (row.conflicts > 0) return ["--acknowledged"]
          const own = keyOf(row)
          const truth = (yield* world.sandbox.control.accepted).find((one) => keyOf(one) === own)
          const codes = (yield* world.sandbox.control.receipts).flatMap(({ account, documentId, kind, qrData }) =>
            keyOf({ account, kind, id: documentId }) === own ? [qrData.VerificationCode] : []
          )
          return argumentsFor(row, all, truth, codes.at(-1), random)
        })
      // A lane waits for Unknown documents, so these come first.
      const due = rows
        .filter(({ since }) => now - since >= patience)
        .toSorted((a, b) => Number(b.state === "Unknown") - Number(a.state === "Unknown"))
      const open = yield* Effect.filter(due, (row) => Effect.map(looked(row), (args) => args !== null))
      const done = yield* Effect.forEach(
        open.slice(0, most),
        (row) =>
          Effect.flatMap(looked(row), (args) =>
            args === null ? Effect.succeed("refused" as const) : decide(row, args)
          ),
        { concurrency: 2 }
      )
      return done.filter((answer) => answer === "settled").length
    })
  return { decided, settle }
}
