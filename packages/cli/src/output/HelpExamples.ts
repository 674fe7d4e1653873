/** Examples in the help of each command, by command name. A test runs each example. */
import { formats, type FormatRow } from "../format/Formats.ts"

const endings = { text: "csv", workbook: "xlsx", json: "json" }

const importing = ({
  columns,
  content,
  example = "",
  name
}: FormatRow): Readonly<Record<string, ReadonlyArray<string>>> => {
  const file = `sales.${endings[content]}`
  return {
    [`plan ${name}`]: [
      `connector plan ${name} ${file}${example}`,
      `connector plan ${name} ${file}${example} --config accounts.json`
    ],
    [`import ${name}`]: [
      `connector import ${name} ${file}${example} --sandbox`,
      `connector import ${name} ${file}${example} --config accounts.json`
    ],
    [`book draft ${name}`]: [`connector book draft ${name} ${file}`],
    ...(columns && { [`columns ${name}`]: [`connector columns ${name} ${file} > sales.columns.json`] })
  }
}

const gateway = (name: string, rest = "") => ({
  [`gateway ${name}`]: [`connector gateway ${name}${rest} -c accounts.json`]
})

export const examples: Readonly<Record<string, ReadonlyArray<string>>> = {
  "": ["connector start sales.csv", "connector import sales.csv --sandbox", "connector why RCPT025"],
  start: [
    "connector start sales.csv --sandbox",
    "connector start sales.csv --config accounts.json --answers answers.json"
  ],
  init: [
    "connector init sales.csv",
    "connector init --base-url https://gateway.example --application till --station 1 --key-file main.key --zone +02:00"
  ],
  ...Object.fromEntries(formats.flatMap((row) => Object.entries(importing(row)))),
  plan: ["connector plan csv sales.csv"],
  import: ["connector import csv sales.csv --config accounts.json"],
  columns: ["connector columns csv sales.csv > sales.columns.json"],
  source: ["connector source login books --config accounts.json"],
  "source login": ["connector source login books --config accounts.json"],
  "source forget": ["connector source forget books --because 'the source is not used any more' -c accounts.json"],
  sync: ["connector sync books --config accounts.json", "connector sync books --every 5m -c accounts.json"],
  resume: ["connector resume --config accounts.json"],
  list: [
    "connector list --state Held -c accounts.json",
    "connector list --since 2026-02-01 --csv -c accounts.json > february.csv"
  ],
  imports: ["connector imports -c accounts.json", "connector imports 1 --report january.html -c accounts.json"],
  "imports cancel": ["connector imports cancel 1 -c accounts.json"],
  "imports refused": ["connector imports refused -c accounts.json --account main"],
  "imports dismiss": ['connector imports dismiss INV-7 -c accounts.json --account main --because "a test document"'],
  explain: ["connector explain INV-0042 -c accounts.json"],
  forget: [
    "connector forget --before 2020-01-01 -c accounts.json",
    "connector forget --before 2020-01-01 --do-it -c accounts.json"
  ],
  resolve: [
    "connector resolve INV-0042 --accepted REQUEST_ID --because '<what you saw in the portal>' -c accounts.json",
    "connector resolve INV-0042 --not-processed --because '<what you saw in the portal>' -c accounts.json"
  ],
  withdraw: [
    "connector withdraw INV-0042 --because '<what you saw in the portal>' -c accounts.json",
    "connector withdraw --import 7 --because '<what you saw in the portal>' -c accounts.json"
  ],
  originals: ["connector originals import sales-2025.csv --format csv -c accounts.json"],
  "originals import": ["connector originals import sales-2025.csv --format csv -c accounts.json"],
  pdf: ["connector pdf INV-0042 -c accounts.json", "connector pdf --all --out-dir pdf -c accounts.json"],
  audit: ["connector audit -c accounts.json", "connector audit verify -c accounts.json"],
  "audit verify": ["connector audit verify -c accounts.json"],
  health: ["connector health -c accounts.json", "connector health --watch -c accounts.json"],
  store: ["connector store backup 2026-02-01.db -c accounts.json"],
  "store backup": [
    "connector store backup 2026-02-01.db -c accounts.json",
    "connector store backup --keep 14 backups -c accounts.json"
  ],
  "store copy": [
    "connector store copy --from fiscal-connector.db --to postgres://user@host/database",
    "connector store copy --from old.json --to accounts.json"
  ],
  "store accept-older": ["connector store accept-older --because '<why>' -c accounts.json"],
  book: ["connector book check sales.book.json"],
  "book check": ["connector book check sales.book.json"],
  "book explain": ["connector book explain Standard 2026-01-31 --book sales.book.json"],
  "book draft": ["connector book draft csv sales.csv"],
  adapter: ["connector adapter create my-till"],
  "adapter create": ["connector adapter create my-till"],
  "adapter dryrun": ["connector adapter dryrun --adapter ./my-till sales.json"],
  "adapter check": ["connector adapter check --adapter ./my-till"],
  mappings: ["connector mappings plan --book sales.book.json -c accounts.json"],
  "mappings plan": ["connector mappings plan --book sales.book.json -c accounts.json"],
  "mappings apply": ["connector mappings apply --book sales.book.json -c accounts.json"],
  "mappings pull": ["connector mappings pull --book sales.book.json --zone +02:00 -c accounts.json"],
  doctor: ["connector doctor -c accounts.json", "connector doctor --book sales.book.json -c accounts.json"],
  "support-bundle": [
    "connector support-bundle -c accounts.json",
    "connector support-bundle --book sales.book.json --out bundle.json -c accounts.json"
  ],
  credit: [
    "connector credit INV-2 -c accounts.json",
    `connector credit INV-2 -c accounts.json --because "the customer sent the goods back"`
  ],
  reconcile: [
    "connector reconcile --from 2026-03-01 --to 2026-03-31 -c accounts.json",
    "connector reconcile march.csv --from 2026-03-01 --to 2026-03-31 -c accounts.json"
  ],
  "reconcile acknowledge": [
    `connector reconcile acknowledge 4dc1f3a90b -c accounts.json --because "credited in April"`
  ],
  "z-reports": ["connector z-reports -c accounts.json", "connector z-reports --day 12 -c accounts.json"],
  device: [`connector device others -c accounts.json --because "the till at the counter"`],
  "device others": [`connector device others -c accounts.json --because "the till at the counter"`],
  "device alone": [`connector device alone -c accounts.json --because "the till was sold"`],
  "z-reports acknowledge": [`connector z-reports acknowledge 12 -c accounts.json --because "the till was tried out"`],
  docs: ["connector docs", "connector docs mapping-book"],
  why: ["connector why RCPT025", "connector why Unknown", "connector why 409", "connector why ECONNREFUSED"],
  gateway: [
    "connector gateway fiscaldevice -c accounts.json",
    "connector gateway tax-mappings --json -c accounts.json"
  ],
  ...gateway("profile"),
  ...gateway("fiscaldevice"),
  ...gateway("subscription"),
  ...gateway("test"),
  ...gateway("submit-invoice", " invoice.json"),
  ...gateway("submit-credit-note", " credit-note.json"),
  ...gateway("status", " REQUEST_ID"),
  ...gateway("download-pdf", " NAME --out invoice.pdf"),
  ...gateway("z-reports", " --since-day 12"),
  ...gateway("z-report", " 12"),
  ...gateway("z-report-pdf", " 12 --out day-12.pdf"),
  ...gateway("tax-mappings"),
  ...gateway("tax-mapping", " 7"),
  ...gateway("add-tax-mapping", " VAT15 'VAT 15 %' 1"),
  ...gateway("update-tax-mapping", " 7 VAT15 'VAT 15 %' 1"),
  ...gateway("delete-tax-mapping", " 7"),
  ...gateway("supported-currencies"),
  ...gateway("currency-mappings"),
  ...gateway("currency-mapping", " 7"),
  ...gateway("add-currency-mapping", " USD USD"),
  ...gateway("update-currency-mapping", " 7 USD USD"),
  ...gateway("delete-currency-mapping", " 7"),
  account: ["connector account repin main --because 'the device was replaced' -c accounts.json"],
  "account repin": ["connector account repin main --because 'the device was replaced' -c accounts.json"],
  "account accept-unknown": [
    "connector account accept-unknown taxes --because 'the portal shows them' -c accounts.json"
  ],
  "account trust-origin": ["connector account trust-origin main --because 'the gateway moved' -c accounts.json"],
  config: ["connector config check -c accounts.json"],
  "config check": ["connector config check -c accounts.json"],
  assumptions: ["connector assumptions", "connector assumptions DOC-10"],
  work: ["connector work -c accounts.json"],
  serve: ["connector serve -c accounts.json"],
  ui: ["connector ui --no-open", "connector ui --config accounts.json"],
  webhook: ["connector webhook check https://example.test/webhooks/main -c accounts.json"],
  "webhook check": ["connector webhook check https://example.test/webhooks/main -c accounts.json"],
  sandbox: ["connector sandbox", "connector sandbox --book sales.book.json --port 4011 --state sandbox.json"]
}
