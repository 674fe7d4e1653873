/** Codes and currencies of the export that the mapping book does not know, each with what the device has for it. */
import type { UnmappedCode } from "@fiscal-connector/core/unstable/preflight/Unmapped"
import * as BookChoice from "@fiscal-connector/core/unstable/preflight/BookChoice"
import { Flag, html, type Html } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Words from "../text/Words.ts"
import type { Checked, PageImport } from "../work/PageImport.ts"
import { discardForm } from "./AskPages.ts"
import { type Frame, steps, tokenOf } from "./part/Layout.ts"

const words = Words.page

/** The codes with their choices, in the order in which the form has them. */
export const choicesOf = ({ book, device, mapped, summary }: Checked) =>
  summary.unmapped.codes.map((code) => ({ code, choices: BookChoice.of(code, book, device, mapped) }))

/** What the file states speaks for this one alone: it is shown as chosen, and the button says so. */
const onlyFitting = (choices: ReadonlyArray<BookChoice.BookChoice>): string | null => {
  const fitting = choices.filter(({ standing }) => standing === "fits")
  return fitting.length === 1 ? (fitting[0]?.id ?? null) : null
}

const usedBy = ({ documents, examples }: UnmappedCode): string =>
  `${Words.documents(documents)}: ${examples.join(", ")}${documents > examples.length ? ", …" : ""}`

const spelled = ({ account, percents, product, spelling, what }: UnmappedCode): Html => {
  const limits = [...(account === undefined ? [] : [account]), ...(product === undefined ? [] : [product])].join(", ")
  return html`<strong>${spelling === "" ? "«»" : spelling}</strong>
    <span class="soft"
      >(${words.whats[what] ?? what}${percents.length === 0 ? "" : `, ${percents.join(" % or ")} %`}${limits === "" ? "" : `, ${limits}`})</span
    >`
}

export const codesPage = (frame: Frame, one: PageImport, checked: Checked): Html =>
  html`${steps(2)}
    <h1>${words.codesTitle}</h1>
    <p>${words.codesText}</p>
    <form class="card" method="post" action="${frame.prefix}/imports/${one.id}/codes">
      ${tokenOf(frame)}
      ${table(
        words.codesTitle,
        [words.spelling, words.usedBy, words.meaning],
        choicesOf(checked).map(
          ({ choices, code }, at) =>
            html`<tr>
              <td>${spelled(code)}</td>
              <td>${usedBy(code)}</td>
              <td>
                ${
                  choices.length === 0
                    ? html`<span class="soft">${words.noChoice}</span>`
                    : html`<select name="${`code.${at}`}" aria-label="${`${words.meaning} ${code.spelling}`}">
                        <option value="">${words.leaveOut}</option>
                        ${choices.map(
                          ({ id, standing, words: said }) =>
                            html`<option value="${id}" ${new Flag("selected", id === onlyFitting(choices))}>
                              ${said}${standing === "fits" ? ` · ${words.fits}` : ""}
                            </option>`
                        )}
                      </select>`
                }
              </td>
            </tr>`
        )
      )}
      <div class="actions"><button>${words.useThese}</button></div>
    </form>
    ${discardForm(frame, one)}`
