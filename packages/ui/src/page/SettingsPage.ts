import { type Finding, Money, PaymentMethod } from "@fiscal-connector/core/adapter"
import type { CodesInUse } from "@fiscal-connector/core/host/account"
import { PolicyQuestions, type RememberedAnswers } from "@fiscal-connector/core/host/import"
import type { MappingBook } from "@fiscal-connector/core/book"
import { DateTime } from "effect"
import { createHash } from "node:crypto"
import { Flag, html, type Html, when } from "../html/Html.ts"
import { card, table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import type { BookHistory } from "../work/BookHistory.ts"
import { form } from "./part/Form.ts"
import { type Frame, head } from "./part/Layout.ts"

const texts = Texts.settings

interface Setting {
  readonly path: readonly [string, ...ReadonlyArray<string>]
  readonly label: string
  readonly help: string
  readonly choices: ReadonlyArray<readonly [value: string, text: string]> | null
  readonly of: (book: MappingBook.MappingBook) => string
  /** Says how many documents use the setting. */
  readonly use?: (uses: Uses) => string
}

export interface Uses extends CodesInUse.CodesInReceipts {
  readonly receipts: number
  /** Documents that are held back because they are late. */
  readonly held: number
}

const text = (
  name: "cashBuyer" | "productCode" | "creditReason" | "payment",
  { help, label }: { readonly help: string; readonly label: string },
  choices: Setting["choices"] = null
): Setting => ({ path: ["defaults", name], label, help, choices, of: ({ defaults }) => defaults[name] ?? "" })

const rule = ({ path, subject, values }: PolicyQuestions.PolicyInWords): Setting => ({
  path,
  label: `${subject.slice(0, 1).toUpperCase()}${subject.slice(1)}`,
  help: "",
  choices: values,
  of: (book) => String(path.reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)[name], book))
})

export const sections = ["business", "taxes", "missing", "codes", "files", "advanced", "changes"] as const
export type SettingsSection = (typeof sections)[number]

/** Settings with a single value, by section. The first choice is the delivered one. */
export const settings: Readonly<Record<"business" | "missing" | "advanced", ReadonlyArray<Setting>>> = {
  business: [
    {
      path: ["zone"],
      label: texts.zone,
      help: texts.zoneHelp,
      choices: [...new Set([Texts.proposedZone(), ...Intl.supportedValuesOf("timeZone")])].map(
        (zone) => [zone, zone.replaceAll("_", " ")] as const
      ),
      of: ({ zone }) => DateTime.zoneToString(zone),
      use: ({ receipts }) => `${Texts.page.usedBy} ${texts.receipts(receipts)}`
    },
    {
      path: ["late"],
      label: texts.lateLabel,
      help: texts.lateHelp,
      choices: Object.entries(texts.lateChoices),
      of: ({ late }) => late,
      use: ({ held }) => (held === 0 ? "" : texts.held(held))
    }
  ],
  missing: [
    text("cashBuyer", texts.cashBuyer),
    text("productCode", texts.productCode),
    text("payment", texts.payment, [
      ["", texts.nothing],
      ...PaymentMethod.known.map((method) => [method, Texts.field(method)] as const)
    ]),
    text("creditReason", texts.creditReason)
  ],
  advanced: PolicyQuestions.inWords.map(rule)
}

/** Names a text, so that a form detects that its file was changed meanwhile. */
export const sameAs = (text: string): string => createHash("sha256").update(text).digest("hex")

export const nameOf = ({ path }: Pick<Setting, "path">): string => `set.${path.join(".")}`

const control = (setting: Setting, book: MappingBook.MappingBook): Html => {
  const { choices } = setting
  const value = setting.of(book)
  const [name, label] = [nameOf(setting), setting.label]
  return choices === null
    ? html`<input type="text" name="${name}" value="${value}" aria-label="${label}" autocomplete="off" />`
    : html`<select name="${name}" aria-label="${label}">
        ${[...(choices.some(([choice]) => choice === value) ? [] : [[value, value] as const]), ...choices].map(([choice, text]) => html`<option value="${choice}" ${new Flag("selected", choice === value)}>${text}</option>`)}
      </select>`
}

