/** Starts a real browser from the npm registry, and collects the problems that it reports. */
import { assert } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { readFileSync } from "node:fs"
import {
  axeFile,
  type Browser,
  type BrowserContextOptions,
  Chromium,
  chromium,
  type Page
} from "../../../tools/browser/index.ts"

const axe = readFileSync(axeFile, "utf8")

/** Time limit in milliseconds, only for a step that hangs: other processes make a page slow. */
const patience = 240_000

/** Starts the browser; closed with the scope. */
export const launch: Effect.Effect<Browser, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(async () =>
    chromium.launch({
      executablePath: await Chromium.executablePath(),
      args: [...Chromium.args],
      headless: true,
      timeout: patience
    })
  ),
  (browser) => Effect.promise(() => browser.close())
)

/** A page with its problems: script errors, policy violations, and requests to other origins. */
export interface Watched {
  readonly page: Page
  readonly troubles: Array<string>
}

/** Opens a page. `origin`: the only allowed target of requests. */
export const open = async (browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Watched> => {
  const context = await browser.newContext({
    acceptDownloads: true,
    viewport: { width: 1000, height: 800 },
    ...options
  })
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  const troubles: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") troubles.push(`console: ${message.text()}`)
  })
  page.on("pageerror", ({ message }) => troubles.push(`script: ${message}`))
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:") && !url.startsWith("blob:"))
      troubles.push(`request: ${url}`)
  })
  return { page, troubles }
}

interface Violation {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string }>
}

const isNavigation = (cause: unknown): boolean =>
  cause instanceof Error && cause.message.includes("Execution context was destroyed")

/** Runs axe, and repeats the run if the page navigates meanwhile. */
const violationsOf = async (page: Page): Promise<ReadonlyArray<Violation>> => {
  for (;;) {
    try {
      await page.evaluate(axe)
      const rules = "{ 'target-size': { enabled: true } }"
      const found = await page.evaluate(`axe.run(document, { resultTypes: ['violations'], rules: ${rules} })`)
      return (found as { readonly violations: ReadonlyArray<Violation> }).violations
    } catch (cause) {
      if (!isNavigation(cause)) throw cause
      await page.waitForLoadState()
    }
  }
}

/**
 * Returns the violations that axe finds in the present page. Axe runs through the debugger, because
 * the page's policy allows no foreign scripts.
 */
export const judge = async (page: Page): Promise<ReadonlyArray<string>> =>
  (await violationsOf(page)).map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ html }) => html)
        .slice(0, 3)
        .join(" ")}`
  )

const widths = [360, 390, 768, 1280]

/** Width of a window of 1280 pixels with a zoom of 200 %. */
const zoomed = 640

const assertFits = async (page: Page, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: 800 })
  let wide = Number.POSITIVE_INFINITY
  // a busy browser lays the page out for the new width later
  for (let n = 0; n < 100 && wide > width; n++) {
    ;[wide] = (await page.evaluate("[document.documentElement.scrollWidth]")) as [number]
    if (wide > width) await page.waitForTimeout(50)
  }
  assert.isAtMost(wide, width, await page.title())
}

/**
 * Fails if axe finds violations at any width, light or dark, or if the page is wider than the
 * screen.
 */
export const judgeEverywhere = async (page: Page): Promise<void> => {
  await assertFits(page, zoomed)
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of widths) {
      await page.emulateMedia({ colorScheme })
      await assertFits(page, width)
      assert.deepStrictEqual(await judge(page), [], `${await page.title()} ${width} ${colorScheme}`)
    }
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize({ width: 1280, height: 800 })
}

/**
 * Counts the controls that are shown, so that a folded list counts as one: its summary. A group of
 * radio buttons is one; table and paging do not count.
 */
const countControls = `(() => {
  const all = [...document.querySelectorAll("main :is(button, a, summary, input:not([type=hidden]), select, textarea)")]
    .filter((one) => one.checkVisibility() && !one.closest("table.docs, .paging, .tabs"))
  const radios = new Set(all.filter(({ type }) => type === "radio").map(({ form, name }) => name + [...document.forms].indexOf(form)))
  return all.filter(({ type }) => type !== "radio").length + radios.size
})()`

/** Returns the height and the controls of the page, in words. */
export const measure = async (page: Page): Promise<string> => {
  const [height, controls] = (await page.evaluate(
    `[document.querySelector("main").scrollHeight + document.querySelector("header").offsetHeight, ${countControls}]`
  )) as [number, number]
  return `${height} px, ${controls} controls`
}

/** Fails if the page has more than 25 controls, or is taller than permitted at a width. */
export const assertSmall = async (page: Page, heights: Readonly<Record<number, number>>): Promise<void> => {
  for (const [width, most] of Object.entries(heights)) {
    await page.setViewportSize({ width: Number(width), height: 800 })
    const [height, controls] = (await page.evaluate(
      `[document.querySelector("main").scrollHeight + document.querySelector("header").offsetHeight, ${countControls}]`
    )) as [number, number]
    const name = `${await page.title()} at ${width}`
    console.log(`${name}: ${height} px, ${controls} controls`)
    assert.isAtMost(height, most, name)
    assert.isAtMost(controls, 25, name)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** Returns the name and the state of the control that has the focus. */
export const focused = async (page: Page) => {
  const [name, type, value, group] = (await page.evaluate(`(() => {
    const { ariaLabel, checked, form, labels, name, tagName, textContent, type, value } = document.activeElement
    const group = type === "radio" && [...form.elements].some((one) => one.name === name && one.checked)
    return [[ariaLabel, labels?.[0]?.textContent, tagName === "SELECT" ? "" : textContent].join(" "), type ?? tagName, value ?? "", group]
  })()`)) as readonly [string, string, string, boolean]
  return { name, type, value, isAnswered: group }
}

/** Presses Tab until the focus is on the control, as a user without a mouse does. */
export const tabTo = async (page: Page, name: string | RegExp): Promise<void> => {
  const seen: Array<string> = []
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press("Tab")
    const found = await focused(page)
    if (typeof name === "string" ? found.name.includes(name) : name.test(found.name)) return
    seen.push(found.name.trim().slice(0, 40))
  }
  assert.fail(`the keyboard does not reach ${String(name)}: ${seen.join(" · ")}`)
}

/** Opens the link like a user, and waits for the first page. */
export const enter = async (page: Page, link: string): Promise<void> => {
  await page.goto(link)
  await page.waitForURL((url) => !url.pathname.endsWith("/open"))
}
