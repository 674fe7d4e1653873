import { Finding, LiveSourceError } from "@fiscal-connector/core/adapter"
import { Sync } from "@fiscal-connector/core/sync"
import { RunReport } from "@fiscal-connector/core/session"
import { DateTime, Duration } from "effect"
import * as Opening from "../../account/Opening.ts"
import * as OpenItems from "../../import/OpenItems.ts"
import type { CallShape } from "../../output/Call.ts"
import { report } from "../../output/FindingReport.ts"
import { printable } from "../../output/Terminal.ts"

const counted = (n: number, what: string): string => `${n} ${what}`

export const figures = ({
  counts: { changed, new: news, read, refused, skipped, unchanged }
}: Sync.SyncReport): string =>
  [
    counted(read, "read"),
    counted(news, "new"),
    counted(changed, "changed"),
    counted(unchanged, "unchanged"),
    counted(refused, "refused"),
    ...Object.entries(skipped).map(([reason, n]) => `${n} skipped: ${reason}`)
  ].join(", ")

const states = ({ states }: Sync.SyncReport): string =>
  Object.entries(states)
    .map(([state, n]) => `${n} ${state}`)
    .join(", ")

const refusedLines = ({ refused, wouldBecomeLate }: Sync.SyncReport, call: CallShape): ReadonlyArray<string> =>
  refused.length === 0
    ? []
    : [
        "Refused, and asked for again until they can be sent:",
        ...refused
          .filter(({ findings }) => findings.length === 0)
          .map(({ document: { codes, id, number } }) =>
            printable(`${number || id}: ${codes.join(", ")}, not read again in this run`)
          ),
        report(
          refused.flatMap(({ document: { id, number }, findings }) =>
            findings.map((finding) => ({ finding, subject: number || id }))
          ),
          call
        ),
        ...(wouldBecomeLate === 0
          ? []
          : [
              `${wouldBecomeLate} of them would be late once the others are sent: late documents are held. Correct them before the next run.`
            ])
      ]

const named = 20

const standing = ({ entries }: Sync.SyncReport) =>
  entries.filter((entry) => entry.status !== "Refused" && RunReport.standingOf(entry) !== "done")

const standingLines = (result: Sync.SyncReport): ReadonlyArray<string> => {
  const left = standing(result)
  const lines = left.slice(0, named).map(({ cancelled, changed, codes, id, number, replaces, status }) => {
    const replacing = replaces === null ? "" : `it replaces ${replaces}`
    const because = changed ?? cancelled ?? (codes.join(" ") || replacing)
    return printable(`  ${number || id} ${status}${because === "" ? "" : `: ${because}`}`)
  })
  const more = left.length > named ? [`  and ${left.length - named} more`] : []
  return left.length === 0 ? [] : ["Open or different from what was sent:", ...lines, ...more]
}

const ending = (result: Sync.SyncReport, call: CallShape): ReadonlyArray<string> => {
  const { goLive, mode, settlement } = result
  const sides = `${goLive.after} dated ${goLive.day} or later, ${goLive.before} before`
  switch (mode) {
    case "first-plan":
      return [
        `The first run is a plan; nothing was sent. Of the documents that were issued, ${sides}.`,
        "If that is right, the same call again sends those from that day on, where `consent` of the source is send."
      ]
    case "plan":
      return [`A plan; nothing was sent (consent of the source is plan). Of the documents that were issued, ${sides}.`]
    case "quiet":
    case "sent": {
      const open = settlement === null ? "" : OpenItems.report(settlement, call, new Set())
      return open === "" ? [] : [open]
    }
  }
}

export const text = (result: Sync.SyncReport, call: CallShape): string =>
  [
    printable(`${result.source}: ${figures(result)}`),
    ...(states(result) === "" ? [] : [`Handed over: ${states(result)}`]),
    ...result.gone.map(({ id, number }) => printable(`Not in the source any more: ${number || id}`)),
    ...refusedLines(result, call),
    ...standingLines(result),
    ...ending(result, call)
  ].join("\n")

export const toJson = (result: Sync.SyncReport) => {
  const { calls, counts, goLive, mode, source, states, tenant } = result
  const keyed = ({ codes, id, kind, number }: Sync.SyncReport["gone"][number]) => ({ kind, id, number, codes })
  return {
    source,
    tenant,
    mode,
    ...counts,
    goLive,
    states,
    refusedDocuments: result.refused.map(({ document, replaces }) => ({ ...keyed(document), replaces })),
    gone: result.gone.map(keyed),
    standing: standing(result).map(({ cancelled, changed, codes, id, kind, number, replaces, since, status }) => ({
      kind,
      id,
      number,
      state: status,
      codes,
      changed,
      cancelled,
      replaces,
      since: since === null ? null : DateTime.formatIso(since)
    })),
    calls,
    exitCode: exitCode(result)
  }
}

/** 3: documents of the source are open. 2: documents need an operator. */
export const exitCode = ({ standings }: Sync.SyncReport): 0 | 2 | 3 => RunReport.exitCode(standings)

export const failure = (error: Sync.SyncError, call: CallShape): string => {
  switch (error._tag) {
    case "LiveSourceError":
      return report([{ finding: LiveSourceError.finding(error), subject: undefined }], call)
    case "AccountStopped":
      return Opening.explain(error, call)
    case "ImportRefused":
      return report(
        [{ finding: Finding.make(Sync.refusalCode(error), { message: error.message }), subject: undefined }],
        call
      )
    default:
      return printable(error.message)
  }
}

/**
 * Returns the earliest time for the next request to the source, in milliseconds since the epoch.
 * Undefined if the source did not state a time.
 */
export const retryAt = (error: Sync.SyncError): number | undefined =>
  error._tag === "LiveSourceError" && error.reason._tag === "Limited" ? error.reason.retryAt : undefined

/** Parses a duration such as `5m`, `90 seconds` or `1 hour`. Returns undefined for other texts. */
export const duration = (given: string): Duration.Duration | undefined => {
  const [, n = "", unit = ""] = /^(\d{1,6})\s*(s|sec|seconds?|m|min|minutes?|h|hours?)$/i.exec(given.trim()) ?? []
  if (n === "") return undefined
  switch (unit[0]!.toLowerCase()) {
    case "s":
      return Duration.seconds(Number(n))
    case "m":
      return Duration.minutes(Number(n))
    default:
      return Duration.hours(Number(n))
  }
}
