/**
 * Causes every refusal of the packed packages, like a job and like a user of the command: each
 * reason of an AdapterError by each adapter that can cause it, and each code of
 * FiscalConnectorError. Prints one row for each cell that is wrong, and the number of cells.
 *
 * Codes without a cell:
 *
 * | code | job | command | reason |
 * |---|---|---|---|
 * | `internal` | none | none | only a defect of the package causes it |
 * | `pending` | yes | none | the command has no call that waits for one document; what is open ends in exit code 3 |
 * | `cursor_unknown` | yes | none | the command has no cursor: `list` reads the store as it is |
 * | `closed` | yes | none | the process of a command ends with its connector |
 */
import * as CsvAdapter from "@fiscal-connector/adapter-csv/CsvAdapter"
import { adapter as erpnext } from "@fiscal-connector/adapter-erpnext-like"
import { defineAdapter } from "@fiscal-connector/adapter-kit"
import { adapter as odoo } from "@fiscal-connector/adapter-odoo-like"
import { adapter as quickbooks } from "@fiscal-connector/adapter-quickbooks-like"
import { adapter as xero } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import * as XeroLikeCompany from "@fiscal-connector/adapter-xero-like/XeroLikeCompany"
import { adapter as xlsx } from "@fiscal-connector/adapter-xlsx/XlsxAdapter"
import { bookWith, connect, FiscalConnectorError } from "@fiscal-connector/promise"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import * as SourceServer from "@fiscal-connector/sandbox/source/SourceServer"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { createServer } from "node:http"
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

const folder = mkdtempSync(join(tmpdir(), "refusals-"))
let cells = 0
const wrong = []

/** Compares one cell. `expected` is a text, or a pattern. */
const cell = (name, expected, got) => {
  cells++
  const isRight = expected instanceof RegExp ? expected.test(got) : expected === got
  if (!isRight) wrong.push(`${name}: expected ${expected}, got ${got}`)
}

/** Returns the error of a call; a text if the call succeeds or rejects with another value. */
const refusalOf = async (call) => {
  try {
    await call()
    return { code: "no error", problems: [], message: "" }
  } catch (error) {
    if (error instanceof FiscalConnectorError) return error
    return { code: `another value: ${String(error)}`, problems: [], message: "" }
  }
}

const refused = async (code, call) => {
  const error = await refusalOf(call)
  cell(`promise, ${code}`, code, error.code)
  return error
}

const invoice = (number, changes = {}) => ({
  kind: "invoice",
  id: number,
  number,
  date: "2026-03-02",
  currency: "USD",
  taxMode: "inclusive",
  lines: [
    { description: "Solar lamp", quantity: "2", unitPrice: "9.99", taxCode: "Standard", productCode: "85131000" }
  ],
  totals: { total: "19.98" },
  ...changes
})

const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
  currencies: [{ code: "USD", device: "USD" }]
}
const mapped = {
  taxMappings: [
    { taxCode: "VAT155", destinationTaxId: 515 },
    { taxCode: "ZERO", destinationTaxId: 2 }
  ],
  currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
}

/** Options of `connect`; each call has another store unless `changes` names one. */
let stores = 0
const optionsAt =
  (baseUrl) =>
  (apiKey, changes = {}) => ({
    account: "shop",
    config: { baseUrl, application: "shop", station: "till-1", apiKey, settings: { assumptions: { "STAT-7": 1 } } },
    book,
    store: { sqlite: join(folder, `store-${++stores}.db`) },
    witnessFile: join(folder, `witness-${stores}.json`),
    ...changes
  })

/** Runs `use` with a connector, and closes it. */
const within = async (options, use) => {
  const fiscal = await connect(options)
  try {
    return await use(fiscal)
  } finally {
    await fiscal.close()
  }
}

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,Total\n"
const rowOf = (date) => `S-1,${date},USD,inclusive,Solar lamp,2,9.99,Standard,85131000,19.98\n`
const bytes = (text) => new TextEncoder().encode(text)

