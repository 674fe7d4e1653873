/**
 * Mutations of the engine, the ledger, the permission and the dates: each is one plausible mistake.
 */
import type { Trouble } from "../simulated/Scenario.ts"
import { accountMutants } from "./AccountMutants.ts"
import { creditMutants } from "./CreditMutants.ts"
import { evidenceMutants } from "./EvidenceMutants.ts"
import { givenMutants } from "./GivenMutants.ts"

export interface Mutant {
  readonly name: string
  /** Path below packages/. */
  readonly file: string
  /** Replacements; each text must occur exactly once in the file. */
  readonly edits: ReadonlyArray<readonly [find: string, replace: string]>
  /**
   * Second guard against the same mistake, in another file: the mistake is harmless while either
   * guard exists.
   */
  readonly second?: Pick<Mutant, "file" | "edits">
  /** Troubles in every seed: the occasion of the mistake, so that no seed has to draw it. */
  readonly also?: ReadonlyArray<Trouble>
  /** Troubles to exclude. */
  readonly without?: ReadonlyArray<Trouble>
  /** First seed to try. Default 1. */
  readonly from?: number
  /** Test that finds the mistake, in place of a seed: its file, from core/test/, and its name. */
  readonly test?: readonly [file: string, name: string]
}

/** Returns every file that a mutant changes. */
export const changesOf = (mutant: Mutant): ReadonlyArray<Pick<Mutant, "file" | "edits" | "name">> =>
  mutant.second === undefined ? [mutant] : [mutant, { ...mutant.second, name: mutant.name }]

/** Returns the source with the mistake. Throws if a text does not occur exactly once. */
export const planted = (source: string, { edits, name }: Pick<Mutant, "edits" | "name">): string =>
  edits.reduce((text, [find, replace]) => {
    if (text.split(find).length !== 2) throw new Error(`${name}: its text does not stand exactly once: ${find}`)
    return text.replace(find, () => replace)
  }, source)

const store = "core/src/store"

