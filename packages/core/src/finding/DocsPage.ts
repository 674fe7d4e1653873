/** Where a page of the documentation is, for messages: whoever reads one may have neither the command nor the repository. */
const pages = "https://github.com/fiscal-connector/fiscal-connector/blob/main/docs"

/** `page`: `store`, or with a heading `store.md#move`. */
export const docsPage = (page: string): string => `${pages}/${page.includes(".md") ? page : `${page}.md`}`
