/** Browser tools for the page's tests. The importing command installs them (scripts/Tools.ts). */
import { createRequire } from "node:module"

export { default as Chromium } from "@sparticuz/chromium"
export { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core"

/** File of axe, in the form that a page loads. */
export const axeFile: string = createRequire(import.meta.url).resolve("axe-core/axe.min.js")
