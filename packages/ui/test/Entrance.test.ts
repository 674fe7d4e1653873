import { assert, describe, it } from "@effect/vitest"
import * as Entrance from "../src/guard/Entrance.ts"
import * as PageIdentity from "../src/guard/PageIdentity.ts"

const host = "127.0.0.1:4030"
const origin = `http://${host}`

const asked = (url: string, changes: Partial<Entrance.EntranceRequest> = {}): Entrance.EntranceRequest => ({
  method: "GET",
  url,
  headers: { host },
  cookies: {},
  ...changes
})

/** Returns a browser that has opened the link. */
const opened = () => {
  const entrance = Entrance.make(host, PageIdentity.draw(4030))
  const admission = entrance.admit(asked(entrance.link))
  assert(admission._tag === "Opened")
  const [name, value] = admission.cookie.split(";")[0]!.split("=")
  return { entrance, cookies: { [name!]: value! }, cookie: admission.cookie }
}

const statusOf = (admission: Entrance.Admission) => (admission._tag === "TurnedAway" ? admission.status : 200)

describe("the access control of the page", () => {
  it("accepts its link once, with a cookie for its own path that other sites cannot send", () => {
    const { cookie, cookies, entrance } = opened()
    assert.match(cookie, /; HttpOnly; SameSite=Strict; Path=\/[\w-]{32}\/$/)
    assert.strictEqual(statusOf(entrance.admit(asked(entrance.link))), 403)
    assert.strictEqual(statusOf(entrance.admit(asked(entrance.link, { cookies }))), 403)
    assert.strictEqual(statusOf(entrance.admit(asked(`${entrance.prefix}/`, { cookies }))), 200)
  })

  it("does not use up its link for a wrong key", () => {
    const entrance = Entrance.make(host, PageIdentity.draw(4030))
    assert.strictEqual(statusOf(entrance.admit(asked(`${entrance.prefix}/open?key=x`))), 403)
    assert.strictEqual(entrance.admit(asked(entrance.link))._tag, "Opened")
  })

  it("requires the cookie and the secret part of the path separately", () => {
    const { cookies, entrance } = opened()
    assert.strictEqual(statusOf(entrance.admit(asked(`${entrance.prefix}/documents`))), 403)
    assert.strictEqual(statusOf(entrance.admit(asked("/documents", { cookies }))), 404)
    assert.strictEqual(statusOf(entrance.admit(asked("/", { cookies }))), 404)
    assert.strictEqual(statusOf(entrance.admit(asked(`//evil.example${entrance.prefix}/`, { cookies }))), 404)
    assert.strictEqual(
      statusOf(entrance.admit(asked(`${entrance.prefix}/`, { cookies: { "connector-page": "x" } }))),
      403
    )
  })

  it.each([
    "localhost:4030",
    "evil.example:4030",
    "127.0.0.1",
    "127.0.0.1:4031",
    "127.0.0.1:4030.evil.example",
    "",
    undefined
  ])("refuses any other host name: %s", (other) => {
    const { cookies, entrance } = opened()
    const headers = other === undefined ? {} : { host: other }
    assert.strictEqual(statusOf(entrance.admit(asked(`${entrance.prefix}/`, { cookies, headers }))), 421)
    // The refused request does not use up the link either.
    const fresh = Entrance.make(host, PageIdentity.draw(4030))
    assert.strictEqual(statusOf(fresh.admit(asked(fresh.link, { headers }))), 421)
    assert.strictEqual(fresh.admit(asked(fresh.link))._tag, "Opened")
  })

  it.each([
    ["another site", { origin: "https://evil.example" }],
    ["another port", { origin: "http://127.0.0.1:9999" }],
    ["localhost", { origin: "http://localhost:4030" }],
    ["a page without origin", { origin: "null" }],
    ["an unnamed origin", {}],
    ["another site, as the browser says", { origin, "sec-fetch-site": "cross-site" }],
    ["another port, as the browser says", { origin, "sec-fetch-site": "same-site" }]
  ])("refuses a change from %s", (_, headers) => {
    const { cookies, entrance } = opened()
    const admission = entrance.admit(
      asked(`${entrance.prefix}/resume`, { method: "POST", cookies, headers: { host, ...headers } })
    )
    assert.strictEqual(statusOf(admission), 403)
  })

  it("accepts a change from its own pages", () => {
    const { cookies, entrance } = opened()
    const post = (headers: Record<string, string>) =>
      statusOf(
        entrance.admit(asked(`${entrance.prefix}/resume`, { method: "POST", cookies, headers: { host, ...headers } }))
      )
    assert.strictEqual(post({ origin }), 200)
    assert.strictEqual(post({ origin, "sec-fetch-site": "same-origin" }), 200)
    assert.strictEqual(post({ "sec-fetch-site": "same-origin" }), 200)
  })

  it("recognizes its own forms by a token of this run", () => {
    const entrance = Entrance.make(host, PageIdentity.draw(4030))
    assert.isTrue(entrance.hasToken(entrance.token))
    assert.isFalse(entrance.hasToken(Entrance.make(host, PageIdentity.draw(4030)).token))
    assert.isFalse(entrance.hasToken(null))
    assert.isFalse(entrance.hasToken(""))
  })
})
