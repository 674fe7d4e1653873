const pages = "https://github.com/fiscal-connector/fiscal-connector/blob/main/docs"

/** Returns the address of a page. `page`: `store`, or with a heading `store.md#move`. */
export const docsPage = (page: string): string => `${pages}/${page.includes(".md") ? page : `${page}.md`}`
