/**
 * Compares each numbered assumption with what an account has seen of its gateway. A setting that
 * would fit is only named.
 */
import type { AssumptionId } from "../gateway/assumption/Assumptions.ts"
import type { AssumptionSwitches } from "../gateway/contract/AssumptionSwitches.ts"
import type { StatusItem } from "../gateway/operation/Status.ts"
import type { GatewaySeen } from "../submission/ledger/GatewaySeen.ts"

export interface GatewayObservation {
  /** Null if the store has nothing of the account, or cannot be read. */
  readonly seen: GatewaySeen | null
  /** Answer for a request id that no request has. Null if the gateway did not answer. */
  readonly control: ReadonlyArray<StatusItem> | null
  readonly switches: AssumptionSwitches
}

export interface SeenAssumption {
  readonly id: AssumptionId
  /** `no-evidence`: nothing that is stored could show it. */
  readonly is: "agrees" | "contradicts" | "not-seen" | "no-evidence"
  readonly saw: string
  /** Switch that would fit, as in the configuration. Null if no switch does. */
  readonly setting: string | null
}

type Sight = Omit<SeenAssumption, "id">
type SightOf = (seen: GatewaySeen, observed: GatewayObservation) => Sight

const notSeen: Sight = { is: "not-seen", saw: "", setting: null }
const agrees = (saw: string): Sight => ({ is: "agrees", saw, setting: null })
const contradicts = (saw: string, setting: string | null = null): Sight => ({ is: "contradicts", saw, setting })

const judged = (seen: number, against: number, saw: string, setting: string | null = null): Sight =>
  seen === 0 ? notSeen : against > 0 ? contradicts(saw, setting) : agrees(saw)

const seconds = (millis: number): string => `${Math.round(millis / 100) / 10} s`

const slow = 60_000

const looks = {
  "HOOK-1": ({ delivered: { all } }) => judged(all, 0, `${all} outcomes were read from deliveries`),
  "HOOK-2": ({ receipts: { all, sharedNumber, sharedProof, withoutProof } }) =>
    judged(
      all,
      withoutProof + sharedProof + sharedNumber,
      `of ${all} receipts, ${withoutProof} have no code and no QR link, ${sharedProof} share a code, ${sharedNumber} share a receipt number of one day`
    ),
  "HOOK-3": ({ delivered: { all } }) => judged(all, 0, `${all} outcomes came in deliveries with a valid signature`),
  "HOOK-7": ({ delivered: { early } }) =>
    judged(early, 0, `${early} outcomes arrived before the answer to their submission`),
  "STAT-1": ({ pending }) => judged(pending, 0, `${pending} requests were reported as pending`),
  "STAT-2": ({ failures: { all, final } }) =>
    judged(all, 0, `of ${all} failures, ${final} were reported as not actionable`),
  "STAT-3": ({ failures: { all, coded } }) => judged(all, 0, `of ${all} failures, ${coded} name a code`),
  "STAT-4": ({ receipts: { pdfPaths, pdfs } }) => judged(pdfs, pdfPaths, `of ${pdfs} PDF names, ${pdfPaths} are paths`),
  "STAT-6": ({ requestIds: { all, quoted } }) =>
    judged(all, quoted, `of ${all} request ids, ${quoted} have quotes`, '"STAT-6": "unquoted"'),
  "STAT-7": ({ toOutcome }) => {
    if (toOutcome === null) return notSeen
    const { longestMillis, medianMillis } = toOutcome
    const saw = `half of the outcomes came within ${seconds(medianMillis)}, all within ${seconds(longestMillis)}`
    return medianMillis > slow ? contradicts(saw, `"STAT-7": ${Math.round(medianMillis / 1000)}`) : agrees(saw)
  },
  "STAT-8": ({ requestIds: { all, withoutDigit } }) =>
    judged(all, withoutDigit, `of ${all} request ids, ${withoutDigit} have no digit`, '"STAT-8": "any"'),
  "STAT-9": ({ failures: { all, thenSuccess } }, { control }) => {
    const [item] = control ?? []
    const unknown =
      control === null
        ? "an unknown request id was not answered"
        : item === undefined
          ? "an unknown request id is left out"
          : `an unknown request id is answered as ${item._tag}${item._tag === "Rejected" ? ` (${item.error})` : ""}`
    const { settled, text } = thenSuccess
    const saw = `${unknown}; of ${all} failures, ${text} texts and ${settled} settled ones were followed by a success of the same request`
    if (settled > 0) return contradicts(saw, '"STAT-9": "never"')
    return control === null && all === 0 ? notSeen : agrees(saw)
  },
  "STAT-10": ({ failures: { coded, thenSuccess } }) =>
    judged(
      coded,
      thenSuccess.coded,
      `of ${coded} failures with a code, ${thenSuccess.coded} were followed by a success of the same request`
    ),
  "DOC-10": ({ retries: { all, sameId, twoReceipts } }, { switches }) => {
    const saw = `of ${all} retries, ${sameId} were answered with the request id of an earlier attempt; ${twoReceipts} documents have two receipts`
    if (switches["DOC-10"] === "deduplicates" && twoReceipts > 0) return contradicts(saw, '"DOC-10": "unknown"')
    return judged(all + twoReceipts, 0, saw)
  },
  "ORD-1": ({ receipts: { all, outOfOrder } }, { switches }) =>
    judged(
      all < 2 ? 0 : all,
      switches["ORD-1"] === "outcome" ? 0 : outOfOrder,
      `of ${all} receipts in the order of acceptance, ${outOfOrder} have a lower number than the one before`,
      '"ORD-1": "outcome"'
    ),
  "LIM-1": ({ afterRefusal, refused }) =>
    judged(
      refused.length,
      afterRefusal,
      `answers that count as not processed: ${refused.map(({ count, status }) => `${count} × ${status}`).join(", ")}; ${afterRefusal} outcomes of no known request arrived within 15 minutes after one`,
      '"LIM-1": "unknown"'
    )
} satisfies Partial<Record<AssumptionId, SightOf>>