/** Returns the form of the section's settings. `stored`: the text whose change the form detects. */
const formOf = (frame: Frame, at: SettingsSection, stored: StoredBook, content: Html, path = "/settings"): Html =>
  form(
    frame,
    `${frame.prefix}${path}`,
    { at, was: sameAs(stored.text) },
    html`<h2>${texts.sections[at]}</h2>
      ${content}`,
    "card"
  )

const simple = (frame: Frame, at: "business" | "missing", stored: StoredBook, shown: SettingsShown): Html => {
  const last = shown.history.all().at(-1)
  return formOf(
    frame,
    at,
    stored,
    html`${settings[at].map(
        (setting) =>
          html`<div class="setting">
            <p><b>${setting.label}</b><span class="soft small">${setting.help}</span></p>
            ${control(setting, stored.book)}
            <span class="soft small">${shown.uses === null ? "" : setting.use?.(shown.uses)}</span>
          </div>`
      )}
      <div class="actions">
        <button>${texts.save}</button>
        ${when(last, () => html`<a class="small" href="${`${frame.prefix}/book?at=changes`}">${texts.last(whenOf(last!.at, stored), last!.who)}</a>`)}
      </div>`
  )
}

/** Returns when a setting was changed on this page. Empty if it was changed otherwise. */
const changedOn = ({ history }: SettingsShown, { label }: Setting, stored: StoredBook): string => {
  const change = history.all().findLast(({ settings }) => settings.some(({ what }) => what === label))
  return change === undefined ? texts.changed : `${texts.changed}, ${whenOf(change.at, stored)}`
}

const advanced = (frame: Frame, stored: StoredBook, shown: SettingsShown): Html => {
  const { rule } = shown
  const isDelivered = (one: Setting) => one.of(stored.book) === one.choices?.[0]?.[0]
  const changed = settings.advanced.filter((one) => !isDelivered(one))
  const row = (one: Setting) => {
    const [name, value] = [nameOf(one), one.of(stored.book)]
    return html`<tr>
      <th scope="row">${one.label}</th>
      <td>${name === rule ? control(one, stored.book) : one.choices?.find(([choice]) => choice === value)?.[1]}</td>
      <td class="${isDelivered(one) ? "soft" : "unknown"}">
        ${isDelivered(one) ? texts.delivered : changedOn(shown, one, stored)}
      </td>
      <td>
        ${
          name === rule
            ? html`<button>${texts.save}</button>`
            : html`<a
                href="${`${frame.prefix}/book?at=advanced&rule=${encodeURIComponent(name)}`}"
                aria-label="${`${Texts.word.change}: ${one.label}`}"
                >${Texts.word.change}</a
              >`
        }
      </td>
    </tr>`
  }
  return formOf(
    frame,
    "advanced",
    stored,
    html`<p class="soft">${texts.differ(changed.length, settings.advanced.length)}</p>
      ${table(
        texts.sections.advanced,
        [texts.has, texts.rule, texts.setBy, Texts.word.change],
        [...changed, ...settings.advanced.filter(isDelivered)].map(row)
      )}`
  )
}

const forget = (frame: Frame, list: string, spelling: string, named = spelling): Html =>
  form(
    frame,
    `${frame.prefix}/settings/forget`,
    { list, spelling },
    html`<button class="link" aria-label="${`${texts.forget}: ${named}`}">${texts.forget}</button>`
  )

type SpelledRow = readonly [code: string, from: ReadonlyArray<string>, meaning: string, since?: string]

/** Shows a list of the book. `receipts`: of each code, null if they are not known. */
const spellings = (
  frame: Frame,
  title: string,
  list: string,
  receipts: ((code: string) => number | null) | undefined,
  rows: ReadonlyArray<SpelledRow>
): Html => {
  const row = ([code, from, meaning, since = ""]: SpelledRow) =>
    (from.length === 0 ? [null] : from).map((spelling) => {
      const used = receipts?.(code)
      const change =
        used !== undefined && used !== 0
          ? html`<span class="soft small">${used === null ? texts.receiptsNotKnown : texts.inReceipts}</span>`
          : spelling === null
            ? null
            : forget(frame, list, spelling)
      return [
        html`<strong>${spelling === null ? texts.codeOnly : spelling || Texts.word.blank}</strong>`,
        meaning,
        since,
        used == null ? "" : used === 0 ? texts.notUsed : texts.receipts(used),
        change
      ]
    })
  const heads = [Texts.word.inFile, texts.meaning, texts.since, Texts.page.usedBy, Texts.word.change]
  return card(title, rows.length > 0 && table(title, heads, rows.flatMap(row)))
}

