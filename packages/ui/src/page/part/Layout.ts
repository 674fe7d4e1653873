import { html, type Html, joined, when } from "../../html/Html.ts"
import * as Texts from "../../text/Texts.ts"
import type { PageImport } from "../../work/PageImport.ts"

const texts = Texts.page

export interface Frame {
  readonly prefix: string
  readonly token: string
  readonly place: "sandbox" | "configured"
  readonly revision: () => number
  readonly around: Around
}

export interface Around {
  readonly accounts: ReadonlyArray<{ readonly account: string; readonly device: string; readonly environment: string }>
  readonly open: number
}

export interface PageLayout {
  readonly title: string
  readonly at?: (typeof places)[number][0]
  readonly environment?: string
  /**
   * Seconds until the page reloads without a script. With a script, the page updates without
   * reloading.
   */
  readonly again?: number
  readonly content: Html
}

export const notice = (text: string | null, tone: "bad" | "waiting" = "waiting"): Html =>
  when(text, () => html`<div class="note ${tone}" role="alert"><p>${text}</p></div>`)

export const toAttention = ({ prefix }: Frame): Html => html`<p><a href="${prefix}/health">‹ ${texts.health}</a></p>`

const places = [
  ["import", "/", texts.import],
  ["documents", "/documents", Texts.word.documents],
  ["health", "/health", texts.health],
  ["days", "/days", texts.days],
  ["book", "/book", Texts.word.settings]
] as const

const openCount = ({ around: { open } }: Frame): Html =>
  html`<span data-live="count-health"
    >${when(open > 0, () => html` <span class="count">${open.toLocaleString("en")}<span class="vh"> ${texts.openThings}</span></span>`)}</span
  >`

/** Returns the badge of an environment. */
export const modeBadge = (environment: string): Html =>
  html`<span class="mode ${environment === "live" ? "live" : "test"}"
    >${Texts.environments[environment] ?? environment}</span
  >`

/**
 * Returns the account and its environment. With several accounts, the most serious environment is
 * shown.
 */
const whereabouts = (frame: Frame, environment: string | undefined): Html => {
  const { accounts } = frame.around
  const [only, ...others] = accounts
  const all = accounts.map((one) => one.environment)
  const shown =
    environment ?? (frame.place === "sandbox" ? "sandbox" : all.includes("live") ? "live" : (all[0] ?? undefined))
  const name =
    only === undefined || frame.place === "sandbox"
      ? ""
      : others.length === 0
        ? `${only.account} · ${texts.device(only.device)}`
        : texts.accounts(accounts.length)
  return html`<p class="account">
    ${when(name !== "", () => html`<span class="small soft">${name}</span>`)}
    ${shown === undefined ? null : modeBadge(shown)}
  </p>`
}