// nothing that is stored shows these; a new assumption must be in one of the two lists
const noEvidence: Readonly<Record<Exclude<AssumptionId, keyof typeof looks>, true>> = {
  "AUTH-1": true,
  "AUTH-2": true,
  "AUTH-3": true,
  "AUTH-4": true,
  "AUTH-5": true,
  "AUTH-6": true,
  "AUTH-7": true,
  "AUTH-8": true,
  "STAT-11": true,
  "DOC-1": true,
  "DOC-2": true,
  "DOC-3": true,
  "DOC-4": true,
  "DOC-5": true,
  "DOC-6": true,
  "DOC-7": true,
  "DOC-8": true,
  "DOC-9": true,
  "DOC-10b": true,
  "DOC-11": true,
  "DOC-12": true,
  "DOC-13": true,
  "DOC-14": true,
  "DOC-15": true,
  "DOC-16": true,
  "DOC-17": true,
  "DOC-18": true,
  "DOC-19": true,
  "DOC-20": true,
  "HIST-1": true,
  "SUB-1": true,
  "SUB-1b": true,
  "SHAPE-1": true,
  "OP-1": true,
  "OP-2": true,
  "OP-3": true,
  "OP-4": true,
  "OP-5": true,
  "OP-6": true,
  "OP-7": true,
  "OP-8": true,
  "OP-9": true,
  "NUM-1": true,
  "NUM-2": true,
  "TIME-1": true,
  "ZREP-1": true,
  "ZREP-2": true,
  "STAT-5": true,
  "HOOK-4": true,
  "HOOK-5": true,
  "HOOK-6": true
}

const hasLook = (id: AssumptionId): id is keyof typeof looks => !(id in noEvidence)

export const of = (ids: ReadonlyArray<AssumptionId>, observed: GatewayObservation): ReadonlyArray<SeenAssumption> =>
  ids.map((id) => {
    if (!hasLook(id)) return { id, is: "no-evidence", saw: "", setting: null }
    const look: SightOf = looks[id]
    return { id, ...(observed.seen === null ? notSeen : look(observed.seen, observed)) }
  })
