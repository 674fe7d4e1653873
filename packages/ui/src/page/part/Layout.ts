/** What every page has: the head, the way to the others, which environment this is, and the content. */
import { html, type Html, joined, when } from "../../html/Html.ts"
import * as Words from "../../text/Words.ts"

const words = Words.page

/** Where a page stands. */
export interface Frame {
  /** `/` and the unguessable part. */
  readonly prefix: string
  /** Goes with every form. */
  readonly token: string
  readonly place: "sandbox" | "configured"
  /** Another number whenever this page begins to send, or ends it. */
  readonly revision: () => number
  readonly around: Around
}

/** What every page shows beside its content. */
export interface Around {
  /** The accounts whose device is known. */
  readonly accounts: ReadonlyArray<{ readonly account: string; readonly device: string; readonly environment: string }>
  /** How many things wait for an operator. */
  readonly open: number
  /** The worst of them, in words. */
  readonly worst: ReadonlyArray<string>
}

export interface Layout {
  readonly title: string
  readonly at?: "import" | "documents" | "health" | "book"
  readonly environment?: string
  /** Seconds after which the page is loaded again where there is no script; the script follows by itself. */
  readonly again?: number
  readonly content: Html
}

/** The field that says a form is ours. */
export const tokenOf = ({ token }: Frame): Html => html`<input type="hidden" name="token" value="${token}" />`

const link = (
  frame: Frame,
  at: Layout["at"],
  here: NonNullable<Layout["at"]>,
  path: string,
  word: string,
  count = 0
): Html => {
  const text = html`${word}${when(count > 0, () => html` <span class="count">${count.toLocaleString("en")}<span class="vh"> ${words.openDecisions}</span></span>`)}`
  return at === here
    ? html`<li><a href="${frame.prefix}${path}" aria-current="page">${text}</a></li>`
    : html`<li><a href="${frame.prefix}${path}">${text}</a></li>`
}

/** The account that pages are about, and whether receipts are real: the most serious of them where there are several. */
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
        ? `${only.account} · ${words.device(only.device)}`
        : words.accounts(accounts.length)
  return html`<p class="account">
    ${when(name !== "", () => html`<span class="small soft">${name}</span>`)}
    ${when(shown, () => html`<span class="mode ${shown === "live" ? "live" : "test"}">${Words.environments[shown ?? ""] ?? shown}</span>`)}
  </p>`
}

export const whole = (frame: Frame, { again, at, content, environment, title }: Layout): Html => {
  return joined([
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title} · ${words.name}</title>
          <link rel="icon" href="${frame.prefix}/icon.svg" type="image/svg+xml" />
          <link rel="stylesheet" href="${frame.prefix}/style.css" />
          <script src="${frame.prefix}/page.js" defer></script>
          ${again === undefined ? null : html`<noscript><meta http-equiv="refresh" content="${again}" /></noscript>`}
        </head>
        <body>
          <a class="skip" href="#content">${words.skip}</a>
          <p class="away" role="alert" data-away="${frame.token}" hidden>${words.away}</p>
          <header class="top">
            <div>
              <strong>${words.name}</strong>
              <nav aria-label="${words.navigation}">
                <ul>
                  ${[
                    link(frame, at, "import", "/", words.import),
                    link(frame, at, "documents", "/documents", words.documents),
                    link(frame, at, "health", "/health", words.health, frame.around.open),
                    link(frame, at, "book", "/book", words.bookFile)
                  ]}
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

/** A page whose `live` parts are shown anew when the store changes, by whichever process; `standing`: how the store stood when it was made. */
export const followed = (frame: Frame, standing: string, content: Html): Html =>
  html`<div data-follow="${`${frame.prefix}/follow`}" data-standing="${`${standing}-${frame.revision()}`}">
    ${content}
  </div>`

/** A part that is shown anew, unless somebody has ticked something in it; nothing is typed in one. */
export const live = (name: string, content: Html): Html => html`<div class="live" data-live="${name}">${content}</div>`

/** Which of the steps of an import this is. */
export const steps = (current: number): Html =>
  html`<ol class="steps" aria-label="${words.step}">
    ${words.steps.map((word, index) =>
      index === current ? html`<li aria-current="step"><span>${word}</span></li>` : html`<li><span>${word}</span></li>`
    )}
  </ol>`

/** A page for what is not let in, or is not there: without the frame, which nobody may see who has no cookie. */
export const bare = (title: string, text: string): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p>${text}</p>
        </main>
      </body>
    </html>`

/** The link was opened: leads on by itself, from a page of our own. */
export const opened = (home: string): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="refresh" content="0;url=${home}" />
        <title>${words.name}</title>
      </head>
      <body>
        <main>
          <h1>${words.name}</h1>
          <p><a href="${home}">${words.opened}</a></p>
        </main>
      </body>
    </html>`
