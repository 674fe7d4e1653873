/**
 * Who may ask anything of the page: whoever opened the link that was made for this run, once, in a browser of this machine. Another program that
 * listens here shares our cookies (they know no ports), another site can send a browser here (DNS rebinding, forms, frames), and a list of processes
 * shows what a browser was started with: so the address has an unguessable part *and* there is a cookie, and each is checked on every request.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import type { PageIdentity } from "./PageIdentity.ts"

/** What every answer carries: nothing runs, loads or frames that is not ours, and nothing is kept by the browser. */
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

/** What is looked at of a request. */
export interface Asked {
  readonly method: string
  /** Path and query as they came. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly cookies: Readonly<Record<string, string | undefined>>
}

/** What is answered to a request that is not let in. */
export interface TurnedAway {
  readonly _tag: "TurnedAway"
  readonly status: 403 | 404 | 421
  readonly text: string
}

export type Admission =
  /** `path` begins with a slash, behind the unguessable part. */
  | { readonly _tag: "Admitted"; readonly path: string; readonly query: URLSearchParams }
  /** The link was opened: the cookie goes out with a page that leads on by itself, since what leads here came from elsewhere. */
  | { readonly _tag: "Opened"; readonly cookie: string; readonly home: string }
  /** A tab asks, without its cookie, whether the program is there again. */
  | { readonly _tag: "Alive"; readonly proof: string }
  | TurnedAway

export interface Entrance {
  /** `/` and the unguessable part. */
  readonly prefix: string
  /** The link that works once, without the origin. */
  readonly link: string
  /** Goes with every form; a page of another site does not know it. */
  readonly token: string
  admit(asked: Asked): Admission
  /** Whether a form came from one of our pages. */
  hasToken(given: string | null): boolean
}

const same = (a: string, b: string): boolean => {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

const cookieName = "connector-page"

const away = (status: TurnedAway["status"], text: string): TurnedAway => ({ _tag: "TurnedAway", status, text })

const nothing = "There is nothing here. Open the link that was printed."

const drawn = () => randomBytes(24).toString("base64url")

/**
 * Proves to a tab that was open before that the program behind the address is ours: another one that listens there does not know the token. The tab
 * asks without its cookie, and goes on only after this answer.
 */
export const proofOf = (token: string, challenge: string): string =>
  createHmac("sha256", token).update(challenge).digest("hex")

/** `host`: our own address and port, as a browser names it. */
export const make = (
  host: string,
  { cookie, place, token }: Pick<PageIdentity, "cookie" | "place" | "token">
): Entrance => {
  const key = drawn()
  const prefix = `/${place}`
  let unused = true
  return {
    prefix,
    link: `${prefix}/open?key=${key}`,
    token,
    hasToken: (given) => given !== null && same(given, token),
    admit: ({ cookies, headers, method, url }) => {
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
        if (headers["origin"] !== undefined ? headers["origin"] !== origin : site !== "same-origin")
          return away(403, "This did not come from a page of ours.")
        if (site !== undefined && site !== "same-origin") return away(403, "This did not come from a page of ours.")
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
