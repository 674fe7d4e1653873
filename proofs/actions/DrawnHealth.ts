/**
 * Draws the health of a store from a seed: every code of attention, in each state, of one to three
 * accounts on one to three devices.
 */
import { DateTime } from "effect"
import { AccountFinding } from "../../packages/core/src/account/AccountFinding.ts"
import { texts } from "../../packages/core/src/attention/AttentionCode.ts"
import { DocumentNumber, RequestId } from "../../packages/core/src/document/Identifiers.ts"
import { facts } from "../../packages/core/src/submission/ledger/AcceptedUnknown.ts"
import { NotTakenFinding } from "../../packages/core/src/submission/KeptImport.ts"
import * as StoredValues from "../../packages/core/src/store/rows/StoredValues.ts"
import { decided } from "../../packages/core/src/submission/PlannedDocument.ts"
import type { DecisionFacts } from "../../packages/core/src/submission/PermittedDecision.ts"
import type { DecidableDocument, Health, LaneHealth } from "../../packages/core/src/submission/Health.ts"
import { stuck } from "../../packages/core/src/submission/Submission.ts"
import type { Random } from "../Random.ts"

const at = DateTime.makeUnsafe("2026-03-12T12:00:00Z")
const keys = <K extends string>(record: Readonly<Record<K, unknown>>) =>
  Object.keys(record) as unknown as ReadonlyArray<K>

const causes = ["RCPT026", "DEV07", "", "SUB01", "der Beleg fehlt"]
const states = ["Planned", "Sending", "Accepted", "Unknown"] as const

