/** What every page has: the head, the way to the others, which environment this is, and the content. */
import { html, type Html, joined, when } from "../html/Html.ts"
import * as Words from "../text/Words.ts"

const words = Words.page

/** Where a page stands. */
export interface Frame {
  /** `/` and the unguessable part. */
  readonly prefix: string
  /** Goes with every form. */
  readonly token: string
  readonly place: "sandbox" | "configured"
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

const link = (frame: Frame, at: Layout["at"], here: NonNullable<Layout["at"]>, path: string, word: string): Html =>
  at === here
    ? html`<li><a href="${frame.prefix}${path}" aria-current="page">${word}</a></li>`
    : html`<li><a href="${frame.prefix}${path}">${word}</a></li>`

const badge = (environment: string): Html =>
  html`<span class="badge ${environment === "live" ? "bad" : environment === "sandbox" ? "plain" : "waiting"}"
    >${Words.environments[environment] ?? environment}</span
  >`

export const whole = (frame: Frame, { again, at, content, environment, title }: Layout): Html => {
  const shown = environment ?? (frame.place === "sandbox" ? "sandbox" : undefined)
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
          <header class="top">
            <div>
              <strong>${words.name}</strong>
              <nav aria-label="${words.navigation}">
                <ul>
                  ${[
                    link(frame, at, "import", "/", words.import),
                    link(frame, at, "documents", "/documents", words.documents),
                    link(frame, at, "health", "/health", words.health),
                    link(frame, at, "book", "/book", words.bookFile)
                  ]}
                </ul>
              </nav>
              ${when(shown, () => badge(shown ?? ""))}
            </div>
          </header>
          <main id="content" tabindex="-1">${content}</main>
        </body>
      </html>`
  ])
}

/** A page whose `live` parts are shown anew when the store changes, by whichever process; `standing`: how the store stood when it was made. */
export const followed = (frame: Frame, standing: string, content: Html): Html =>
  html`<div data-follow="${`${frame.prefix}/follow`}" data-standing="${standing}">${content}</div>`

/** A part that is shown anew, unless somebody has ticked something in it; nothing is typed in one. */
export const live = (name: string, content: Html): Html => html`<div class="live" data-live="${name}">${content}</div>`

/** Which of the steps of an import this is. */
export const steps = (current: number): Html =>
  html`<ol class="steps" aria-label="${words.step}">
    ${words.steps.map((word, index) =>
      index === current ? html`<li aria-current="step">${word}</li>` : html`<li>${word}</li>`
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
