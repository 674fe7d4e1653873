/** What the page's tests use of it; whoever imports this has installed it (scripts/Tools.ts). */
import { createRequire } from "node:module"

export { default as Chromium } from "@sparticuz/chromium"
export { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core"

/** The file of axe, as a page loads it. */
export const axeFile: string = createRequire(import.meta.url).resolve("axe-core/axe.min.js")
