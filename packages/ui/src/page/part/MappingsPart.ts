import { Finding, Money } from "@fiscal-connector/core/adapter"
import { MappingStep } from "@fiscal-connector/core/host/import"
import type { Session } from "@fiscal-connector/core/session"
import { html, type Html, when } from "../../html/Html.ts"
import { table } from "../../html/Table.ts"
import * as Parts from "../../report/Parts.ts"
import * as Texts from "../../text/Texts.ts"
import type { Checked } from "../../work/PageImport.ts"
import { form } from "./Form.ts"
import type { Frame } from "./Layout.ts"

const texts = Texts.mappings

const meaning = ({ step }: Session.MissingCode, { taxes }: Checked["book"]): string => {
  if (step._tag === "AddCurrency") return texts.currency(step.device)
  const percent = taxes.find(({ code }) => code === step.code)?.percent ?? null
  const rate = percent === null ? Texts.settings.exempt : `${Money.formatPlain(percent)} %`
  const name = step.name === step.code ? rate : step.name.includes(rate) ? step.name : `${rate}, ${step.name}`
  return texts.tax(name, step.device)
}

export const missingCodes = (
  frame: Frame,
  here: string,
  { book, missing: { codes, findings } }: Pick<Checked, "book" | "missing">,
  plan: string
): Html =>
  when(codes.length + findings.length > 0, () =>
    form(
      frame,
      `${here}/register`,
      { plan },
      html`<h2>${codes.length === 0 ? texts.differs : texts.missing(codes.length)}</h2>
        <p>${texts.forEver}</p>
        ${findings.map(Parts.foundText)}
        ${when(
          codes.length > 0,
          () =>
            html`${table(
                texts.missing(codes.length),
                [texts.code, texts.meaning, { text: Texts.page.usedBy, look: "soft nowrap" }],
                codes.map((one) => [
                  html`<code>${one.step.code}</code>`,
                  meaning(one, book),
                  Texts.documents(one.documents)
                ])
              )}
              <footer>
                <button>${texts.register(codes.length)}</button>
                <a class="small" href="${frame.prefix}/book?at=taxes">${texts.changeFirst}</a>
              </footer>`
        )}`,
      "card case"
    )
  )

/** Returns the comparison of all codes. `id`: names the shown plan, null without changes. */
export const comparison = (
  frame: Frame,
  account: string,
  steps: ReadonlyArray<MappingStep.MappingStep>,
  findings: ReadonlyArray<Finding.Finding>,
  id: string | null,
  note: string | null
): Html =>
  form(
    frame,
    `${frame.prefix}/settings/mappings`,
    { plan: id },
    html`<h2>${texts.title(account)}</h2>
      ${when(note, () => html`<p role="status"><strong>${note}</strong></p>`)}
      ${findings.filter(Finding.refuses).map(Parts.foundText)}
      ${
        id === null
          ? html`<p>${findings.some(Finding.refuses) ? texts.forAPerson : texts.nothing}</p>`
          : html`<ul class="plain-list">
                ${steps.map((step) => html`<li>${MappingStep.describe(step)}. <span class="soft">${MappingStep.consequence(step)}</span></li>`)}
              </ul>
              <p>${texts.forEver}</p>
              <button class="quiet">${texts.apply(steps.length)}</button>`
      }`,
    "card"
  )
