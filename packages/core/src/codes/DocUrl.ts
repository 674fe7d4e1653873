/** Where the page of a code stands, for programs that pass a link on. */

const pages = "https://github.com/fiscal-connector/fiscal-connector/blob/main/docs/errors"

export const docUrl = (code: string): string => `${pages}/${encodeURIComponent(code)}.md`
