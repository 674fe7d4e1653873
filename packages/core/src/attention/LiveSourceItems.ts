import { DateTime, Duration } from "effect"
import type { LiveSourceHealth } from "../submission/LiveSourceState.ts"
import { type Action, settles, shows } from "./Action.ts"
import type { AttentionCode } from "./AttentionCode.ts"

export interface LiveSourceItem {
  readonly code: Extract<AttentionCode, `SOURCE_${string}`>
  readonly since: DateTime.Utc
  readonly account: string
  readonly cause: string
  readonly documents: number
  readonly text: string
  readonly plain: string
  readonly until?: string
  readonly actions: ReadonlyArray<Action>
}

/** Runs happen every few minutes, or once a night. */
const longestPause = Duration.hours(25)

/** A login lasts for weeks. An operator who has to log in again needs some days' notice. */
const notice = Duration.days(7)

/** Fewer documents do not show a habit that a silence could break. */
const habit = 5

const isOlder = (at: DateTime.Utc, than: Duration.Duration, now: DateTime.Utc): boolean =>
  Duration.isGreaterThan(DateTime.distance(at, now), than)

const dayOf = (at: DateTime.Utc) => DateTime.formatIso(at).slice(0, 16).replace("T", " ")

export const of = (source: LiveSourceHealth, now: DateTime.Utc): ReadonlyArray<LiveSourceItem> => {
  const { account, foundAt, loginEnds, quietAfter, ranAt, source: name, stop, taken } = source
  const common = { account, cause: name, documents: 0 }
  const again = settles({ do: "sync", source: name })
  const forget = settles({ do: "forget-source", source: name })
  const items: Array<LiveSourceItem> = []
  if (stop !== null) {
    const text = `nothing is read of the source ${name}: ${stop.text}`
    const plain = `nothing is read of the source ${name} (${stop.code})`
    const until = stop.retryAt === null ? {} : { until: `The source may be asked again at ${dayOf(stop.retryAt)} UTC.` }
    const login = stop.code === "SOURCE_LOGIN_ENDED" ? [settles({ do: "source-login", source: name })] : []
    // a source that was taken out of the configuration, or renamed, is stopped for ever
    const ended = isOlder(stop.since, longestPause, now) ? [forget] : []
    const actions = [shows({ do: "why", code: stop.code }), ...login, again, ...ended]
    items.push({
      ...common,
      ...until,
      code: "SOURCE_STOPPED",
      cause: stop.code,
      since: stop.since,
      text,
      plain,
      actions
    })
  } else if (ranAt !== null && isOlder(ranAt, longestPause, now)) {
    const text = `the source ${name} was read last on ${dayOf(ranAt)} UTC`
    items.push({ ...common, code: "SOURCE_NOT_READ", since: ranAt, text, plain: text, actions: [again, forget] })
  }
  if (foundAt !== null && taken >= habit && isOlder(foundAt, Duration.millis(quietAfter), now)) {
    const text = `the source ${name} has had nothing new since ${dayOf(foundAt)} UTC`
    items.push({ ...common, code: "SOURCE_SILENT", since: foundAt, text, plain: text, actions: [again] })
  }
  if (loginEnds !== null && stop?.code !== "SOURCE_LOGIN_ENDED" && !isOlder(now, notice, loginEnds) && ranAt !== null) {
    const text = `the login of the source ${name} ends on ${dayOf(loginEnds)} UTC unless a run uses it before`
    items.push({ ...common, code: "SOURCE_LOGIN_ENDS", since: ranAt, text, plain: text, actions: [again] })
  }
  return items
}
