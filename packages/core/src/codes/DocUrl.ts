/** Address of a code in the index of codes, for programs that pass on a link. */
import { docsPage } from "../finding/DocsPage.ts"

export const docUrl = (code: string): string => docsPage(`errors/README.md#${encodeURIComponent(code.toLowerCase())}`)