/** An adapter as an integrator writes it, with the copies of core and Effect from the registry. */
const own = (read) => defineAdapter({ name: "acme", extensions: [".json"], read })
const reading = own(async function* (file, { document, json }) {
  for await (const row of json.items(file, "/rows")) yield document(row, {})
})
const throwing = own(async function* () {
  throw new RangeError("an exception of the adapter")
})

const adapters = { csv: CsvAdapter.adapter, xlsx, xero, quickbooks, erpnext, odoo, own: reading }
/** Options without which an adapter refuses before it reads. */
const needed = { xero: { productCode: "item-code" } }
const extensionOf = (name) => (name === "csv" || name === "xlsx" ? name : "json")

/** A file that no adapter takes for an export, and a gzip file that is cut off. */
const unreadable = bytes("a,b\n1,2\n")
const damaged = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3)

/** Lays the options of a choice over the given ones, and settings over settings. */
const laidOver = (given, chosen) => {
  const settings = { ...given.settings, ...chosen.settings }
  return { ...given, ...chosen, ...(Object.keys(settings).length > 0 && { settings }) }
}

/** Plans again and again with the first choice of each question, as a program would offer it. */
const settled = async (fiscal, given) => {
  let options = given.options ?? {}
  for (let round = 0; round < 5; round++) {
    const error = await refusalOf(async () => {
      const plan = await fiscal.plan({ ...given, options })
      await plan[Symbol.asyncDispose]()
    })
    if (error.code === "no error") return "settled"
    if (error.code !== "export_ambiguous") return error.code
    for (const { choices = [] } of error.problems) {
      const choice = choices.find(({ settles }) => settles === "options")
      if (choice === undefined) return "a question without a choice"
      options = laidOver(options, choice.options)
    }
  }
  return "never settled"
}

const reasons = async (fiscal) => {
  const refusedBy = async (name, adapter, files, code, reason) => {
    const error = await refusalOf(() => fiscal.plan({ adapter, files, options: needed[name] ?? {} }))
    cell(`${name}, ${reason}`, `${code} ${reason}`, `${error.code} ${error.problems[0]?.code}`)
    cell(`${name}, ${reason}: a fix`, /./, error.problems[0]?.fix ?? "")
  }
  for (const [name, adapter] of Object.entries(adapters)) {
    const extension = extensionOf(name)
    const fileOf = (bytes) => [{ name: `file.${extension}`, bytes }]
    await refusedBy(name, adapter, fileOf(unreadable), "export_unreadable", "ExportUnreadable")
    await refusedBy(name, adapter, [join(folder, `absent.${extension}`)], "export_unreadable", "InputFailed")
    if (name !== "xlsx") await refusedBy(name, adapter, fileOf(damaged), "export_unreadable", "InputFailed")
  }
  const ambiguous = header + rowOf("03/02/2026")
  const csv = { adapter: CsvAdapter.adapter, files: [{ name: "sales.csv", bytes: bytes(ambiguous) }] }
  await refusedBy("csv", csv.adapter, csv.files, "export_ambiguous", "ReadingAmbiguous")
  cell("csv, ReadingAmbiguous: the choices settle it", "settled", await settled(fiscal, csv))
  await refusedBy("own", throwing, [{ name: "file.json", bytes: unreadable }], "export_unreadable", "AdapterBroke")
}

const command = (...args) =>
  new Promise((done) => {
    execFile("connector", args, { cwd: folder, encoding: "utf8" }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, text: `${stdout}\n${stderr}` })
    ).stdin?.end()
  })

