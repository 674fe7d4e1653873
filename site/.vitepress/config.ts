/**
 * Documentation as static pages with search: `pnpm site` writes `dist/site`. The pages are the same
 * Markdown files that are read in the repository, in the order of docs/README.md.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")
const repository = "https://github.com/fiscal-connector/fiscal-connector/blob/main"

const titled = (name: string) => {
  const [, text = name] = /^# (.+)$/m.exec(readFileSync(join(root, `docs/${name}.md`), "utf8")) ?? []
  return { text, link: `/docs/${name}` }
}

/** Names of the pages that a part of docs/README.md links to. */
const linkedIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/\]\(([a-z-]+(?:\/README)?)\.md\)/g), ([, name]) => name!)

const [users = "", others = ""] = readFileSync(join(root, "docs/README.md"), "utf8")
  .split("## Twelve questions")[0]!
  .split("Apart from these")

export default {
  title: "fiscal-connector",
  description: "Sends invoices and credit notes to a fiscal invoicing gateway, each exactly once, and keeps the proof.",
  lang: "en-US",
  srcDir: root,
  outDir: join(root, "dist/site"),
  cacheDir: join(root, "node_modules/.cache/site"),
  srcExclude: [
    "**/node_modules/**",
    "dist/**",
    "tools/**",
    "proofs/**",
    "fixtures/**",
    "packages/*/test/**",
    "packages/*/template/**",
    "examples/**"
  ],
  rewrites: { "site/index.md": "index.md" },
  cleanUrls: false,
  // Links to source files and folders are links into the repository, not pages.
  ignoreDeadLinks: [/^(?!.*\.md)/, /LICENSE/, /index$/, /examples\//, /proofs\//, /template\//],
  themeConfig: {
    search: { provider: "local" as const },
    socialLinks: [{ icon: "github" as const, link: repository.replace("/blob/main", "") }],
    outline: [2, 3] as [number, number],
    sidebar: [
      { text: "Read", items: linkedIn(users).map(titled) },
      { text: "From the sources", items: linkedIn(others).map(titled) },
      {
        text: "Change it",
        items: [
          { text: "Contributing", link: "/CONTRIBUTING" },
          { text: "Changelog", link: "/CHANGELOG" }
        ]
      }
    ]
  }
}
