import { DateTime } from "effect"
import { Flag, html, type Html, when } from "../html/Html.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import type { Blocked } from "../work/Blocked.ts"
import { box, field, form, latestOf } from "./part/Form.ts"
import type { Frame } from "./part/Layout.ts"
import { why } from "./DocumentPages.ts"
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
  const decide = (decision: string, content: Html, button: Html) =>
    when(may(decision), () =>
      form(
        frame,
        `${address}/decide`,
        { shown: latestOf([submission]), decision, back },
        html`${content} ${field("because", Texts.word.because, "text", "refused", "field small")}
        ${when(asks === "live", () => box("live", "yes", Texts.living.live))} ${button}`
      )
    )
  const until = from === null ? "" : Parts.clock(DateTime.setZone(from, zone))
  return html`<section class="note waiting" aria-labelledby="blocked">
    <h2 id="blocked">${texts.title(number)}</h2>
    <p>
      ${why(submission).replace(/\.?$/, ".")} ${texts.behind(behind)}
      ${when(others > 0, () => html`${texts.others(others)}`)}
    </p>
    <p>${texts.look(number, Texts.day(sourceDate), Parts.amount(currency, total), buyer ?? "")}</p>
    <div class="choices">
      ${decide(
        "Fiscalised",
        html`<h3>${texts.there}</h3>
          <p class="small soft">${texts.thereText}</p>
          ${field("with.Fiscalised", texts.code, "text", "allowed", "field small")}`,
        html`<button class="quiet">${texts.record}</button>`
      )}
      ${decide(
        "NotProcessed",
        html`<h3>${texts.notThere}</h3>
          <p class="small soft">${from === null ? texts.notThereText : texts.notYet(until)}</p>`,
        html`<button class="quiet" ${new Flag("disabled", from !== null)} data-from="${from?.epochMilliseconds ?? 0}">
          ${texts.sendAgain}
        </button>`
      )}
      <div>
        <h3>${texts.later}</h3>
        <p class="small soft">${texts.laterText}</p>
        <a class="button quiet" href="${frame.prefix}/health">${texts.decideLater}</a>
      </div>
    </div>
  </section>`
}
