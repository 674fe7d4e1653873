/** Groups the actions of an item, and finds the amounts of its documents. Hosts show both alike. */
import { Effect, Stream } from "effect"
import type { Step, StepSelection } from "../finding/Step.ts"
import type { Decision } from "../submission/Decision.ts"
import { causeOf, hasCode } from "../submission/ledger/LaneFailures.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { type Submission, stuck } from "../submission/Submission.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as Action from "./Action.ts"
import type { AttentionItem } from "./Attention.ts"

/** Decision about all documents of a selection. */
export interface SharedDecision {
  readonly of: StepSelection
  readonly decision: Decision["_tag"]
}

/** Returns the decision of a step about all documents of a selection. Null for other steps. */
export const decisionOf = (step: Step): SharedDecision | null => {
  const decision = Action.decisionOf(step)
  return decision !== null && "of" in step && typeof step.of === "object" ? { of: step.of, decision } : null
}

/** Returns the items that offer decisions about exactly this selection, once for each decision. */
export const offering = (
  items: ReadonlyArray<AttentionItem>,
  { account, cause, conflict, state, text }: StepSelection & { readonly account?: string | undefined }
): ReadonlyArray<{ readonly item: AttentionItem; readonly decision: Decision["_tag"] }> => {
  const keyOf = ({ cause, conflict, state, text }: StepSelection) => JSON.stringify([state, cause, conflict, text])
  const key = keyOf({ cause, conflict, state, text } as StepSelection)
  return items
    .filter((item) => item.account === (account ?? null))
    .flatMap((item) =>
      item.actions.flatMap(({ step }) => {
        const one = decisionOf(step)
        return one !== null && keyOf(one.of) === key ? [{ item, decision: one.decision }] : []
      })
    )
}

const weakSteps: ReadonlySet<Step["do"]> = new Set(["dismiss", "acknowledge-day", "explain", "resolve", "withdraw"])

/** Actions of an item. `weak`: ways out beside a better one. */
export interface GroupedActions {
  /**
   * Action that is known to be right: it sends what has no receipt, and neither a correction nor
   * another decision comes before it.
   */
  readonly known: Action.Action | undefined
  readonly strong: ReadonlyArray<Action.Action>
  readonly weak: ReadonlyArray<Action.Action>
}

/**
 * Groups the actions of an item. The decisions about one cause are one action: its page has them
 * all, and lists the documents.
 */
export const actionsOf = ({ actions, code }: AttentionItem): GroupedActions => {
  const first = actions.find(({ effect, step }) => effect === "settles" || step.do === "import-again")
  const isSending = first?.step.do === "resolve" && first.step.as === "resend" && code === "FAILED_AT_GATEWAY"
  const known = first?.step.do === "resume" || isSending ? first : undefined
  const [decides, ...more] = actions.filter(({ step }) => decisionOf(step) !== null)
  const shown = actions.filter((one) => !more.includes(one) && (decides === undefined || one.step.do !== "list"))
  const isWeak = (one: Action.Action) => weakSteps.has(one.step.do) && one !== shown[0] && one !== known
  return { known, strong: shown.filter((one) => !isWeak(one)), weak: shown.filter(isWeak) }
}

type ItemKey = Pick<AttentionItem, "account" | "cause" | "code" | "lane">

const keyOf = ({ account, cause, code, lane }: ItemKey): string => JSON.stringify([account, lane, code, cause])

/** Returns the item that lists a document in need of a decision. */
const itemOf = ({ account, hold, lane, rejection, requestId, state }: Submission): ItemKey => {
  const own = { account, lane, cause: null }
  if (state === "Held") return { ...own, code: "HELD", cause: hold?.cause ?? null }
  if (state === "Unknown" || state === "Expired") return { ...own, code: state === "Unknown" ? "UNKNOWN" : "EXPIRED" }
  const error = rejection?.error ?? ""
  return { ...own, code: "FAILED_AT_GATEWAY", cause: hasCode(error) ? causeOf(error, requestId) : state }
}

/** Figures to sum up: a document, or a number of documents whose amounts are not known. */
export type ItemFigures =
  | Pick<Submission, "kind" | "currency" | "total">
  | { readonly kind: null; readonly currency: null; readonly total: null; readonly documents: number }

/** Documents that are read. The amounts of others are not known. */
const most = 10_000

/**
 * Returns the figures of each item. They are stated only if all documents of the item are known:
 * those that need a decision, or those that the item names.
 */
export const figures = (
  items: ReadonlyArray<AttentionItem>
): Effect.Effect<ReadonlyMap<AttentionItem, ReadonlyArray<ItemFigures>>, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const found = yield* Stream.runCollect(Stream.take(store.stream({ states: stuck, limit: 500 }), most))
    const stated = Map.groupBy(found, (one) => keyOf(itemOf(one)))
    const pairs = yield* Effect.forEach(items, (item) =>
      Effect.gen(function* () {
        const { actions, code, documents } = item
        const keys = actions.flatMap(({ document }) => (document === null ? [] : [document.key]))
        const own = stated.get(keyOf(item)) ?? (yield* store.getMany(keys))
        const isKnown = code !== "IMPORT_REFUSED" && own.length === documents
        const unknown = { kind: null, currency: null, total: null, documents }
        return [item, isKnown ? own : [unknown]] as const
      })
    )
    return new Map(pairs)
  })
