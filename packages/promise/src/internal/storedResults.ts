/** Results in the order of the last change, with a cursor to continue from. */
import { CivilDate } from "@fiscal-connector/core/adapter"
import { type StoreError, type SubmissionQuery, SubmissionStore } from "@fiscal-connector/core/store"
import { DateTime, Effect, Option, Stream } from "effect"
import type { FiscalConnectorError } from "../FiscalConnectorError.ts"
import { failing } from "./errorOf.ts"
import type { StoredResult } from "../Result.ts"
import { ofSubmission } from "./resultOf.ts"

const perPage = 200

/**
 * A cursor: the position of a change, the time of that change in base 36, and the store. A cursor
 * of an earlier version is the position alone.
 */
const pattern = /^(\d{1,15})(?:-([0-9a-z]{6,11})-([0-9a-z]+))?$/

const cursorOf = (
  { at, position }: Pick<SubmissionQuery.ChangedSubmission, "at" | "position">,
  store: string
): string => `${position}-${at.epochMilliseconds.toString(36)}-${store}`

const unknown = (after: string, day: string | undefined) =>
  failing(
    "cursor_unknown",
    `the cursor ${after} is not of this store's history: an older copy of the store was put back, or the cursor is of another store. Read again from ${day === undefined ? `a day before that, such as after: "2026-03-01"` : `its day, after: "${day}"`}; results that you have are repeated`
  )

interface Start {
  readonly position: number
  readonly since?: DateTime.Utc
}

/** Reads `after`: a cursor of this store's history, or a day. */
const startOf = (after: string, store: string, zone: DateTime.TimeZone) =>
  Effect.gen(function* () {
    if (CivilDate.isCivilDate(after)) return { position: 0, since: DateTime.toUtc(CivilDate.at(after, 0, zone)) }
    const [, digits, time, of = store] = pattern.exec(after) ?? []
    if (digits === undefined) {
      const text = `${JSON.stringify(after)} is not a cursor of results, and not a day such as "2026-03-01"`
      return yield* failing("config_invalid", text)
    }
    const position = Number(digits)
    if (position === 0) return { position }
    const at = Option.getOrUndefined(yield* SubmissionStore.SubmissionStore.use(({ changedAt }) => changedAt(position)))
    const stated = time === undefined ? at : DateTime.makeUnsafe(Number.parseInt(time, 36))
    if (at === undefined || of !== store || stated?.epochMilliseconds !== at.epochMilliseconds)
      return yield* unknown(after, stated && CivilDate.inZone(stated, zone))
    return { position }
  }) satisfies Effect.Effect<Start, FiscalConnectorError | StoreError.StoreError, SubmissionStore.SubmissionStore>

/**
 * Reads page by page. The cursor stays at the last position before which no change can appear any
 * more.
 */
export const storedResults = (
  account: string,
  after: string = "0",
  zone: DateTime.TimeZone
): Stream.Stream<StoredResult, FiscalConnectorError | StoreError.StoreError, SubmissionStore.SubmissionStore> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { changed, identity } = yield* SubmissionStore.SubmissionStore
      const store = (yield* identity).id
      const { position: first, since }: Start = yield* startOf(after, store, zone)
      const from = { position: first, cursor: after }
      return Stream.paginate(from, ({ cursor, position }) =>
        Effect.map(
          changed({ accounts: [account], after: position, limit: perPage, ...(since !== undefined && { since }) }),
          (page) => {
            let kept = cursor
            const results = page.map((change): StoredResult => {
              if (change.order === "final") kept = cursorOf(change, store)
              return { ...ofSubmission(change.submission), cursor: kept }
            })
            const last = page.at(-1)
            const isWhole = last !== undefined && page.length === perPage
            return [results, isWhole ? Option.some({ position: last.position, cursor: kept }) : Option.none()]
          }
        )
      )
    })
  )
