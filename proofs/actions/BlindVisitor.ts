/**
 * Visitor of the page who follows every link of an item and submits every form with the first
 * choice and any text, and looks at nothing.
 */
import { Effect } from "effect"
import { key, secret } from "../../packages/cli/test/RunningConnector.ts"
import { book } from "../../packages/cli/test/SalesExport.ts"
import { start, Visitor } from "../../packages/ui/test/PageProcess.ts"

const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const decides = /^\/(?:documents\/|decide\?|accept-older|repin|acknowledge)/

const plain = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&")

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : plain(value)
}

/** Returns the forms of a page with hidden fields as they are, the first choice and any text. */
const formsIn = (body: string, prefix: string, reason: string) =>
  Array.from(body.matchAll(/<form\b[^>]*>[^]*?<\/form>/g), ([form]) => {
    const fields: Record<string, string> = {}
    for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
      const name = attribute(tag, "name")
      const type = attribute(tag, "type")
      if (name === undefined || name in fields || type === "checkbox") continue
      fields[name] = type === "text" ? reason : (attribute(tag, "value") ?? "")
    }
    return { path: (attribute(form, "action") ?? "").slice(prefix.length), fields }
  })

/** Returns the addresses of a page's links, after the secret part. */
const linksIn = (body: string, prefix: string): ReadonlyArray<string> =>
  Array.from(body.matchAll(/href="(\/[^"]*)"/g), ([, path]) => plain(path!).slice(prefix.length))

/** Visits the page once; returns the number of submitted forms. */
export const visit = (cwd: string, reason: string) =>
  Effect.gen(function* () {
    const page = yield* start(["--config", "account.json", "--book", book], env, cwd)
    return yield* Effect.promise(async () => {
      const visitor = await Visitor.open(page)
      const shown = [await visitor.get("/health"), await visitor.get("/documents")]
      const links = shown.flatMap(({ body }) => linksIn(body, page.prefix)).filter((path) => decides.test(path))
      let submitted = 0
      for (const link of new Set(links)) {
        for (const { fields, path } of formsIn((await visitor.get(link)).body, page.prefix, reason)) {
          if (!/decide|accept-older|repin|acknowledge|resume/.test(path)) continue
          await visitor.post(path, fields)
          submitted++
        }
      }
      await visitor.post("/resume", {})
      return submitted
    })
  }).pipe(Effect.scoped)
