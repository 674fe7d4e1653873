/** Settings of the account as forms instead of a file: the same settings as the command's. */
import { formatPlain } from "@fiscal-connector/core/document/Money"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import type { MappingBook, Policies } from "@fiscal-connector/core/mapping/MappingBook"
import { DateTime } from "effect"
import { Flag, html, type Html, when } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import type { BookHistory } from "../work/BookHistory.ts"
import { wasField } from "./BookPage.ts"
import { type Frame, tokenOf } from "./part/Layout.ts"
import { zoneOptions } from "./part/ZoneOptions.ts"

const texts = Texts.settings

/**
 * A setting with a single value, by its path in the book: its choices, or a text with a hint on
 * usable values.
 */
interface Setting {
  readonly path: readonly [string, ...ReadonlyArray<string>]
  readonly label: string
  readonly help: string
  readonly choices: ReadonlyArray<readonly [value: string, text: string]> | null
  readonly of: (book: MappingBook) => string
}

const text = (
  name: "cashBuyer" | "productCode" | "creditReason" | "payment",
  { help, label }: { readonly help: string; readonly label: string },
  choices: Setting["choices"] = null
): Setting => ({ path: ["defaults", name], label, help, choices, of: ({ defaults }) => defaults[name] ?? "" })

const policy = (name: keyof Policies): Setting => ({
  path: ["policies", name],
  label: texts.policies[name].label,
  help: "",
  choices: Object.entries(texts.policies[name].choices),
  of: ({ policies }) => policies[name]
})

/** Settings of the form, by section. */
export const sections: ReadonlyArray<{ readonly title: string; readonly settings: ReadonlyArray<Setting> }> = [
  {
    title: texts.business,
    settings: [
      {
        path: ["zone"],
        label: texts.zone,
        help: texts.zoneHelp,
        choices: [],
        of: ({ zone }) => DateTime.zoneToString(zone)
      }
    ]
  },
  {
    title: texts.late,
    settings: [
      {
        path: ["late"],
        label: texts.lateLabel,
        help: texts.lateHelp,
        choices: Object.entries(texts.lateChoices),
        of: ({ late }) => late
      }
    ]
  },
  {
    title: texts.missing,
    settings: [
      text("cashBuyer", texts.cashBuyer),
      text("productCode", texts.productCode),
      text("payment", texts.payment, [["", texts.nothing], ...texts.payments]),
      text("creditReason", texts.creditReason)
    ]
  },
  {
    title: texts.unclear,
    settings: [
      ...(Object.keys(texts.policies) as ReadonlyArray<keyof Policies>).map(policy),
      {
        path: ["rounding"],
        label: texts.rounding,
        help: "",
        choices: Object.entries(texts.roundings),
        of: ({ rounding }) => rounding
      }
    ]
  }
]

/** Returns the form name of a setting. */
export const nameOf = ({ path }: Pick<Setting, "path">): string => `set.${path.join(".")}`

const field = (setting: Setting, book: MappingBook): Html => {
  const { choices, help, label, path } = setting
  const value = setting.of(book)
  const control =
    path[0] === "zone"
      ? html`<select name="${nameOf(setting)}">
          ${zoneOptions(value)}
        </select>`
      : choices === null
        ? html`<input type="text" name="${nameOf(setting)}" value="${value}" autocomplete="off" />`
        : html`<select name="${nameOf(setting)}">
            ${choices.map(([choice, text]) => html`<option value="${choice}" ${new Flag("selected", choice === value)}>${text}</option>`)}
          </select>`
  return html`<label class="field"
    ><span>${label}</span>${control}${when(help !== "", () => html`<span class="soft small"> ${help}</span>`)}</label
  >`
}

const forget = (frame: Frame, list: string, spelling: string): Html =>
  html`<form method="post" action="${frame.prefix}/settings/forget">
    ${tokenOf(frame)}<input type="hidden" name="list" value="${list}" /><input
      type="hidden"
      name="spelling"
      value="${spelling}"
    /><button class="link" aria-label="${`${texts.forget} ${spelling}`}">${texts.forget}</button>
  </form>`

interface SpelledRow {
  readonly from: ReadonlyArray<string>
  readonly meaning: string
  readonly more: string
}

const spellings = (frame: Frame, title: string, list: string, rows: ReadonlyArray<SpelledRow>): Html =>
  when(
    rows.length > 0,
    () =>
      html`<section class="card">
        <h2>${title}</h2>
        ${table(
          title,
          [texts.spelling, texts.meaning, texts.since, texts.change],
          rows.flatMap(({ from, meaning, more }) =>
            (from.length === 0 ? [null] : from).map(
              (spelling) =>
                html`<tr>
                  <td>
                    <strong>${spelling === null ? texts.codeOnly : spelling === "" ? texts.blank : spelling}</strong>
                  </td>
                  <td>${meaning}</td>
                  <td>${more}</td>
                  <td>${spelling === null ? null : forget(frame, list, spelling)}</td>
                </tr>`
            )
          )
        )}
      </section>`
  )

const lists = (frame: Frame, { currencies, payments, taxes }: MappingBook): Html =>
  html`${spellings(
    frame,
    texts.taxes,
    "taxes",
    taxes.map(({ code, device, from, name, percent, since, until }) => ({
      from,
      meaning: `${percent === null ? texts.exempt : `${formatPlain(percent)} %`}, ${texts.tax(device)}, ${code}${name === code ? "" : ` (${name})`}`,
      more: [since, until === undefined ? undefined : `${texts.until} ${until}`]
        .filter((part) => part !== undefined)
        .join(" ")
    }))
  )}
  ${spellings(
    frame,
    texts.currencies,
    "currencies",
    currencies.map(({ code, from }) => ({ from, meaning: code, more: "" }))
  )}
  ${spellings(
    frame,
    texts.paymentsTitle,
    "payments",
    payments.map(({ from, method }) => ({ from, meaning: method, more: "" }))
  )}`