/** The same reasons by the command: a file is refused with its cause, never as a mistake in the adapter. */
const reasonsOfCommand = async () => {
  writeFileSync(join(folder, "book.json"), JSON.stringify(book))
  for (const extension of ["csv", "xlsx", "json"]) {
    writeFileSync(join(folder, `unreadable.${extension}`), unreadable)
    writeFileSync(join(folder, `damaged.${extension}`), damaged)
  }
  writeFileSync(join(folder, "ambiguous.csv"), header + rowOf("03/02/2026"))
  writeFileSync(
    join(folder, "acme.mjs"),
    `import { defineAdapter } from "@fiscal-connector/adapter-kit"
export default defineAdapter({ name: "acme", extensions: [".json"], async *read(file, { json, document }) {
  if (file.name.endsWith("throws.json")) throw new RangeError("thrown")
  for await (const row of json.items(file, "/rows")) yield document(row, {})
} })
`
  )
  writeFileSync(join(folder, "throws.json"), "{}")
  const names = { csv: "csv", xlsx: "xlsx", xero: "xero-like", quickbooks: "quickbooks-like" }
  const all = { ...names, erpnext: "erpnext-like", odoo: "odoo-like", own: "acme" }
  for (const [name, format] of Object.entries(all)) {
    const given = name === "own" ? ["--adapter", "acme.mjs"] : [format]
    for (const kind of ["unreadable", "absent", "damaged"]) {
      const file = `${kind}.${extensionOf(name)}`
      const { code, text } = await command("plan", ...given, file, "--book", "book.json")
      cell(`command, ${name}, ${file}: exit code`, "1", String(code))
      cell(`command, ${name}, ${file}: cause`, new RegExp(file.replace(".", "\\.")), text)
      cell(
        `command, ${name}, ${file}: not the adapter's fault`,
        "no",
        /mistake in the adapter/.test(text) ? "yes" : "no"
      )
    }
  }
  const asked = await command("plan", "csv", "ambiguous.csv", "--book", "book.json")
  cell("command, csv, ReadingAmbiguous", /03\/02\/2026/, asked.text)
  const broken = await command("plan", "--adapter", "acme.mjs", "throws.json", "--book", "book.json")
  cell("command, own, AdapterBroke", /mistake in the adapter/, broken.text)
}

