/**
 * Documentation as static pages with search: `pnpm site` writes `dist/site`. The pages are the same
 * Markdown files that are read in the repository.
 */
import { join } from "node:path"

const repository = "https://github.com/fiscal-connector/fiscal-connector/blob/main"

const page = (text: string, link: string) => ({ text, link })

export default {
  title: "fiscal-connector",
  description: "Sends invoices and credit notes to a fiscal invoicing gateway, each exactly once, and keeps the proof.",
  lang: "en-US",
  srcDir: join(import.meta.dirname, "../.."),
  outDir: join(import.meta.dirname, "../../dist/site"),
  cacheDir: join(import.meta.dirname, "../../node_modules/.cache/site"),
  srcExclude: [
    "**/node_modules/**",
    "dist/**",
    "tools/**",
    "site/**",
    "proofs/**",
    "packages/*/test/**",
    "packages/*/template/**",
    "examples/**"
  ],
  rewrites: { "README.md": "index.md" },
  cleanUrls: false,
  // Links to source files and folders are links into the repository, not pages.
  ignoreDeadLinks: [/^(?!.*\.md)/, /LICENSE/, /index$/, /examples\//, /proofs\//, /template\//],
  themeConfig: {
    search: { provider: "local" as const },
    socialLinks: [{ icon: "github" as const, link: repository.replace("/blob/main", "") }],
    outline: [2, 3] as [number, number],
    nav: [
      page("Tutorial", "/docs/tutorial"),
      page("Reference", "/docs/configuration"),
      page("Codes", "/docs/errors/README")
    ],
    sidebar: [
      {
        text: "Tutorial",
        items: [
          page("Overview", "/"),
          page("A conversation about an unknown file", "/docs/start"),
          page("Your first own file", "/docs/tutorial")
        ]
      },
      {
        text: "How-to",
        items: [
          page("Answer the questions of an export", "/docs/questions"),
          page("Read Excel files", "/docs/xlsx"),
          page("Use the browser page", "/docs/page"),
          page("Decide about documents", "/docs/submissions"),
          page("Keep and restore the store", "/docs/store"),
          page("Run it all the time", "/docs/workers"),
          page("Receive webhooks", "/docs/webhooks"),
          page("Run it in a container", "/docs/container"),
          page("Sync with an accounting system", "/docs/sync"),
          page("Embed it in a job", "/docs/embedding"),
          page("Write an adapter", "/docs/adapters"),
          page("Upgrade", "/docs/upgrade")
        ]
      },
      {
        text: "Reference",
        items: [
          page("Configuration", "/docs/configuration"),
          page("Mapping book", "/docs/mapping-book"),
          page("Mappings of the gateway", "/docs/mappings"),
          page("Codes", "/docs/errors/README"),
          page("JSON output", "/docs/json"),
          page("Doctor", "/docs/doctor"),
          page("Observability", "/docs/observability"),
          page("Sandbox", "/docs/sandbox"),
          page("What is compared", "/docs/witnesses"),
          page("Assumptions about the gateway", "/docs/assumptions"),
          page("Capabilities of the gateway", "/docs/capabilities"),
          page("Versioning", "/docs/versioning"),
          page("Changelog", "/CHANGELOG")
        ]
      },
      {
        text: "Explanation",
        items: [
          page("Architecture", "/docs/architecture"),
          page("The gateway", "/docs/gateway"),
          page("Scale", "/docs/scale"),
          page("Threat model", "/docs/threat-model"),
          page("Style", "/docs/style"),
          page("Contributing", "/CONTRIBUTING")
        ]
      }
    ]
  }
}