export const drawn = (random: Random): Health => {
  const { between, chance, pick } = random
  const since = () => DateTime.subtract(at, { minutes: pick([1, 20, 90, 1500, 9000]) })
  const some = <A>(probability: number, one: () => A): ReadonlyArray<A> =>
    chance(probability) ? random.times(1, 3, one) : []
  const accounts = ["main", "Kasse & Söhne", 'till "2"'].slice(0, between(1, 3))
  const owners = accounts.map(() => between(1, accounts.length))
  const lanes = [...new Set(owners)].map((device): LaneHealth => {
    const stop = chance(0.4)
      ? { cause: pick(StoredValues.stopCauses), text: "the <device> says so", retryAt: chance(0.5) ? at : null }
      : null
    return {
      lane: `${pick(["test", "live"])}/${device}`,
      accounts: accounts.filter((_, i) => owners[i] === device),
      unworkedAfterSeconds: 900,
      stop,
      stops: stop === null ? 0 : 1,
      stoppedAt: stop === null ? null : since(),
      holder: null,
      leasedUntil: chance(0.2) ? DateTime.add(at, { minutes: 1 }) : null,
      device: "known",
      counts: { Planned: 2, Accepted: 3 },
      oldest: Object.fromEntries(states.flatMap((state) => (chance(0.3) ? [[state, since()]] : []))),
      standing: chance(0.3) ? [pick(causes)] : []
    } as unknown as LaneHealth
  })
  const account = () => pick(accounts)
  const laneOf = (name: string) => lanes.find((one) => one.accounts.includes(name))!.lane
  const document = (name: string, more: Partial<DecisionFacts>): DecidableDocument => {
    const kind = pick(["invoice", "credit-note"] as const)
    const number = DocumentNumber.make(`${pick(["INV", "ΑΒ/", "Nº "])}${between(1, 99)}`)
    const facts: DecisionFacts = {
      state: "Held",
      hold: null,
      nature: null,
      cause: "",
      requestId: pick(["answered", "on-trust"]),
      receipt: pick(["stated", "claimed", "not-stated"]),
      conflicts: [],
      attempts: pick(["none", "open", "receipt"]),
      requests: [],
      account: pick(["awaited", "not-awaited"]),
      other: pick(["known", "missing", "not-related"]),
      texts: pick(["kept", "forgotten"]),
      preparedFor: null,
      ...more
    }
    return { key: { account: name, kind, id: number }, number, facts } as unknown as DecidableDocument
  }
  const first = (count: number, one: () => DecidableDocument) => Array.from({ length: Math.min(count, 5) }, one)
  const stuckOne = () => {
    const [name, state, count] = [account(), pick(stuck), pick([1, 2, 7])]
    const cause = state === "Held" ? pick(keys(decided)) : null
    const nature = state === "Rejected" ? pick(["correctable", "final"] as const) : null
    const failure =
      state === "Rejected" || state === "Declined"
        ? pick([null, { cause: pick(causes), nature: nature ?? ("correctable" as const) }])
        : null
    const hold = cause === null ? null : { cause, text: "so" }
    const facts = { state, hold, nature, cause: failure?.cause ?? "" }
    return {
      account: name,
      lane: laneOf(name),
      state,
      cause,
      failure,
      count,
      alike: cause === "duplicate" ? between(0, count) : 0,
      since: since(),
      first: first(count, () => document(name, facts))
    }
  }
  const conflict = () => {
    const [name, code, count] = [account(), pick(StoredValues.conflicts), pick([1, 2, 6])]
    const cause =
      code === "PROOF_MISSING"
        ? pick(["missing", "unreadable"] as const)
        : code === "SOURCE_CANCELLED"
          ? pick(["no-receipt" as const, null])
          : null
    const state = cause === "no-receipt" ? "Held" : pick(["Fiscalised", "Accepted", "Withdrawn"] as const)
    const facts = { state: code === "PROOF_MISSING" ? "Fiscalised" : state, conflicts: [code] } as const
    const of = () => document(name, facts)
    return { account: name, lane: laneOf(name), code, cause, count, since: since(), first: first(count, of) }
  }
  const unproven = () => {
    const name = account()
    const error = pick(["RCPT026: no", "DEV07: off", "ein <Fehler>"])
    const failure = { error, nature: pick(["correctable", "final"] as const), mask: error, precedent: "none" as const }
    const control = pick(["told-apart", "same", "not-answered"] as const)
    const requests = [{ id: RequestId.make("r-1"), failures: [{ ...failure, control }] }]
    return {
      ...document(name, { state: "Accepted", requests }),
      lane: laneOf(name),
      mask: error,
      correction: pick(["waits", "none"] as const),
      failure: {
        ...failure,
        control,
        requestId: RequestId.make("r-1"),
        firstAt: since(),
        lastAt: at,
        personFrom: pick([null, since()]),
        timeFrom: null
      }
    }
  }
  const notice = () => {
    const isOpening = chance(0.5)
    const days = keys(texts).filter((code) => code.startsWith("DAY_") || code === "RECEIPT_NOT_OURS")
    return {
      code: isOpening ? pick([...keys(AccountFinding), "OF_A_LATER_VERSION"]) : pick(days),
      detail: isOpening ? "" : String(between(1, 400)),
      text: "the <gateway> says so",
      source: isOpening ? ("opening" as const) : pick(["days", "counters"] as const),
      subject: isOpening ? account() : pick(lanes).lane,
      since: since(),
      seenAt: at,
      acknowledgedAt: chance(0.1) ? at : null
    }
  }
  const opened = () => ({ id: between(1, 99), account: account(), since: since() })
  const source = () => ({
    source: pick(["books", "buch & co"]),
    tenant: "one",
    account: account(),
    goLive: "2026-01-01",
    quietAfter: 3_600_000,
    plannedAt: at,
    ranAt: since(),
    foundAt: since(),
    sweptAt: at,
    stop: pick([
      null,
      { code: pick(["SOURCE_LOGIN_ENDED", "SOURCE_DOWN"]), text: "no", retryAt: pick([null, at]), since: since() }
    ]),
    loginEnds: pick([null, DateTime.add(at, { days: 3 })]),
    counts: null,
    marks: [],
    taken: 20,
    refused: 0
  })
  return {
    at,
    counts: { Planned: 2, Held: 1 },
    lanes,
    secondsToHorizon: pick([null, 300_000, 7200, -5]),
    stuck: some(0.6, stuckOne),
    conflicts: some(0.4, conflict),
    notices: some(0.5, notice),
    unmatched: pick([0, 0, 3]),
    imports: {
      waiting: some(0.2, () => ({ ...opened(), documents: 4 })),
      incomplete: some(0.2, opened),
      unfinished: some(0.2, opened),
      unaccepted: some(0.2, opened)
    },
    unanswered: some(0.2, () => {
      const { key, number } = document(account(), {})
      const by = pick(["gateway", "operator"] as const)
      const requestId = RequestId.make("r-2")
      return { key, number, lane: laneOf(key.account), requestId, by, since: since(), looks: between(0, 3) }
    }),
    unproven: some(0.3, unproven),
    acceptedUnknowns: some(0.2, () => ({
      account: account(),
      fact: pick(facts),
      because: "seen",
      at: at.epochMilliseconds
    })),
    liveSources: some(0.3, source),
    refused: some(0.2, () => ({
      account: account(),
      cause: pick([...keys(NotTakenFinding), "TOTAL_DIFFERS"]),
      count: between(1, 9),
      since: since(),
      fiscalised: between(0, 2),
      first: ["R-1"]
    })),
    unwritten: pick([null, null, { since: since(), text: "the disk is full" }])
  } as unknown as Health
}
