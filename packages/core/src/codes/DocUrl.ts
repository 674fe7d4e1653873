import { docsPage } from "../finding/DocsPage.ts"
import { anchorOf } from "./CodeEntry.ts"

export const docPath = (code: string): string => `errors/README.md#${encodeURIComponent(anchorOf(code))}`

export const docUrl = (code: string): string => docsPage(docPath(code))
