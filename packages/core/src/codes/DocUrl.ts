/** Where the page of a code stands, for programs that pass a link on. */
import { docsPage } from "../finding/DocsPage.ts"

export const docUrl = (code: string): string => docsPage(`errors/${encodeURIComponent(code)}`)