const lists = (frame: Frame, { currencies, payments, taxes }: MappingBook.MappingBook, uses: Uses | null): Html => {
  const taxRows = taxes.map(({ code, device, from, name, percent, since, until }): SpelledRow => {
    const rate = percent === null ? texts.exempt : `${Money.formatPlain(percent)} %`
    const valid = [since && Texts.day(since), until && `${texts.until} ${Texts.day(until)}`].filter(Boolean)
    return [code, from, `${rate}, ${texts.tax(device)}, ${code}${name === code ? "" : ` (${name})`}`, valid.join(" ")]
  })
  const currencyRows = currencies.map(({ code, from }): SpelledRow => [code, from, code])
  const paymentRows = payments.map(({ from, method }): SpelledRow => [method, from, method])
  return html`${spellings(frame, Texts.word.taxes, "taxes", uses?.taxes, taxRows)}
  ${spellings(frame, texts.currencies, "currencies", uses?.currencies, currencyRows)}
  ${spellings(frame, texts.paymentsTitle, "payments", undefined, paymentRows)}`
}

export const itemsOf = (
  productCodes: MappingBook.MappingBook["productCodes"]
): ReadonlyArray<readonly [string, string]> =>
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
 * in the file.
 */
const items = (frame: Frame, stored: StoredBook): Html => {
  const { productCodes } = stored.book
  const spelled = productCodes.flatMap(({ from, productCode }) =>
    from.map((spelling) => [texts.spelledCode(spelling), html`<code>${productCode}</code>`])
  )
  const named = itemsOf(productCodes).map(([item, code], at) => [
    item,
    codeField(`code.${at}`, `${Texts.word.productCode}: ${item}`, code)
  ])
  const further = html`<input type="text" name="item" aria-label="${texts.newItem}" autocomplete="off" />`
  return formOf(
    frame,
    "codes",
    stored,
    html`<p class="soft">${texts.itemsHelp}</p>
      ${table(
        texts.sections.codes,
        [Texts.word.item, Texts.word.productCode],
        [...spelled, ...named, [further, codeField("code", texts.newCode, "")]]
      )}
      <div class="actions"><button class="quiet">${texts.saveItems}</button></div>`,
    "/settings/items"
  )
}

const whenOf = (at: DateTime.Utc, { book }: StoredBook): string => Parts.moment(at, book.zone).slice(0, -":ss".length)

const historyPart = (frame: Frame, { history }: SettingsShown, stored: StoredBook): Html => {
  const last = history.all().at(-1)
  const rows = history
    .all()
    .toReversed()
    .flatMap((change) =>
      change.settings.map(({ from, to, what }, line) => {
        // an answer in words has its question before it
        const end = to === undefined ? Math.max(what.lastIndexOf("? ") + 1, what.lastIndexOf(": ")) : -1
        const [asked, answer] = end > 0 ? [what.slice(0, end), what.slice(end + 1).trimStart()] : [what]
        const undo = html`<button class="link">${Texts.heldBack.takeBack}</button>`
        return [
          whenOf(change.at, stored),
          change.who,
          html`<b>${asked}</b>`,
          from ?? "",
          Texts.dated(to ?? answer ?? ""),
          when(line === 0 && change === last, () =>
            form(frame, `${frame.prefix}/settings/undo`, { change: change.id }, undo)
          )
        ]
      })
    )
  const heads = [
    { text: Texts.word.when, look: "nowrap" } as const,
    Texts.word.by,
    texts.setting,
    texts.old,
    texts.new,
    Texts.word.change
  ]
  const { changes } = texts.sections
  return card(changes, rows.length === 0 ? html`<p class="soft">${texts.noHistory}</p>` : table(changes, heads, rows))
}

