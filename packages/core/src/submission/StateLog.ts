/**
 * One entry per change through Effect's logger, after its commit: lanes that stop and resume,
 * outcomes, conflicts. Annotated with account, lane, kind, id, number and request id. An entry
 * contains no buyer, no amount and no gateway text, which may quote either (docs/run.md#watch).
 */
import { Context, Effect } from "effect"
import type { StoreStop } from "./ledger/StoreStop.ts"
import type { StopCause } from "./Lane.ts"
import type { StoredConflict } from "./Explanation.ts"
import type { Change, State } from "./Submission.ts"

/** `silent` for hosts that show changes in another way. Default `said`. */
export const StateLog: Context.Reference<"said" | "silent"> = Context.Reference(
  "@fiscal-connector/core/submission/StateLog",
  { defaultValue: (): "said" | "silent" => "said" }
)

export interface StateEntry {
  readonly level: "Info" | "Warn"
  readonly message: string
  readonly annotations: Readonly<Record<string, string>>
}

export interface NamedChange extends Pick<Change, "key" | "number" | "lane"> {
  readonly requestId: string | null
}

const kinds = { invoice: "invoice", "credit-note": "credit note" } as const

const annotationsOf = ({ key, lane, number, requestId }: NamedChange) => ({
  account: key.account,
  lane,
  kind: key.kind,
  id: key.id,
  number,
  ...(requestId === null ? {} : { requestId })
})

const nameOf = ({ key, number }: NamedChange) => `${kinds[key.kind]} ${number}`

/** Messages for states worth a log entry. Intermediate states are not logged. */
const becomes: Partial<Record<State, Pick<StateEntry, "level" | "message">>> = {
  Fiscalised: { level: "Info", message: "is fiscalised" },
  Withdrawn: { level: "Info", message: "is withdrawn" },
  Rejected: { level: "Warn", message: "is rejected" },
  Declined: { level: "Warn", message: "is declined" },
  Held: { level: "Warn", message: "is held by its lane" },
  Expired: { level: "Warn", message: "has no outcome any more: the gateway answers for it no longer" },
  Unknown: { level: "Warn", message: "has an unknown outcome: it may have been processed" }
}

export const ofChange = (named: NamedChange, to: State): StateEntry | null => {
  const entry = becomes[to]
  if (entry === undefined) return null
  return {
    level: entry.level,
    message: `${nameOf(named)} ${entry.message}`,
    annotations: { event: `document-${to.toLowerCase()}`, ...annotationsOf(named) }
  }
}

export const ofConflict = (named: NamedChange, code: StoredConflict["code"]): StateEntry => ({
  level: "Warn",
  message: `${nameOf(named)} has a conflict that an operator must settle: ${code}`,
  annotations: { event: "conflict", code, ...annotationsOf(named) }
})

export const ofStop = (lane: string, cause: StopCause): StateEntry => ({
  level: "Warn",
  message: `lane ${lane} is stopped: ${cause}`,
  annotations: { event: "lane-stopped", lane, cause }
})

export const ofRestart = (lane: string): StateEntry => ({
  level: "Info",
  message: `lane ${lane} goes on`,
  annotations: { event: "lane-goes-on", lane }
})

export const ofStoreStop = (is: StoreStop["is"]): StateEntry => ({
  level: "Warn",
  message: `every lane is stopped: store-${is}`,
  annotations: { event: "store-stopped", cause: `store-${is}` }
})

export const ofStoreRestart = (): StateEntry => ({
  level: "Info",
  message: "the store goes on",
  annotations: { event: "store-goes-on" }
})

export const say = (logEntries: ReadonlyArray<StateEntry>): Effect.Effect<void> =>
  logEntries.length === 0
    ? Effect.void
    : Effect.withFiber((fiber) =>
        fiber.getRef(StateLog) === "silent"
          ? Effect.void
          : Effect.forEach(
              logEntries,
              ({ annotations, level, message }) =>
                Effect.annotateLogs(Effect.logWithLevel(level)(message), annotations),
              { discard: true }
            )
      )