/** A gateway whose clock is two hours ahead of this machine's. */
const aheadOf = async (url) => {
  const server = createServer(async ({ headers, method, url: path }, response) => {
    const answer = await fetch(url + path, { method, headers })
    const date = new Date(Date.now() + 7_200_000).toUTCString()
    response.writeHead(answer.status, { "content-type": "application/json", date })
    response.end(await answer.text())
  })
  await new Promise((done) => server.listen(0, "127.0.0.1", done))
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

/** The refusals by the command: exit code 1 and the code of the cause. */
const codesOfCommand = async ({ sandbox, server }) => {
  const write = (name, content) => writeFileSync(join(folder, name), content, { mode: 0o600 })
  const failing = (fault) => Effect.runPromise(sandbox.control.addFault(fault))
  write("sales.csv", header + rowOf("2026-03-02"))
  write("more.csv", header + rowOf("2026-03-03").replaceAll("S-1", "S-2"))
  const numbered = (row, from) => Array.from({ length: 11 }, (_, n) => row.replaceAll("S-1", `S-${from + n}`)).join("")
  write(
    "late.csv",
    header + numbered(rowOf("2026-03-02").replace("USD", "XYZ"), 10) + numbered(rowOf("2026-03-03"), 30)
  )
  write("bad.json", "{}")
  const accountOf = (key, baseUrl = sandbox.url) => {
    write(`${key}.key`, key)
    return { baseUrl, application: "shop", station: "till-1", keyFile: `${key}.key` }
  }
  const ahead = await aheadOf(sandbox.url)
  const accounts = {
    ahead: accountOf("key-1", ahead.url),
    down: accountOf("key-1", "http://127.0.0.1:1"),
    wrong: accountOf("another-key"),
    limited: accountOf("key-limited"),
    odd: accountOf("key-odd"),
    unclosed: accountOf("key-unclosed"),
    expired: accountOf("key-expired"),
    live: accountOf("key-live"),
    unmapped: accountOf("key-unmapped"),
    whole: accountOf("key-2")
  }
  const configured = (store, changes = {}) => {
    const name = `command-${++stores}.json`
    write(name, JSON.stringify({ store: store ?? `command-${stores}.db`, accounts, ...changes }))
    return name
  }
  const imports = (config, account = "whole", file = "sales.csv", ...more) => {
    const book = more.includes("--book") ? [] : ["--book", "book.json"]
    return command("import", "csv", file, "--config", config, "--account", account, ...book, ...more)
  }
  const refused = (code, expected, { code: exit, text }, exitCode = "1") => {
    cell(`command, ${code}: exit code`, exitCode, String(exit))
    cell(`command, ${code}`, expected, text)
  }
  const refusedBy = async (code, expected, account, store, ...more) =>
    refused(code, expected, await imports(configured(store), account, "sales.csv", ...more))

  await refusedBy("config_invalid", /has no account absent/, "absent")
  await refusedBy("book_invalid", /BOOK_SHAPE/, "whole", undefined, "--book", "bad.json")
  await refusedBy("gateway_unreachable", /GATEWAY_REFUSES_CONNECTION/, "down")
  await refusedBy("credentials_refused", /KEY_REFUSED/, "wrong")
  await refusedBy("gateway_limited", /GATEWAY_BUSY/, "limited")
  await failing({ kind: "answer", status: 200, body: "[7]", operations: ["fiscalDevice"], accounts: ["odd"] })
  await refusedBy("gateway_refused", /ANSWER_MALFORMED/, "odd")
  await refusedBy("device_refuses", /SUBSCRIPTION/, "expired")
  await refusedBy("clock_wrong", /CLOCK/, "ahead")
  ahead.close()
  await refusedBy("live_not_allowed", /--live/, "live")
  await refusedBy("first_use", /--first-use/, "live", undefined, "--live")
  await refusedBy("mappings_differ", /connector mappings plan/, "unmapped")
  await refusedBy("store_corrupt", /garbage\.db/, "whole", "garbage.db")
  await refusedBy("store_unusable", /foreign\.db/, "whole", "foreign.db")
  await refusedBy("store_unavailable", /ECONNREFUSED/, "whole", "postgres://user@127.0.0.1:1/none?sslmode=disable")
  await failing({ kind: "error", status: 503, operations: ["zReports"], accounts: ["unclosed"] })
  await refusedBy("historical_refused", /upload permission/, "unclosed", undefined, "--historical")
  refused(
    "would_become_late",
    /would become late[^]*CURRENCY_UNMAPPED[^]*--send-rest/,
    await imports(configured(), "whole", "late.csv"),
    "2"
  )

  const config = configured("till.db")
  cell("command: sales.csv is sent", "0", String((await imports(config)).code))
  const exchanged = configured("till.db", { accounts: { whole: accountOf("key-1") } })
  refused("device_changed", /DEVICE_CHANGED/, await imports(exchanged, "whole", "more.csv"))
  const decided = ["S-1", "--not-processed", "--because", "a mistake", "--config", config, "--account", "whole"]
  refused("decision_refused", /it is Fiscalised/, await command("resolve", ...decided))
  refused(
    "not_found",
    /has no document absent/,
    await command("pdf", "absent", "--config", config, "--account", "whole")
  )
  copyFileSync(join(folder, "till.db"), join(folder, "till.db.old"))
  cell("command: more.csv is sent", "0", String((await imports(config, "whole", "more.csv")).code))
  copyFileSync(join(folder, "till.db.old"), join(folder, "till.db"))
  refused("store_older", /STORE_OLDER/, await imports(config))

  const { url, world } = server
  write("login.json", JSON.stringify({ refreshToken: world.config.refreshToken }))
  const books = {
    kind: "xero-like",
    account: "whole",
    book: "book.json",
    tenant: "tenant-1",
    goLive: "2026-03-01",
    consent: "send",
    clientId: "client",
    tokenFile: "login.json",
    url,
    tokenUrl: `${url}/connect/token`,
    options: { productCode: "item-code", missingContacts: "as-stated" }
  }
  const source = async (code, expected, changes = {}) => {
    const config = configured(undefined, { sources: { books: { ...books, ...changes } } })
    refused(code, expected, await command("sync", "books", "--config", config))
  }
  world.addFault({ kind: "html", times: 1 })
  await source("source_refused", /SOURCE_ANSWER_UNREADABLE/)
  await source("source_unreachable", /SOURCE_UNREACHED/, { url: "http://127.0.0.1:1" })
  world.addFault({ kind: "limit-day", retryAfter: 3600, times: 1 })
  await source("source_limited", /SOURCE_LIMITED/)
  world.endLogins()
  world.endAccess()
  await source("source_login_ended", /SOURCE_LOGIN_ENDED/)
}

/** Each code of FiscalConnectorError, caused by a job. */
const codes = async ({ sandbox, server }) => {
  const at = optionsAt(sandbox.url)
  const failing = (fault) => Effect.runPromise(sandbox.control.addFault(fault))
  const syncs = (options, documents = [invoice("S-1")], more = {}) =>
    within(options, (fiscal) => fiscal.sync(documents, more))

  await refused("config_invalid", () => connect(at("key-1", { notBefore: "soon" })))
  await refused("config_invalid", () => syncs(at("key-1"), Promise.resolve([])))
  await refused("book_invalid", () => connect(at("key-1", { book: {} })))
  await refused("credentials_refused", () => syncs(at("another-key")))
  await refused("gateway_unreachable", () => syncs(optionsAt("http://127.0.0.1:1")("key-1")))
  await failing({ kind: "error", status: 429, operations: ["fiscalDevice"], accounts: ["limited"] })
  const limited = await refused("gateway_limited", () => syncs(at("key-limited")))
  cell("promise, gateway_limited: retryable", "true", String(limited.retryable))
  await failing({ kind: "answer", status: 200, body: "[7]", operations: ["fiscalDevice"], times: 1 })
  await refused("gateway_refused", () => syncs(at("key-1")))
  await refused("device_refuses", () => syncs(at("key-expired")))
  const pinned = at("key-1")
  await syncs(pinned)
  await refused("device_changed", () => syncs(at("key-2", { store: pinned.store })))
  await refused("live_not_allowed", () => syncs(at("key-live")))
  const live = at("key-live", { allowLive: true })
  const first = await refused("first_use", () => syncs(live))
  const { ok } = await syncs({ ...live, firstUse: first.firstUse })
  cell("promise, first_use: its code settles it", "true", String(ok))
  await refused("clock_wrong", () => syncs(at("key-1", { clock: () => new Date(Date.now() + 7_200_000) })))

  const newer = at("key-2")
  await syncs(newer, [invoice("S-11")])
  copyFileSync(newer.store.sqlite, `${newer.store.sqlite}.old`)
  await syncs(newer, [invoice("S-12")])
  const older = { ...newer, store: { sqlite: `${newer.store.sqlite}.old` } }
  await refused("store_older", () => syncs(older, [invoice("S-13")]))

  await refused("store_unavailable", () =>
    connect(
      at("key-1", { store: { postgres: "postgres://user@127.0.0.1:1/none", password: "p", encryption: "insecure" } })
    )
  )
  const file = (name) => join(folder, name)
  writeFileSync(file("garbage.db"), Buffer.concat([readFileSync(pinned.store.sqlite).subarray(0, 4096), unreadable]))
  await refused("store_corrupt", () => syncs(at("key-1", { store: { sqlite: file("garbage.db") } })))
  const foreign = new DatabaseSync(file("foreign.db"))
  foreign.exec("create table other (a); pragma application_id = 7")
  foreign.close()
  await refused("store_unusable", () => connect(at("key-1", { store: { sqlite: file("foreign.db") } })))

  await refused("mappings_differ", () => syncs(at("key-unmapped"), [invoice("S-1")]))
  const late = [invoice("S-21", { currency: "XYZ" }), invoice("S-22", { date: "2026-03-03" })]
  await refused("would_become_late", () => syncs(at("key-2"), late, { whenLate: "stop" }))
  await failing({ kind: "error", status: 503, operations: ["zReports"], times: 1 })
  await refused("historical_refused", () => syncs(at("key-1"), [invoice("S-31")], { timing: "historical" }))

  await within(pinned, async (fiscal) => {
    const [result] = (await fiscal.sync([invoice("S-1")])).results
    await refused("not_found", () => fiscal.pdf({ kind: "invoice", id: "absent" }))
    await refused("decision_refused", () => fiscal.resolve(result, "not-processed", "a mistake"))
    const unknown = await refused("cursor_unknown", async () => {
      for await (const each of fiscal.results({ after: "999999" })) void each
    })
    const day = /after: "([\d-]+)"/.exec(unknown.message)?.[1]
    let read = 0
    for await (const each of fiscal.results({ after: day })) read += each.cursor === "" ? 0 : 1
    cell("promise, cursor_unknown: its day settles it", "1", String(read))
    await failing({ kind: "pend", documents: ["S-41"], times: 1 })
    await fiscal.sync([invoice("S-41")], { patienceMs: 100 })
    await refused("pending", () => fiscal.waitFor({ kind: "invoice", id: "S-41" }, { timeoutMs: 50 }))
    await fiscal.close()
    await refused("closed", () => fiscal.health())
  })

  // choices of a document's own problem
  const luxury = [invoice("S-51", { lines: [{ ...invoice("").lines[0], taxCode: "Luxury" }] })]
  const asking = await syncs(at("key-2"), luxury)
  const choice = asking.results[0].problems
    .flatMap(({ choices = [] }) => choices)
    .find(({ settles }) => settles === "book")
  cell("promise, TAX_UNMAPPED: a choice", "book", String(choice?.settles))
  if (choice !== undefined) {
    const completed = await syncs(at("key-2", { book: await bookWith(book, [choice]) }), luxury)
    const codesLeft = completed.results[0].problems.map(({ code }) => code)
    cell("promise, TAX_UNMAPPED: the choice settles it", "false", String(codesLeft.includes("TAX_UNMAPPED")))
  }

  await sources(at, server)
}

const sources = async (at, { url, world }) => {
  const { refreshToken } = world.config
  const tokenFile = join(folder, "tokens.json")
  writeFileSync(tokenFile, JSON.stringify({ refreshToken }), { mode: 0o600 })
  const sourceAt = (base) =>
    XeroLikeCompany.source({
      name: "books",
      tenant: "tenant-1",
      clientId: "client",
      tokenFile,
      url: base,
      tokenUrl: `${base}/connect/token`,
      options: { productCode: "item-code", missingContacts: "as-stated" }
    })
  /** Runs a source of a new store twice, and returns the error of the second run. */
  const source = (code, between, base = url) =>
    within(at("key-1"), async (fiscal) => {
      await fiscal.sync({ source: sourceAt(url), goLive: "2026-03-01" })
      between()
      await refused(code, () => fiscal.sync({ source: sourceAt(base), goLive: "2026-03-01" }))
    })
  await source("source_refused", () => world.addFault({ kind: "html", times: 1 }))
  await source("source_unreachable", () => {}, "http://127.0.0.1:1")
  await source("source_limited", () => world.addFault({ kind: "limit-day", retryAfter: 3600, times: 1 }))
  await source("source_login_ended", () => {
    world.endLogins()
    world.endAccess()
  })
}

const all = async (given) => {
  await within(optionsAt(given.sandbox.url)("key-1"), reasons)
  await reasonsOfCommand()
  await codes(given)
  await codesOfCommand({ ...given, server: given.other })
}

const device = (deviceId, more = {}) => ({ deviceId, ...more })
const program = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make({
    processingDelayMillis: 20,
    devices: [
      device(1001),
      device(1002),
      device(1003, { isLive: true }),
      device(1004, { subscription: { status: "expired", expiresOn: "2026-01-31T23:59:59" } })
    ],
    accounts: [
      { key: "key-1", device: 1001, ...mapped },
      { key: "key-2", device: 1002, ...mapped },
      { key: "key-live", device: 1003, ...mapped },
      { key: "key-expired", device: 1004, ...mapped },
      { key: "key-odd", name: "odd", device: 1001, ...mapped },
      { key: "key-unclosed", name: "unclosed", device: 1001, ...mapped },
      { key: "key-limited", name: "limited", device: 1001, ...mapped },
      { key: "key-unmapped", device: 1001 }
    ]
  })
  const [server, other] = [yield* SourceServer.make(), yield* SourceServer.make()]
  yield* Effect.promise(() => all({ sandbox, server, other }))
})
await Effect.runPromise(Effect.scoped(program))
for (const row of wrong) console.log(row)
console.log(`${cells} cells, ${wrong.length} wrong`)
