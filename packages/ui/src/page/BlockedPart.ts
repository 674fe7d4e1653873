import { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import type { Blocked } from "../work/Blocked.ts"
import { type Frame, tokenOf } from "./part/Layout.ts"
import { shownOf } from "./part/ShownTime.ts"
import { documentAddress } from "./SendPages.ts"

const texts = Texts.blocked

/**
 * Returns the part. `back`: import to show after the decision. `asks`: `live` if sending to a live
 * device needs consent.
 */
export const blockedPart = (
  frame: Frame,
  { explanation: { submission }, from, others, permitted }: Blocked,
  behind: number,
  back: number,
  asks: "live" | "nothing",
  zone: DateTime.TimeZone
): Html => {
  const { account, buyer, currency, number, sourceDate, total } = submission
  const address = documentAddress(frame, account, submission) ?? ""
  const may = (decision: string) => permitted.some((one) => one.decision === decision)
  const common = (decision: string) =>
    html`${tokenOf(frame)}${shownOf([submission])}<input type="hidden" name="decision" value="${decision}" /><input
        type="hidden"
        name="back"
        value="${back}"
      /><label class="field small"
        ><span>${Texts.word.because}</span><input type="text" name="because" required autocomplete="off"
      /></label>
      ${when(asks === "live", () => html`<label class="line small"><input type="checkbox" name="live" value="yes" /><span>${Texts.living.live}</span></label>`)}`
  const until = from === null ? "" : Parts.clock(DateTime.setZone(from, zone))
  return html`<section class="note waiting" aria-labelledby="blocked">
    <h2 id="blocked">${texts.title(number)}</h2>
    <p>${texts.behind(behind)} ${when(others > 0, () => html`${texts.others(others)}`)}</p>
    <p>${texts.look(number, Texts.day(sourceDate), Parts.amount(currency, total), buyer ?? "")}</p>
    <div class="choices">
      ${when(
        may("Fiscalised"),
        () =>
          html`<form method="post" action="${address}/decide">
            <h3>${texts.there}</h3>
            <p class="small soft">${texts.thereText}</p>
            <label class="field small"
              ><span>${texts.code}</span><input type="text" name="with.Fiscalised" autocomplete="off"
            /></label>
            ${common("Fiscalised")}<button class="quiet">${texts.record}</button>
          </form>`
      )}
      ${when(
        may("NotProcessed"),
        () =>
          html`<form method="post" action="${address}/decide">
            <h3>${texts.notThere}</h3>
            <p class="small soft">${from === null ? texts.notThereText : texts.notYet(until)}</p>
            ${common("NotProcessed")}${
              from === null
                ? html`<button class="quiet">${texts.sendAgain}</button>`
                : html`<button class="quiet" disabled data-from="${from.epochMilliseconds}">${texts.sendAgain}</button>`
            }
          </form>`
      )}
      <div>
        <h3>${texts.later}</h3>
        <p class="small soft">${texts.laterText}</p>
        <a class="button quiet" href="${frame.prefix}/health">${texts.decideLater}</a>
      </div>
    </div>
  </section>`
}
