/** Reads every page that a browser reaches by links from the first one. */

/** A page by its path, with status and text. */
export type Pages = ReadonlyMap<string, string>

const mostPages = 200

/** Follows the link of the program, then all links of its pages. */
export const crawl = async (link: string): Promise<Pages> => {
  const opened = await fetch(link, { redirect: "manual" })
  const cookie = opened.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ")
  const { origin, pathname } = new URL(link)
  const secret = `/${pathname.split("/")[1]}`
  const pages = new Map<string, string>()
  const open = [`${secret}/`]
  for (let path = open.shift(); path !== undefined && pages.size < mostPages; path = open.shift()) {
    const short = path.slice(secret.length)
    if (pages.has(short)) continue
    const response = await fetch(origin + path, { headers: { cookie }, redirect: "manual" })
    const isPage = response.headers.get("content-type")?.startsWith("text/html") === true
    const text = isPage ? await response.text() : ""
    await response.body?.cancel().catch(() => undefined)
    pages.set(short, `${response.status} ${response.headers.get("location") ?? ""}\n${text.replaceAll(secret, "")}`)
    for (const [, href] of text.matchAll(/(?:href|action)="([^"#]+)/g)) {
      const target = new URL(href!.replaceAll("&amp;", "&"), origin + path)
      if (target.origin === origin && target.pathname.startsWith(`${secret}/`))
        open.push(target.pathname + target.search)
    }
  }
  return new Map([...pages].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