export interface StoredBook {
  readonly book: MappingBook.MappingBook
  readonly text: string
}

export const kindOf = ({ adapter, header }: RememberedAnswers.RememberedAnswers): string =>
  JSON.stringify([adapter, header])

const knownFiles = (frame: Frame, known: ReadonlyArray<RememberedAnswers.RememberedAnswers>): Html =>
  card(
    texts.sections.files,
    html`<p class="soft">${known.length === 0 ? texts.noFiles : texts.knownFiles}</p>
      ${when(known.length > 0, () =>
        table(
          texts.sections.files,
          [texts.fileLike, { text: texts.answered, look: "nowrap" }, texts.says, Texts.word.change],
          known.map((entry) => [
            entry.from,
            Texts.day(entry.on),
            html`${Object.values(entry.answers ?? {}).map(({ says }) => html`<p class="small">${Texts.dated(says)}</p>`)}`,
            forget(frame, "files", kindOf(entry), entry.from)
          ])
        )
      )}`
  )

/** Form with the settings as the command's file. `typed`: the rejected text as sent. */
const fileForm = (frame: Frame, { file: { name, stored, typed }, problems }: SettingsShown): Html =>
  stored === null
    ? html``
    : html`<details ${new Flag("open", problems.length > 0)}>
        <summary>${Texts.book.asFile} <span class="soft small">${name}</span></summary>
        <p class="soft">${Texts.book.about}</p>
        ${form(
          frame,
          `${frame.prefix}/book`,
          { was: sameAs(stored) },
          html`<label class="field"
              ><span>${name}</span
              ><textarea name="text" spellcheck="false" autocomplete="off">${typed ?? stored}</textarea>
            </label>
            <div class="actions"><button class="quiet">${Texts.book.save}</button></div>`
        )}
      </details>`

export interface SettingsShown {
  readonly at: SettingsSection
  readonly rule: string | null
  /** Null without a usable book; its file can be corrected under Advanced. */
  readonly stored: StoredBook | null
  readonly history: BookHistory
  readonly known: ReadonlyArray<RememberedAnswers.RememberedAnswers>
  /** Documents that use the entries. Null without a store, and where none are shown. */
  readonly uses: Uses | null
  readonly problems: ReadonlyArray<Finding.Finding>
  readonly note: { readonly text: string; readonly tone: "good" | "waiting" } | null
  readonly compared: Html
  readonly file: { readonly name: string; readonly stored: string | null; readonly typed: string | undefined }
}

const sectionPart = (frame: Frame, shown: SettingsShown, stored: StoredBook): Html => {
  switch (shown.at) {
    case "business":
    case "missing":
      return simple(frame, shown.at, stored, shown)
    case "taxes":
      return html`${lists(frame, stored.book, shown.uses)} ${shown.compared}`
    case "codes":
      return items(frame, stored)
    case "files":
      return knownFiles(frame, shown.known)
    case "advanced":
      return advanced(frame, stored, shown)
    case "changes":
      return historyPart(frame, shown, stored)
  }
}

export const settingsPage = (frame: Frame, shown: SettingsShown): Html => {
  const { at, note, problems, stored } = shown
  return html`${head(Texts.word.settings, texts.about)}
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
    <div class="sections">
      <ul aria-label="${Texts.word.settings}">
        ${sections.map((one) => html`<li><a href="${`${frame.prefix}/book?at=${one}`}" aria-current="${one === at ? "true" : "false"}">${texts.sections[one]}</a></li>`)}
      </ul>
      <div>
        ${stored === null ? html`<p class="soft">${texts.none}</p>` : sectionPart(frame, shown, stored)}
        ${at === "advanced" || stored === null ? fileForm(frame, shown) : null}
      </div>
    </div>`
}

export const compareLinks = (frame: Frame, accounts: ReadonlyArray<string>): Html =>
  html`<p class="links">
    ${accounts.map((name) => html`<a href="${`${frame.prefix}/book?compare=${encodeURIComponent(name)}`}">${Texts.mappings.compare(name)}</a>`)}
  </p>`
