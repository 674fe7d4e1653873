/**
 * Output of the command for each code caused by a gateway answer, with one change in the answers.
 * UPDATE_GOLDEN=1 writes the files again.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { shellText } from "../src/output/Call.ts"
import { before, type Exchange } from "./RecordingProxy.ts"
import { connector, folderWith, gatewayFor } from "./RunningConnector.ts"

const outputs = join(import.meta.dirname, "answers")

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,Total\n"
const row = (number: string, taxCode: string) =>
  `${number},2026-03-02,USD,inclusive,Solar lamp,2,9.99,${taxCode},85131000,19.98\n`

const book = JSON.stringify({
  version: 1,
  zone: "+02:00",
  taxes: [
    { from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" },
    { from: ["Zero"], code: "ZERO", device: 2, percent: "0" }
  ],
  currencies: [{ code: "USD", device: "USD" }]
})

type Fields = Record<string, unknown>
type Rewritten = string | { readonly status: number; readonly answer: string }

interface Case {
  /** Codes that the output must name. */
  readonly codes: ReadonlyArray<string>
  readonly code: number
  /** End of the path whose answers are changed. */
  readonly path: string
  readonly change: (answer: string) => Rewritten
  /** Arguments after the files and the account. Default `plan`, which sends nothing. */
  readonly run?: ReadonlyArray<string>
}

const json = (change: (answer: Fields) => Fields) => (answer: string) =>
  JSON.stringify(change(JSON.parse(answer) as Fields))
const device = (change: Fields) => json((answer) => ({ ...answer, ...change }))
const configured = (change: (config: Fields) => Fields) =>
  json((answer) => ({
    ...answer,
    CurrentConfig: JSON.stringify(change(JSON.parse(String(answer["CurrentConfig"])) as Fields))
  }))
const items = (change: Fields) => (answer: string) =>
  JSON.stringify((JSON.parse(answer) as ReadonlyArray<Fields>).map((item) => ({ ...item, ...change })))
/** Changes the mapping of one code. */
const mapped = (code: string, change: Fields) => (answer: string) =>
  JSON.stringify(
    (JSON.parse(answer) as ReadonlyArray<Fields>).map((mapping) =>
      mapping["TaxCode"] === code ? { ...mapping, ...change } : mapping
    )
  )
const instead = (status: number, answer: string) => () => ({ status, answer })

const importing = ["import", "csv", "sales.csv", "--book", "sales.book.json", "--config", "account.json"]
const asking = ["gateway", "tax-mappings", "--config", "account.json"]
const examining = ["doctor", "--config", "account.json"]
const onlyDevice = "/fiscaldevice"

