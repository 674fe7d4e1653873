/** Calls of every command in the shop, with the hostile text in their arguments. */
import * as Shop from "./Shop.ts"

export interface Call {
  readonly args: ReadonlyArray<string>
  /** Text in the output after which a running command is ended. */
  readonly until?: RegExp
  readonly input?: string
  /** Fiscal day that a comparison has found to differ before the call. */
  readonly differs?: number
}

/** Returns the calls in their order. */
export const calls = (hostile: string): ReadonlyArray<Call> => {
  const file = Shop.exportName(hostile)
  const config = ["--config", "account.json"]
  const named = ["--config", "named.json"]
  const jsonToo = (...args: ReadonlyArray<string>): ReadonlyArray<Call> => [{ args }, { args: [...args, "--json"] }]
  const kinds = ["xlsx", "xero-like", "quickbooks-like", "odoo-like", "erpnext-like"]
  const gateway = [
    ...[
      "profile",
      "fiscaldevice",
      "subscription",
      "test",
      "tax-mappings",
      "supported-currencies",
      "currency-mappings"
    ].map((operation) => [operation]),
    ["submit-invoice", "body.json"],
    ["submit-credit-note", "body.json"],
    ["status", hostile],
    ["download-pdf", hostile, "--out", `pdf ${hostile}`],
    ["z-reports"],
    ["z-report", "1"],
    ["z-report-pdf", "1", "--out", `z ${hostile}`],
    ["tax-mapping", hostile],
    ["add-tax-mapping", hostile, hostile, "515"],
    ["update-tax-mapping", hostile, hostile, "515"],
    ["delete-tax-mapping", hostile],
    ["currency-mapping", hostile],
    ["add-currency-mapping", hostile, hostile],
    ["update-currency-mapping", hostile, hostile],
    ["delete-currency-mapping", hostile]
  ]
  return [
    ...jsonToo("columns", "csv", file),
    { args: ["columns", "xlsx", file] },
    // At this point, no book exists beside the export.
    ...jsonToo("plan", "erpnext-like", "erpnext-like.json", "--write-answers", "open-erpnext.json"),
    { args: ["book", "draft", "csv", file, "--book", "drafted.book.json", "--amounts", "exclusive"] },
    ...kinds.map((kind) => ({ args: ["book", "draft", kind, `${kind}.json`, "--book", `${kind}.book.json`] })),
    ...jsonToo("book", "check", "book.json"),
    ...jsonToo("book", "explain", hostile, "--book", "book.json"),
    ...jsonToo("config", "check", ...named, "--book", "book.json"),
    ...jsonToo("config", "check", ...config),
    { args: ["init", file, "--account", hostile, "--base-url", hostile, "--zone", hostile] },
    { args: ["init", `nowhere ${hostile}`, "--config", `new ${hostile}.json`] },
    { args: ["plan", "csv", file, "--write-answers", "open.json"] },
    ...jsonToo("start", file, "--sandbox"),
    { args: ["start", file, "--sandbox", "--answers", "open.json"] },
    ...jsonToo("start", file, "--sandbox", "--answers", "wrong.answers.json", "--book", `started ${hostile}.json`),
    { args: ["start", file, "--sandbox", "--answers", "body.json"] },
    { args: ["start", file, "--answers", "answers.json", ...config, "--account", hostile] },
    { args: ["start", file, "--base-url", hostile, "--application", hostile, "--station", hostile] },
    { args: ["start", "erpnext-like.json", "--sandbox"] },
    { args: ["start", "erpnext-like.json", "--sandbox", "--answers", "open-erpnext.json"] },
    { args: ["start", "erpnext-like.json", "--sandbox", "--answers", "erpnext-like.answers.json"] },
    ...jsonToo("start", "till.csv", "--sandbox", "--answers", "answers.json"),
    { args: ["start", `nowhere ${hostile}`, "--sandbox", "--answers", `nowhere ${hostile}`] },
    ...jsonToo("doctor", ...config, "--book", "book.json"),
    { args: ["doctor", ...named, "--account", hostile] },
    ...jsonToo("mappings", "plan", ...config, "--book", "book.json"),
    { args: ["mappings", "apply", ...config, "--book", "book.json"] },
    { args: ["mappings", "pull", ...config, "--book", "pulled.book.json"] },
    ...jsonToo("plan", "csv", file, ...config, "--book", "book.json", "--amounts", "exclusive"),
    { args: ["plan", "csv", file] },
    { args: ["plan", "csv", file, "--amounts", "exclusive"] },
    {
      args: [
        "import",
        "csv",
        file,
        ...config,
        "--book",
        "book.json",
        "--amounts",
        "exclusive",
        "--send-rest",
        "--report",
        "report.html"
      ]
    },
    {
      args: ["import", "csv", file, ...config, "--book", "book.json", "--amounts", "exclusive", "--send-rest", "--json"]
    },
    { args: ["import", "csv", "plain.csv", "--book", "book.json", "--amounts", "exclusive", "--sandbox"] },
    ...kinds.flatMap((kind) => [
      { args: ["import", kind, `${kind}.json`, ...config, "--book", "book.json"] },
      { args: ["plan", kind, `${kind}.json`, ...config, "--book", "book.json", "--json"] },
      { args: ["plan", kind, `${kind}.json`, "--book", `${kind}.book.json`] }
    ]),
    { args: ["import", "json", file] },
    { args: ["import", file, "--adapter", "./broken.mjs", ...config] },
    ...jsonToo("sync", hostile, ...config),
    { args: ["source", "login", hostile, ...config] },
    { args: ["source", "forget", hostile, "--because", hostile, ...config] },
    ...jsonToo("resume", ...config),
    ...jsonToo("list", ...config),
    { args: ["list", ...config, "--search", hostile] },
    { args: ["list", ...config, "--state", hostile] },
    ...jsonToo("explain", "INV-7", ...config),
    ...jsonToo("explain", `INV-2 ${hostile}`, ...config),
    { args: ["explain", "INV-5", ...config] },
    ...jsonToo("imports", ...config),
    { args: ["imports", "1", ...config, "--report", "again.html"] },
    ...jsonToo("imports", "refused", ...config),
    { args: ["imports", "dismiss", hostile, ...config, "--account", hostile, "--because", hostile] },
    { args: ["imports", "cancel", hostile, ...config] },
    { args: ["imports", "cancel", "1", ...config] },
    ...jsonToo("health", ...config),
    { args: ["resolve", "INV-7", "--fiscalised", "--verification", hostile, ...config, "--because", hostile] },
    { args: ["resolve", "INV-5", "--rejected", hostile, ...config, "--because", hostile] },
    { args: ["resolve", hostile, "--accepted", hostile, ...config, "--because", hostile] },
    { args: ["withdraw", `INV-2 ${hostile}`, ...config, "--because", hostile] },
    { args: ["withdraw", "INV-5", ...config, "--because", hostile] },
    { args: ["originals", "import", "originals.json", ...config] },
    { args: ["originals", "import", file, "--format", "csv", ...config, "--book", "book.json"] },
    { args: ["pdf", "INV-7", ...config, "--out", `INV ${hostile}.pdf`] },
    { args: ["pdf", "--all", ...config, "--out-dir", `pdfs ${hostile}`] },
    { args: ["account", "accept-unknown", "taxes", ...config, "--because", hostile] },
    { args: ["account", "trust-origin", "main", ...config, "--because", hostile] },
    { args: ["account", "trust-origin", hostile, ...config, "--because", hostile] },
    { args: ["account", "repin", "main", ...config, "--because", hostile] },
    { args: ["health", ...config], differs: 4 },
    { args: ["health", ...config, "--json"] },
    { args: ["z-reports", "acknowledge", "1", ...config, "--because", hostile] },
    { args: ["z-reports", "acknowledge", "4", ...config, "--because", hostile, "--as", hostile] },
    { args: ["z-reports", "acknowledge", hostile, ...config, "--because", hostile] },
    { args: ["z-reports", "acknowledge", "1", ...named, "--account", hostile, "--because", hostile] },
    ...jsonToo("credit", ...config),
    ...jsonToo("credit", "INV-7", ...config),
    ...jsonToo("credit", `INV-2 ${hostile}`, ...config, "--because", hostile, "--full"),
    { args: ["credit", hostile, ...config, "--because", hostile, "--number", hostile] },
    { args: ["reconcile", "acknowledge", hostile, ...config, "--because", hostile] },
    { args: ["device", "others", ...config, "--because", hostile, "--as", hostile] },
    { args: ["device", "alone", ...named, "--account", hostile, "--because", hostile] },
    ...jsonToo("audit", ...config),
    ...jsonToo("audit", "verify", ...config),
    ...jsonToo("z-reports", ...config),
    { args: ["forget", "--before", hostile, ...config] },
    { args: ["forget", "--before", "2026-12-31", "--do-it", ...config] },
    { args: ["store", "backup", `copy ${hostile}.db`, ...config] },
    { args: ["store", "backup", "--keep", "1", `backups ${hostile}`, ...config] },
    { args: ["store", "backup", "--keep", hostile, "backups", ...config] },
    { args: ["store", "accept-older", ...config, "--because", hostile] },
    { args: ["support-bundle", ...config, "--out", `bundle ${hostile}.json`] },
    { args: ["why", hostile] },
    ...jsonToo("docs", hostile),
    ...jsonToo("docs", "mapping-book"),
    { args: ["docs"] },
    { args: ["assumptions", hostile] },
    { args: ["webhook", "check", "http://127.0.0.1:9/", ...config] },
    { args: ["webhook", "check", hostile, ...config] },
    { args: ["adapter", "create", hostile] },
    { args: ["adapter", "dryrun", "--adapter", hostile, file] },
    { args: ["adapter", "dryrun", "--adapter", "./adapter.mjs", file] },
    { args: ["adapter", "check", "--adapter", "./adapter.mjs", "--fixtures", hostile] },
    ...gateway.flatMap((operation) => jsonToo("gateway", ...operation, ...config)),
    { args: ["work", ...named] },
    { args: ["work", ...config, "--log-level", "info"], until: /\n/ },
    { args: ["work", ...config, "--json"], until: /\n/ },
    { args: ["work", ...config, "--status-port", "0", "--log-format", "json"], until: /metrics/ },
    { args: ["serve", ...config, "--port", "0", "--status-port", "0"], until: /metrics/ },
    { args: ["serve", ...config, "--port", hostile] },
    { args: ["ui", ...config, "--no-open"], until: /http:/ },
    { args: ["sandbox", "--port", "0", "--book", "book.json"], until: /http:/ },
    { args: ["sandbox", "--book", file] },
    { args: ["store", "copy", "--from", "fiscal-connector.db", "--to", `other ${hostile}.db`] },
    { args: ["health", ...config] },
    { args: ["work", ...config] },
    { args: [hostile] },
    { args: [`--${hostile}`] }
  ]
}
