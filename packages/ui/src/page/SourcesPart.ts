import { SourceRuns } from "@fiscal-connector/core/sync"
import type { LiveSourceState } from "@fiscal-connector/core/store"
import { DateTime, Duration } from "effect"
import { html, type Html } from "../html/Html.ts"
import { card, table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/SourceTexts.ts"
import type { LiveSourceSetting } from "../work/Workplace.ts"
import type { Frame } from "./part/Layout.ts"

export interface SourceShown {
  readonly setting: LiveSourceSetting
  readonly state: LiveSourceState.LiveSourceHealth | undefined
}

/** A running worker begins a run at most some seconds late. */
const tolerance = Duration.minutes(2)

const nextOf = ({ setting, state }: SourceShown, now: DateTime.Utc, zone: DateTime.TimeZone): string => {
  const retryAt = state?.stop?.retryAt ?? null
  const at = setting.every === null ? retryAt : DateTime.makeUnsafe(SourceRuns.nextAt(state, setting.every))
  const waits = at !== null && DateTime.isGreaterThan(at, now)
  if (waits && retryAt !== null && DateTime.Equivalence(at, retryAt)) return Texts.notBefore(Parts.moment(at, zone))
  if (at === null || setting.every === null) return Texts.byHand(setting.name)
  return DateTime.isLessThan(DateTime.addDuration(at, tolerance), now) ? Texts.due : Parts.moment(at, zone)
}

const row = (frame: Pick<Frame, "prefix">, shown: SourceShown, now: DateTime.Utc, zone: DateTime.TimeZone): Html => {
  const { setting, state } = shown
  const { counts = null, ranAt = null, refused, stop = null } = state ?? {}
  const isFirst = state !== undefined && ranAt !== null && state.marks.length === 0
  const notes = [
    ...(setting.consent === "plan" ? [Texts.onlyPlans] : isFirst ? [Texts.first] : []),
    ...(refused !== undefined && refused > 0 ? [Texts.refused(refused)] : [])
  ]
  return html`<tr>
    <td>${setting.name}</td>
    <td class="nowrap">${ranAt === null ? Texts.never : Parts.moment(ranAt, zone)}</td>
    <td>
      ${counts === null ? Texts.unknown : Texts.figures(counts)}
      ${notes.map((text) => html`<br /><span class="soft small">${text}</span>`)}
      ${
        stop === null
          ? null
          : html`<div class="note bad">
              <p>${Texts.stopped} ${stop.text}</p>
              <p><a href="${frame.prefix}/health">${Texts.look}</a></p>
            </div>`
      }
    </td>
    <td>${nextOf(shown, now, zone)}</td>
  </tr>`
}

export const sourcesPart = (
  frame: Pick<Frame, "prefix">,
  sources: ReadonlyArray<SourceShown>,
  now: DateTime.Utc,
  zone: DateTime.TimeZone
): Html =>
  card(
    Texts.heading,
    sources.length > 0 &&
      html`<p class="soft">${Texts.about}</p>
        ${table(
          Texts.heading,
          Texts.heads,
          sources.map((shown) => row(frame, shown, now, zone))
        )}`
  )