const cases: Readonly<Record<string, Case>> = {
  "no-configuration": {
    codes: ["FACT_MISSING"],
    code: 2,
    path: onlyDevice,
    change: device({ CurrentConfig: null })
  },
  "a-near-miss-in-a-tax": {
    codes: ["FACT_UNREADABLE"],
    code: 2,
    path: onlyDevice,
    change: configured(({ applicableTaxes, ...config }) => ({
      ...config,
      applicableTaxes: (applicableTaxes as ReadonlyArray<Fields>).map(({ taxValidFrom, ...tax }) =>
        taxValidFrom === undefined ? tax : { ...tax, taxValidFromDate: taxValidFrom }
      )
    }))
  },
  "no-list-of-currencies": {
    codes: ["FACT_NOT_STATED"],
    code: 0,
    path: "/supported-currencies",
    change: instead(404, "")
  },
  "a-field-that-decides-nothing": {
    codes: ["ANSWER_MISFIT"],
    code: 0,
    path: onlyDevice,
    change: device({ BillingStatus: "Paid" })
  },
  "a-field-that-decides-everything": {
    codes: ["ANSWER_MALFORMED"],
    code: 1,
    path: onlyDevice,
    change: device({ IsActive: "perhaps" })
  },
  "another-state-of-the-subscription": {
    codes: ["SUBSCRIPTION_UNKNOWN"],
    code: 0,
    path: "/subscription",
    change: json((answer) => ({ ...answer, Status: "in_trial" }))
  },
  "a-subscription-that-has-ended": {
    codes: ["SUBSCRIPTION_INACTIVE"],
    code: 0,
    path: "/subscription",
    change: json((answer) => ({ ...answer, Status: "cancelled" }))
  },
  "a-page-instead-of-an-answer": {
    codes: ["NOT_A_GATEWAY"],
    code: 1,
    path: onlyDevice,
    change: () => "<html><body>It works!</body></html>"
  },
  "a-mapping-that-cannot-be-read": {
    codes: ["FACT_UNREADABLE", "ANSWER_MISFIT"],
    code: 2,
    path: "/taxmapping",
    change: mapped("VAT155", { DestinationTaxId: "x" })
  },
  "a-mapping-whose-code-cannot-be-read": {
    codes: ["FACT_UNREADABLE", "ANSWER_MISFIT"],
    code: 2,
    path: "/taxmapping",
    change: mapped("VAT155", { TaxCode: { code: "VAT155" } })
  },
  "a-plan-of-mappings-beside-a-row-that-cannot-be-read": {
    codes: ["MAPPING_UNREADABLE"],
    code: 2,
    path: "/taxmapping",
    change: mapped("VAT155", { DestinationTaxId: "x" }),
    run: ["mappings", "plan", "--book", "sales.book.json", "--config", "account.json"]
  },
  "a-list-of-mappings-with-a-row-that-cannot-be-read": {
    codes: ["ANSWER_MISFIT"],
    code: 0,
    path: "/taxmapping",
    change: mapped("VAT155", { DestinationTaxId: "x" }),
    run: asking
  },
  "a-book-drafted-from-mappings-that-cannot-be-read": {
    codes: ["ANSWER_MISFIT"],
    code: 0,
    path: "/taxmapping",
    change: mapped("VAT155", { DestinationTaxId: "x" }),
    run: ["mappings", "pull", "--book", "new.book.json", "--zone", "+02:00", "--config", "account.json"]
  },
  "a-doctor-without-a-configuration": {
    codes: ["FACT_MISSING"],
    code: 1,
    path: onlyDevice,
    change: device({ CurrentConfig: null }),
    run: examining
  },
  "a-doctor-with-facts-that-cannot-be-read": {
    codes: ["FACT_UNREADABLE"],
    code: 1,
    path: "/supported-currencies",
    change: () => "5",
    run: examining
  },
  "a-redirect": {
    codes: ["GATEWAY_REDIRECTS"],
    code: 1,
    path: "/taxmapping",
    change: instead(302, ""),
    run: asking
  },
  "a-list-that-is-none": {
    codes: ["ANSWER_MALFORMED"],
    code: 1,
    path: "/taxmapping",
    change: () => `{"error":"later"}`,
    run: asking
  },
  "one-proof-for-two-documents": {
    codes: ["PROOF_SHARED"],
    code: 3,
    path: "/status",
    change: items({ QrData: { VerificationCode: "ABCD-0000-0000-0001", FiscalDay: 1, InvoiceNumber: 1 } }),
    run: importing
  },
  "a-success-with-a-text": {
    codes: ["SUCCESS_WITH_ERROR"],
    code: 3,
    path: "/status",
    change: items({ Error: "RCPT025: the tax is not valid on this date" }),
    run: importing
  }
}

const lasting = (text: string, folder: string, ...urls: ReadonlyArray<string>) =>
  urls
    .reduce((all, url) => all.replaceAll(url, "http://127.0.0.1:PORT"), text.replaceAll(folder, "/FOLDER"))
    .replaceAll(/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?Z?/g, "TIME")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/\b[0-9A-F]{4}(-[0-9A-F]{4}){3}\b/g, "CODE")
    .replaceAll(/\d+ days left/g, "N days left")
    .replaceAll(/^(.* of \d+ documents have their outcome.*|[\d,]+ documents read, .*)\n/gm, "")

describe.concurrent("the printed output for an answer with", () => {
  for (const [name, { change, code, codes, path, run }] of Object.entries(cases)) {
    it.live(`${name.replaceAll("-", " ")} names ${codes.join(", ")}`, function* () {
      const cwd = yield* folderWith()
      const sandbox = yield* gatewayFor(cwd, { gateway: { processingDelayMillis: 1 } })
      const rewrite = ({ answer, status, url }: Exchange) => {
        if (!url.pathname.endsWith(path) || answer === "[]") return { status, answer }
        const changed = change(answer)
        return typeof changed === "string" ? { status, answer: changed } : changed
      }
      const proxy = yield* before(sandbox.url, rewrite)
      const account = readFileSync(join(cwd, "account.json"), "utf8").replace(sandbox.url, proxy.url)
      writeFileSync(join(cwd, "account.json"), account)
      writeFileSync(join(cwd, "sales.csv"), header + row("S-1", "Standard") + row("S-2", "Zero"))
      writeFileSync(join(cwd, "sales.book.json"), book)
      const args = run ?? ["plan", ...importing.slice(1)]
      const ended = yield* connector(args, { cwd, env: { COLUMNS: "120" } })
      const text = lasting(
        `$ connector ${shellText(args).replace(/^connector /, "")}\n${ended.out}${ended.err === "" ? "" : `--- standard error\n${ended.err}`}[${ended.code}]\n`,
        cwd,
        sandbox.url,
        proxy.url
      )
      const file = join(outputs, `${name}.txt`)
      if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, text)
      for (const one of codes) assert.include(text, one)
      assert.strictEqual(ended.code, code, text)
      assert.strictEqual(text, readFileSync(file, "utf8"))
    })
  }
})

describe("the golden outputs", () => {
  it("have one file for every case, and no other files", () => {
    assert.deepStrictEqual(
      readdirSync(outputs).toSorted(),
      Object.keys(cases)
        .map((name) => `${name}.txt`)
        .toSorted()
    )
  })
})
