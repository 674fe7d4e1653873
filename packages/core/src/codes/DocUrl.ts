/** Address of a code's page, for programs that pass on a link. */
import { docsPage } from "../finding/DocsPage.ts"

export const docUrl = (code: string): string => docsPage(`errors/${encodeURIComponent(code)}`)
