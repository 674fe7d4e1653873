/** Checks pages that are partly generated from the sources, and the references in pages. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { answered, requested } from "../../packages/core/test/gateway/InterfaceTables.ts"
import { witnesses } from "../Witnesses.ts"
import { filled, parts } from "../GeneratedParts.ts"
import { pictures } from "../pictures/Pictures.ts"

const root = join(import.meta.dirname, "../..")
const textOf = (file: string) => readFileSync(join(root, file), "utf8")
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...globSync("docs/**/*.md", { cwd: root })
]

/**
 * Returns the possible link targets of a page: its headings in GitHub's form, and explicit anchors.
 */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set([
    ...Array.from(text.matchAll(/<a id="([^"]+)">/g), ([, id]) => id!),
    ...Array.from(text.matchAll(/^#+ (.+)$/gm), ([, title]) =>
      title!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-")
    )
  ])

describe("a partly generated page", () => {
  it.each([...parts()])("%s is current (pnpm run docs writes it)", (file, generated) => {
    assert.strictEqual(textOf(file), filled(textOf(file), generated))
  })

  it("has a place for every part", () => {
    assert.throws(() => filled("no marks here", { rooms: "" }), "generated: rooms")
  })
})

describe("a picture of docs", () => {
  it.each([...pictures()])("%s is current (pnpm run docs draws it)", (file, drawn) => {
    assert.strictEqual(textOf(file), drawn)
  })
})

describe("the pages for users", () => {
  const [, table = ""] = textOf("docs/README.md").split("## Pages")
  const users = Array.from(table.matchAll(/^\| \[[a-z-]+\]\(([a-z-]+\.md)\)/gm), ([, page]) => page!)

  it("have at most 26 000 words together, without generated parts", () => {
    const words = users.map(
      (page) =>
        textOf(`docs/${page}`)
          .replaceAll(/<!-- (?:generated|recorded): (\S+) -->[^]*?<!-- end: \1 -->/g, "")
          .match(/\S+/g)!.length
    )
    assert.isAtLeast(users.length, 10)
    assert.isAtMost(
      words.reduce((sum, count) => sum + count, 0),
      26_000
    )
  })
})

describe("the tables of what an export states", () => {
  it("name existing tests, and codes that have a page", () => {
    const index = textOf("docs/errors/README.md")
    const missing = witnesses.flatMap(({ adapter, rows }) =>
      rows.flatMap(({ codes, stated, test }) => {
        const isThere = existsSync(join(root, test.file)) && textOf(test.file).includes(test.title)
        const pageless = codes.filter((code) => !index.includes(`<a id="${code.toLowerCase()}"></a>`))
        return [...(isThere ? [] : [test.title]), ...pageless].map((what) => `${adapter}, ${stated}: ${what}`)
      })
    )
    assert.deepStrictEqual(missing, [])
  })
})

describe("the page of the gateway", () => {
  // Sections from the anchor of a resource to the next anchor.
  const sections = new Map(
    Array.from(
      textOf("docs/gateway.md").matchAll(/^### (.+)\n([\s\S]*?)(?=<a id="[^"]+"><\/a>\n#|$(?![\s\S]))/gm),
      (match) => [match[1]!, match[2]!]
    )
  )

  it("names every field of every resource in the section of the resource", () => {
    const { Address, ...bodies } = requested
    const resources = {
      ...Object.fromEntries(Object.entries(answered).map(([name, fields]) => [name, fields.map(({ name }) => name)])),
      ...bodies,
      BuyerContact: [...bodies.BuyerContact, ...Address]
    }
    const missing = Object.entries(resources).flatMap(([resource, fields]) => {
      // Items of a subscription are in its table, bodies of mapping operations in the mapping's
      // table.
      const place = { SubscriptionItem: "Subscription", "Add Tax Mapping": "TaxMapping" }[resource]
      const text = sections.get(place ?? resource.replace(/^(?:Add|Update) Currency Mapping$/, "CurrencyMapping"))
      return fields.filter((field) => !text?.includes(`\`${field}\``)).map((field) => `${resource}: ${field}`)
    })
    assert.deepStrictEqual(missing, [])
  })
})

describe("a link to a page", () => {
  it("in a source comment points to an existing page and anchor", () => {
    const broken = globSync("packages/*/src/**/*.ts", { cwd: root }).flatMap((file) =>
      Array.from(textOf(file).matchAll(/\b(docs\/(?!errors\/)[\w/-]+\.md)(?:#([\w-]+))?/g))
        .filter(([, page, anchor]) => {
          if (!existsSync(join(root, page!))) return true
          return anchor !== undefined && !anchorsOf(textOf(page!)).has(anchor)
        })
        .map(([cited]) => `${file}: ${cited}`)
    )
    assert.deepStrictEqual(broken, [])
  })

  it("on a page points to an existing file and anchor", () => {
    const broken = pages.flatMap((page) => {
      const prose = textOf(page).replaceAll(/^```[\s\S]*?^```/gm, "")
      return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => target!)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => {
          const [path, anchor] = target.split("#")
          const file = path === "" ? join(root, page) : join(root, dirname(page), path!)
          if (!existsSync(file)) return true
          return anchor !== undefined && file.endsWith(".md") && !anchorsOf(textOf(relative(root, file))).has(anchor)
        })
        .map((target) => `${page}: ${target}`)
    })
    assert.deepStrictEqual(broken, [])
  })
})
