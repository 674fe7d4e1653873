/** Address of a code in the index of codes. */
import { docsPage } from "../finding/DocsPage.ts"
import { anchorOf } from "./CodeEntry.ts"

/** Returns the address below docs/. */
export const docPath = (code: string): string => `errors/README.md#${encodeURIComponent(anchorOf(code))}`

/** Returns the public address, for programs that pass on a link. */
export const docUrl = (code: string): string => docsPage(docPath(code))
