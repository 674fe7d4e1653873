/**
 * Admission to the page: only the browser on this machine that opened the single-use link of this
 * run. Other programs on this machine share our cookies (cookies ignore ports). Other sites can
 * send a browser here (DNS rebinding, forms, frames). A list of processes shows a browser's
 * arguments. So the address has an unguessable part *and* the browser has a cookie, and every
 * request is checked for both.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { drawn, type PageIdentity } from "./PageIdentity.ts"

/**
 * Headers of every response: only our own scripts, styles and frames are allowed, and the browser
 * caches nothing.
 */
export const headers: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store"
}

export interface EntranceRequest {
  readonly method: string
  /** Path and query as received. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly cookies: Readonly<Record<string, string | undefined>>
}

type AwayStatus = 403 | 404 | 421

export type Admission =
  | { readonly _tag: "Admitted"; readonly path: string; readonly query: URLSearchParams }
  /**
   * The link was opened. The cookie is set on a page that redirects itself, because the request
   * came from another site.
   */
  | { readonly _tag: "Opened"; readonly cookie: string; readonly home: string }
  /** A tab asks, without its cookie, if the program is running again. */
  | { readonly _tag: "Alive"; readonly proof: string }
  | { readonly _tag: "TurnedAway"; readonly status: AwayStatus; readonly text: string }

const same = (a: string, b: string): boolean => {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

const cookieName = "connector-page"

const away = (status: AwayStatus, text: string): Admission => ({ _tag: "TurnedAway", status, text })

const nothing = "There is nothing here. Open the link that was printed."

/**
 * Proves to an open tab that our program is behind the address: another program on the same port
 * does not know the token. The tab asks without its cookie and continues only after the proof.
 */
export const proofOf = (token: string, challenge: string): string =>
  createHmac("sha256", token).update(challenge).digest("hex")

/** Creates the entrance. `host`: our address and port, as sent by a browser. */
export const make = (host: string, { cookie, place, token }: Pick<PageIdentity, "cookie" | "place" | "token">) => {
  const key = drawn()
  const prefix = `/${place}`
  let unused = true
  return {
    prefix,
    link: `${prefix}/open?key=${key}`,
    /** Token in every form, unknown to pages of other sites. */
    token,
    hasToken: (given: string | null): boolean => given !== null && same(given, token),
    admit: ({ cookies, headers, method, url }: EntranceRequest): Admission => {
      if (headers["host"] !== host) return away(421, "This is not the address of this page.")
      const origin = `http://${host}`
      if (!url.startsWith("/")) return away(404, nothing)
      const { pathname, searchParams } = new URL(`${origin}${url}`)
      const challenge = searchParams.get("challenge") ?? ""
      if (pathname === "/alive" && method === "GET" && /^[\w-]{16,64}$/.test(challenge))
        return { _tag: "Alive", proof: proofOf(token, challenge) }
      const [first = "", ...rest] = pathname.slice(1).split("/")
      if (!same(first, place)) return away(404, nothing)
      const path = `/${rest.join("/")}`
      if (method !== "GET" && method !== "HEAD") {
        const site = headers["sec-fetch-site"]
        const isForeign = headers["origin"] !== undefined ? headers["origin"] !== origin : site !== "same-origin"
        if (isForeign || (site !== undefined && site !== "same-origin"))
          return away(403, "This did not come from a page of ours.")
      }
      if (path === "/open" && method === "GET") {
        const given = searchParams.get("key") ?? ""
        if (!same(given, key) || !unused) {
          return away(403, "This link was used already, or is another one's. Start connector ui again for a new one.")
        }
        unused = false
        return {
          _tag: "Opened",
          home: `${prefix}/`,
          cookie: `${cookieName}=${cookie}; HttpOnly; SameSite=Strict; Path=${prefix}/`
        }
      }
      if (!same(cookies[cookieName] ?? "", cookie))
        return away(403, "Open the link that was printed when this page was started.")
      return { _tag: "Admitted", path, query: searchParams }
    }
  }
}

export type Entrance = ReturnType<typeof make>