export const mutants: ReadonlyArray<Mutant> = [
  {
    name: "an Unknown does not hold its lane",
    file: `${store}/lanes/QueueHead.ts`,
    edits: [["b.state in ('Sending', 'Unknown')) as under_way", "b.state in ('Sending')) as under_way"]]
  },
  {
    name: "an older fence may begin",
    file: `${store}/lanes/QueueHead.ts`,
    also: ["stalls"],
    edits: [[" and l.fence = ${fence} ${dialect.forUpdate}", " and ${fence} > 0 ${dialect.forUpdate}"]]
  },
  {
    name: "every holder is presumed dead",
    file: "core/src/sending/LaneRun.ts",
    also: ["slow-before"],
    edits: [["!(yield* terms.holder.presumedDead(workerOf(claimed.holder)))", "claimed.holder === holder"]]
  },
  {
    name: "what nobody knows counts as not processed",
    file: "core/src/submission/AttemptResult.ts",
    edits: [
      [
        "if (!isCertainlyNotProcessed(reason)) return unknown",
        'if (!isCertainlyNotProcessed(reason)) return notProcessed("not-sent")'
      ]
    ]
  },
  {
    name: "a lost connection was never handed over",
    file: "core/src/gateway/exchange/Exchange.ts",
    edits: [['transmission.stage === "waiting"', 'transmission.stage !== "untracked"']]
  },
  {
    name: "the engine knows no mark",
    file: "core/src/dating/AttemptDate.ts",
    edits: [["if (at <= Math.max(mark, closed))", "if (at <= closed)"]]
  },
  {
    name: "the second of the mark is free",
    file: "core/src/dating/AttemptDate.ts",
    edits: [["Math.max(now, mark + 1, secondOf(close) + 1)", "Math.max(now, mark, secondOf(close) + 1)"]]
  },
  {
    name: "an attempt that was answered has never reached the device",
    file: `${store}/rows/SettledSql.ts`,
    edits: [
      [
        "a.possibly_processed = 1 and not ${isRuledOut}",
        "a.possibly_processed = 1 and not ${isRuledOut} and a.result is null"
      ]
    ]
  },
  {
    name: "the engine knows no close",
    file: "core/src/dating/AttemptDate.ts",
    also: ["closes", "back-dated"],
    edits: [["const lastClose = secondOf(head.close)", "const lastClose = secondOf(null)"]]
  },
  {
    name: "the last close is not recorded",
    file: "core/src/account/DayNotices.ts",
    also: ["closes"],
    edits: [["if (Option.isSome(lastClose)) yield*", 'if (Option.isSome(lastClose) && lane === "") yield*']]
  },
  {
    name: "a permission is good for ever",
    file: "core/src/account/OpenAccount.ts",
    also: ["device-off", "patience"],
    edits: [["Patience.permission.is", "Duration.days(10)"]]
  },
  {
    name: "a permission is given for a device that is off",
    file: "core/src/account/OpenAccount.ts",
    also: ["device-off"],
    edits: [
      [
        "...DeviceReadiness.check(facts.device, facts.subscription, facts.assumptions)",
        "...DeviceReadiness.check({ ...facts.device, isSwitchedOn: true }, facts.subscription, facts.assumptions)"
      ]
    ]
  },
  {
    name: "a permission is given for another device",
    file: `${store}/lanes/Lanes.ts`,
    also: ["device-swap"],
    edits: [
      ["if (row.lane !== lane", "if (row.lane === null"],
      ["return row.serial === null ||", "return row.lane !== null ||"]
    ]
  },
  {
    name: "a permission is given whatever the clock says",
    file: "core/src/account/OpenAccount.ts",
    also: ["clock-jumps"],
    edits: [["Math.abs(clock.aheadMillis) <= Duration.toMillis(allowed)", "Math.abs(clock.aheadMillis) >= 0"]]
  },
  {
    name: "a credit note does not wait for its original",
    file: `${store}/lanes/CreditTurn.ts`,
    edits: [['case "Unknown":\n      return waiting', 'case "Unknown":\n      return null']]
  },
  {
    name: "what may have gone before a close is held as historical",
    file: "core/src/dating/AttemptDate.ts",
    also: ["closes-after-loss", "deduplicates", "lost-before"],
    without: ["no-upload", "exclusive"],
    edits: [['cause === "historical" && earlier', 'cause !== "historical" && cause !== "late" && earlier']]
  },
  {
    name: "the count of attempts is kept at the end of a run alone",
    file: "core/src/account/OpenAccount.ts",
    edits: [["Math.abs(now - inside.witnessedAt) < Duration.toMillis(Patience.betweenRecords.is)", "now > 0"]]
  },
  {
    name: "a person's not processed rules nothing out",
    file: `${store}/evidence/Decisions.ts`,
    also: ["lost-before", "closes"],
    edits: [["set ruled_out = 1\n", "set ruled_out = 0\n"]]
  },
  {
    name: "a new credit note takes what an earlier one took",
    file: "core/src/import/CreditNotes.ts",
    edits: [["id === note.id ? [id] : yield* sql`select 1 from crediting where note = ${id}`", "[id, sql]"]]
  },
  {
    name: "who stood still sends all the same",
    file: "core/src/sending/LaneRun.ts",
    also: ["stalls-before-sending"],
    edits: [["const by = handOverBy(run, asked)", "const by = { ...handOverBy(run, asked), within: 1e15 }"]]
  },
  {
    name: "a delivery is believed whoever signed it",
    file: "core/src/sending/WebhookReceiver.ts",
    also: ["webhooks", "forgeries"],
    edits: [["if (!isSigned(delivery)) {", "if (!isSigned(delivery) && delivery.body.length === 0) {"]]
  },
  {
    name: "an older copy of the store is not noticed",
    file: "core/src/account/OpenAccount.ts",
    also: ["restored"],
    edits: [
      [
        "const recorded = witnessed.find(({ id }) => id === identity.id)",
        'const recorded = witnessed.find(({ id }) => id === identity.id && id === "")'
      ]
    ]
  },
  {
    name: "nobody is asked about the first use of a live device",
    file: "core/src/account/OpenAccount.ts",
    also: ["live", "lost-store"],
    edits: [
      [
        "if (!isKnown && firstUse?.toUpperCase() !== code) {",
        'if (!isKnown && firstUse?.toUpperCase() !== code && code === "") {'
      ]
    ]
  },
  {
    name: "a document is freed while its last request may arrive",
    file: `${store}/lanes/Quiet.ts`,
    also: ["held-requests", "prompt-operator"],
    without: ["overrides"],
    edits: [["const counts = `a.hurried_at is null and", "const counts = `1 = 2 and a.hurried_at is null and"]]
  },
  {
    name: "a process sends through a store without its newest attempt",
    file: `${store}/lanes/WentBack.ts`,
    also: ["restored", "running-restore", "workers"],
    without: ["counter-jumps", "restored-again"],
    edits: [["lane.newest_token === newest.token", "lane.newest_token !== newest.lane"]]
  },
  {
    name: "an older copy may be put in place again after it was accepted",
    file: "core/src/submission/ledger/NewestAttempt.ts",
    also: ["restored", "restored-again"],
    edits: [['if (before !== now) return before < now ? "later" : "lost"', 'if (before !== now) return "later"']]
  },
  {
    name: "an operator's request id may be another document's",
    file: `${store}/evidence/Decisions.ts`,
    also: ["wrong-ids", "lost-before"],
    edits: [["(found) => found.length > 0", "(found) => found.length > 1e6"]],
    second: {
      file: `${store}/evidence/Finish.ts`,
      edits: [["if (number(row!.foreign_ids) > 0) {", "if (row === undefined) {"]]
    }
  },
  {
    name: "the number of a withdrawn document that may have been sent is free",
    file: `${store}/lanes/FreeNumber.ts`,
    also: ["corrections", "lost-after"],
    edits: [["where a.submission = ${seq} and", "where a.submission = ${seq} and 1 = 2 and"]]
  },
  {
    name: "every failure in /status is a result",
    file: "core/src/submission/ledger/Settled.ts",
    also: ["unknown-ids", "pends"],
    edits: [['if (control === "same") return null\n  if (code', 'if (source === "poll") return "any"\n  if (code']]
  },
  ...(
    [
      ["what is held", "Held", ["back-dated"]],
      ["what is Unknown", "Unknown", ["lost-before"]],
      ["what the gateway no longer answers for", "Expired", ["horizon"]],
      ["what was rejected", "Rejected", ["rejects"]]
    ] as const
  ).map(([what, state, also]): Mutant => ({
    name: `attention lacks ${what}`,
    file: "core/src/attention/Attention.ts",
    also,
    edits: [["(one) => one.lane === lane.lane)", `(one) => one.lane === lane.lane && one.state !== "${state}")`]]
  })),
  {
    name: "attention lacks contradictions",
    file: "core/src/attention/Attention.ts",
    also: ["corrections"],
    edits: [["...health.conflicts.map(conflict)", "...health.conflicts.slice(1e6).map(conflict)"]]
  },
  {
    name: "attention lacks a lane that is stopped",
    file: "core/src/attention/Attention.ts",
    also: ["device-off"],
    edits: [["if (stop === null || (isStore", "if (stop !== undefined || (isStore"]]
  },
  {
    name: "attention lacks an account that cannot send",
    file: "core/src/attention/Attention.ts",
    also: ["live"],
    edits: [["isOver(notice, health) ||", 'notice.source === "opening" ||']]
  },
  {
    name: "attention lacks what no process works",
    file: "core/src/attention/Attention.ts",
    also: ["crashes"],
    edits: [["age > unworkedAfter", "age > 1e15"]]
  },
  {
    name: "attention keeps a fiscal day that was acknowledged",
    file: "core/src/attention/Attention.ts",
    also: ["closes", "other-till"],
    edits: [["notice.acknowledgedAt !== null || ", ""]]
  },
  {
    name: "attention lists a decision that is refused",
    file: "core/src/attention/Attention.ts",
    also: ["working-words", "same-words"],
    edits: [["refusalTogether(facts, decision, by)) === null", "refusalTogether(facts, decision, by)) !== undefined"]]
  },
  {
    // shorter than ten minutes, so that the law `device` does not find it
    name: "an opening gives a permission for a device that is off for a moment",
    file: "core/src/account/OpenAccount.ts",
    also: ["device-flickers"],
    without: ["device-off", "nights"],
    from: 3,
    edits: [
      [
        "...DeviceReadiness.check(facts.device, facts.subscription, facts.assumptions)",
        "...DeviceReadiness.check({ ...facts.device, isSwitchedOn: true }, facts.subscription, facts.assumptions)"
      ]
    ]
  },
  ...accountMutants,
  ...creditMutants,
  ...evidenceMutants,
  ...givenMutants
]