export const whole = (frame: Frame, { again, at, content, environment, title }: PageLayout): Html => {
  return joined([
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title} · ${texts.name}</title>
          <link rel="icon" href="${frame.prefix}/icon.svg" type="image/svg+xml" />
          <link rel="stylesheet" href="${frame.prefix}/style.css" />
          <script src="${frame.prefix}/page.js" defer></script>
          ${again === undefined ? null : html`<noscript><meta http-equiv="refresh" content="${again}" /></noscript>`}
        </head>
        <body>
          <a class="skip" href="#content">${texts.skip}</a>
          <p class="away" role="alert" data-away="${frame.token}" hidden>${texts.away}</p>
          <header class="top">
            <div>
              <strong>${texts.name}</strong>
              <nav aria-label="${texts.navigation}">
                <ul>
                  ${places.map(([here, path, label]) => html`<li><a href="${frame.prefix}${path}" aria-current="${at === here ? "page" : "false"}">${label}${here === "health" ? openCount(frame) : null}</a></li>`)}
                </ul>
              </nav>
              ${whereabouts(frame, environment)}
            </div>
          </header>
          <main id="content" tabindex="-1">${content}</main>
        </body>
      </html>`
  ])
}

/** Returns the heading of a screen. `side`: what is beside it. */
export const head = (title: string, about: string, side: Html | null = null): Html =>
  html`<div class="head">
    <div>
      <h1>${title}</h1>
      <p>${about}</p>
    </div>
    ${side}
  </div>`

/** Returns links to parts of a screen, or to the documents that it shows. */
export const tabs = (
  label: string,
  links: ReadonlyArray<readonly [address: string, text: string, isCurrent: boolean]>,
  look: "pages" | "filter" = "filter"
): Html =>
  html`<ul class="tabs ${look}" aria-label="${label}">
    ${links.map(([address, text, isCurrent]) => html`<li><a href="${address}" aria-current="${isCurrent ? "true" : "false"}">${text}</a></li>`)}
  </ul>`

/** Documents of one page of a list. */
export const perPage = 50

/** Returns the page, from 1, that the address asks for. */
export const pageAsked = (query: URLSearchParams): number =>
  Math.max(1, Number.parseInt(query.get("page") ?? "", 10) || 1)

/** Returns the page of a list that is shown, its rows, and links to the pages beside it. */
export const paged = <A>(rows: ReadonlyArray<A>, asked: number, address: (page: number) => string) => {
  const pages = Math.max(1, Math.ceil(rows.length / perPage))
  const at = Math.min(asked, pages)
  const beside = (page: number, label: string) =>
    when(page >= 1 && page <= pages, () => html`<a href="${address(page)}">${label}</a>`)
  return {
    shown: rows.slice((at - 1) * perPage, at * perPage),
    paging: html`<div class="paging">
      <span class="soft">${texts.pageOf(at, pages)}</span>
      ${beside(at - 1, texts.previous)} ${beside(at + 1, texts.next)}
    </div>`
  }
}

/**
 * Returns a page with `live` parts, refreshed when any process changes the store. `standing`: state
 * of the store when the page was made.
 */
export const followed = (frame: Frame, standing: string, content: Html): Html =>
  html`<div data-follow="${`${frame.prefix}/follow`}" data-standing="${`${standing}-${frame.revision()}`}">
    ${content}
  </div>`

/**
 * Returns a refreshed part. The script skips the refresh while a box in the part is ticked or a
 * text is typed.
 */
export const live = (name: string, content: Html): Html => html`<div class="live" data-live="${name}">${content}</div>`

/** Returns the steps. A step that was done has a mark; as a link it changes nothing. */
export const steps = (current: number, frame?: Frame, one?: PageImport): Html => {
  const looked = one?.phase._tag === "Checked" ? 4 : one?.phase._tag === "Questions" ? 3 : 0
  const addresses = ["/read", one?.format.columns === undefined ? null : "/columns", "/questions", ""].slice(0, looked)
  return html`<ol class="steps" aria-label="${texts.step}">
    ${texts.steps.map((label, index) => {
      const address = addresses[index] ?? null
      if (index === current) return html`<li aria-current="step"><b>${index + 1}</b><span>${label}</span></li>`
      const shown = html`${index < Math.max(looked, current) ? html`<b class="good">✓</b>` : html`<b>${index + 1}</b>`}<span
          >${label}</span
        >`
      return address === null
        ? html`<li>${shown}</li>`
        : html`<li><a href="${`${frame?.prefix ?? ""}/imports/${one?.id ?? ""}${address}`}">${shown}</a></li>`
    })}
  </ol>`
}

/**
 * Returns a page without the frame, for rejected requests and unknown addresses. Without the
 * cookie, the frame must stay secret. `home`: address to which the page redirects itself.
 */
export const bare = (title: string, text: string | Html, home: string | null = null): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${home === null ? null : html`<meta http-equiv="refresh" content="0;url=${home}" />`}
        <title>${title}</title>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p>${text}</p>
        </main>
      </body>
    </html>`

/** Returns the page after the link was opened: the next request comes from our own page. */
export const opened = (home: string): Html => bare(texts.name, html`<a href="${home}">${texts.opened}</a>`, home)