/** Returns the items of the book by their name in the file, with the product code of each. */
export const itemsOf = (productCodes: MappingBook["productCodes"]): ReadonlyArray<readonly [string, string]> =>
  productCodes.flatMap(({ descriptions, productCode }) => descriptions.map((item) => [item, productCode] as const))

const codeField = (name: string, label: string, code: string): Html =>
  html`<input
    type="text"
    name="${name}"
    value="${code}"
    aria-label="${label}"
    inputmode="numeric"
    autocomplete="off"
  />`

/**
 * Product codes of items as a form, with a row for a further item. Spellings of codes are changed
 * in the file. `stored`: the text of the file, whose change the form detects.
 */
const items = (frame: Frame, { productCodes }: MappingBook, stored: string): Html =>
  html`<form method="post" action="${frame.prefix}/settings/items">
    ${tokenOf(frame)} ${wasField(stored)}
    <section class="card">
      <h2>${texts.productCodes}</h2>
      <p class="soft">${texts.itemsHelp}</p>
      ${table(
        texts.productCodes,
        [texts.item, texts.code],
        [
          ...productCodes.flatMap(({ from, productCode }) =>
            from.map(
              (spelling) =>
                html`<tr>
                  <td>${texts.spelledCode(spelling)}</td>
                  <td><code>${productCode}</code></td>
                </tr>`
            )
          ),
          ...itemsOf(productCodes).map(
            ([item, code], at) =>
              html`<tr>
                <td>${item}</td>
                <td>${codeField(`code.${at}`, `${texts.code}: ${item}`, code)}</td>
              </tr>`
          ),
          html`<tr>
            <td><input type="text" name="item" value="" aria-label="${texts.newItem}" autocomplete="off" /></td>
            <td>${codeField("code", texts.newCode, "")}</td>
          </tr>`
        ]
      )}
      <div class="actions"><button class="quiet">${texts.saveItems}</button></div>
    </section>
  </form>`

const historyPart = (frame: Frame, history: BookHistory, zone: DateTime.TimeZone): Html => {
  const all = history.all().toReversed()
  return html`<section class="card">
    <h2>${texts.history}</h2>
    ${
      all.length === 0
        ? html`<p class="soft">${texts.noHistory}</p>`
        : table(
            texts.history,
            [texts.when, texts.what, texts.change],
            all.map(
              ({ at, id, texts: changes }, index) =>
                html`<tr>
                  <td class="nowrap">${Parts.clock(DateTime.setZone(at, zone))}</td>
                  <td>${changes.join("; ")}</td>
                  <td>
                    ${when(
                      index === 0,
                      () =>
                        html`<form method="post" action="${frame.prefix}/settings/undo">
                          ${tokenOf(frame)}<input type="hidden" name="change" value="${id}" /><button class="link">
                            ${Texts.heldBack.takeBack}
                          </button>
                        </form>`
                    )}
                  </td>
                </tr>`
            )
          )
    }
  </section>`
}

/** Returns the links that compare the settings with the gateway. */
export const compareLinks = (frame: Frame, accounts: ReadonlyArray<string>): Html =>
  html`<p class="links">
    ${accounts.map((name) => html`<a href="${`${frame.prefix}/book?compare=${encodeURIComponent(name)}`}">${Texts.mappings.compare(name)}</a>`)}
  </p>`

/** A usable book, with the text of its file. */
export interface StoredBook {
  readonly book: MappingBook
  readonly text: string
}

/** Returns the page. `stored`: null without a usable book; the file can be corrected below. */
export const settingsPage = (
  frame: Frame,
  stored: StoredBook | null,
  history: BookHistory,
  problems: ReadonlyArray<Finding>,
  note: { readonly text: string; readonly tone: "good" | "waiting" } | null,
  compared: Html,
  file: Html
): Html =>
  html`<h1>${texts.title}</h1>
    <p class="soft">${texts.about}</p>
    ${when(note, () => html`<div class="note ${note?.tone ?? "good"}" role="status"><p>${note?.text}</p></div>`)}
    ${when(
      problems.length > 0,
      () =>
        html`<div class="note bad" role="alert">
          <p><strong>${Texts.book.problems}</strong></p>
          <ul class="plain-list">
            ${problems.map(({ at, fix, message }) => html`<li>${at?.line === undefined ? "" : Texts.book.line(at.line, at.column ?? 1)}${message}. ${fix}</li>`)}
          </ul>
        </div>`
    )}
    ${
      stored === null
        ? html`<p class="soft">${texts.none}</p>`
        : html`<form method="post" action="${frame.prefix}/settings">
              ${tokenOf(frame)} ${wasField(stored.text)}
              ${sections.map(
                ({ settings, title }) =>
                  html`<section class="card">
                    <h2>${title}</h2>
                    ${settings.map((setting) => field(setting, stored.book))}
                  </section>`
              )}
              <div class="actions"><button>${texts.save}</button></div>
            </form>
            ${lists(frame, stored.book)} ${compared} ${items(frame, stored.book, stored.text)}
            ${historyPart(frame, history, stored.book.zone)}`
    }
    ${file}`
