/**
 * Asks for the decision about the document that blocks others, as three answers to one question.
 */
import { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import * as Parts from "../report/Parts.ts"
import * as Words from "../text/Words.ts"
import type { Blocked } from "../work/Blocked.ts"
import { type Frame, tokenOf } from "./part/Layout.ts"
import { documentAddress } from "./SendPages.ts"

const words = Words.blocked

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
  const common = (decision: string, because: string) =>
    html`${tokenOf(frame)}<input type="hidden" name="state" value="${submission.state}" /><input
        type="hidden"
        name="decision"
        value="${decision}"
      /><input type="hidden" name="back" value="${back}" /><label class="field small"
        ><span>${words.because}</span><input type="text" name="because" value="${because}" required autocomplete="off"
      /></label>
      ${when(asks === "live", () => html`<label class="line small"><input type="checkbox" name="live" value="yes" /><span>${Words.living.live}</span></label>`)}`
  const until = from === null ? "" : Parts.clock(DateTime.setZone(from, zone))
  return html`<section class="note waiting" aria-labelledby="blocked">
    <h2 id="blocked">${words.title(number)}</h2>
    <p>${words.behind(behind)} ${when(others > 0, () => html`${words.others(others)}`)}</p>
    <p>${words.look(number, Words.day(sourceDate), Parts.amount(currency, total), buyer ?? "")}</p>
    <div class="choices">
      ${when(
        may("Fiscalised"),
        () =>
          html`<form method="post" action="${address}/decide">
            <h3>${words.there}</h3>
            <p class="small soft">${words.thereText}</p>
            <label class="field small"
              ><span>${words.code}</span><input type="text" name="with.Fiscalised" autocomplete="off"
            /></label>
            ${common("Fiscalised", words.sawIt)}<button class="quiet">${words.record}</button>
          </form>`
      )}
      ${when(
        may("NotProcessed"),
        () =>
          html`<form method="post" action="${address}/decide">
            <h3>${words.notThere}</h3>
            <p class="small soft">${from === null ? words.notThereText : words.notYet(until)}</p>
            ${common("NotProcessed", words.sawNothing)}${
              from === null
                ? html`<button class="quiet">${words.sendAgain}</button>`
                : html`<button class="quiet" disabled data-from="${from.epochMilliseconds}">${words.sendAgain}</button>`
            }
          </form>`
      )}
      <div>
        <h3>${words.later}</h3>
        <p class="small soft">${words.laterText}</p>
        <a class="button quiet" href="${frame.prefix}/health">${words.decideLater}</a>
      </div>
    </div>
  </section>`
}
