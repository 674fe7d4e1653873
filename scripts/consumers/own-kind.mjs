/**
 * Runs a kind of source of an operator's own, in a folder of its own, by everything that reads a
 * source: `connector` is the file of the command. Prints what was done, in one line.
 *
 *     node own-kind.mjs connector.mjs
 */
import { execFileSync, spawn } from "node:child_process"
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

const [command] = process.argv.slice(2)
const cwd = mkdtempSync(join(tmpdir(), "own-kind-"))
const env = { ...process.env, NO_COLOR: "1", XDG_STATE_HOME: "/dev/null" }

/** Starts the command. `until`: the text after which `then` runs with all output. */
const start = (args, until, then = () => undefined) => {
  const child = spawn(process.execPath, [command, ...args], { cwd, env })
  let printed = ""
  let isMet = false
  const ended = new Promise((done, failed) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        printed += text
        if (isMet || until === undefined || !until.test(printed)) return
        isMet = true
        Promise.resolve(then(printed, () => child.kill("SIGINT"))).catch(failed)
      })
    child.on("close", (code) => done({ code, printed }))
  })
  return { ended, stop: () => child.kill("SIGINT") }
}

const run = (...args) => start([...args, "--config", "sandbox.json"]).ended

const expect = (what, { code = null, printed }, expected, exit) => {
  if ((exit !== undefined && code !== exit) || !expected.test(printed))
    throw new Error(`${what}: exit ${code}, not what was expected:\n${printed}`)
}

const sale = (n, more) => ({
  ...more,
  id: `s${n}`,
  number: `S-${n}`,
  day: "2026-02-20",
  changed: Date.parse("2026-02-20T08:00:00Z") + n * 1000,
  lines: [{ label: "Lamp", quantity: 1, price: 11.55, tax: "Standard", code: "94036000" }]
})

const write = (name, value) => writeFileSync(join(cwd, name), JSON.stringify(value), { mode: 0o600 })

/** The next run of a worker is due. */
const makeDue = () => {
  const database = new DatabaseSync(join(cwd, "fiscal-connector.db"))
  database.exec("update fiscal_source set ran_at = ran_at - 90000")
  database.close()
}

copyFileSync(join(import.meta.dirname, "own-kind/erp.mjs"), join(cwd, "erp.mjs"))
chmodSync(join(cwd, "erp.mjs"), 0o600)
write("sales.json", { sales: [1, 2, 3].map(sale) })
write("gateway.json", { processingDelayMillis: 1 })
write("book.json", {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
  currencies: [{ code: "USD", device: "USD" }]
})

let sandbox
const done = []
try {
  const text = await new Promise((resolve, reject) => {
    sandbox = start(
      [
        "sandbox",
        "--port",
        "0",
        "--book",
        "book.json",
        "--sources",
        "sales.json",
        "--kind",
        "./erp.mjs",
        "--config",
        "gateway.json"
      ],
      /A sale .*\n/,
      resolve
    )
    sandbox.ended.then(({ printed }) => reject(new Error(printed)))
  })
  // every printed step, as it is pasted
  const config = JSON.parse(/^\{.*?^\}/ms.exec(text)[0])
  const sources = JSON.parse(/^ {2}"sources": (\{.*?^ {2}\})$/ms.exec(text)[1])
  const { books } = sources
  const configure = (more = {}) =>
    write("sandbox.json", {
      ...config,
      sources: { books: { ...books, book: "book.json", every: "1 minute", ...more } }
    })
  configure()
  for (const [, name, value] of text.matchAll(/^export (\w+)=(.*)$/gm)) env[name] = value
  execFileSync("sh", ["-ec", /plan:\n\n(.*)\nconnector sync/.exec(text)[1]], { cwd })
  const received = async () => {
    const answer = await fetch(`${config.accounts[books.account].baseUrl}/_control/accepted`)
    return (await answer.json())
      .map(({ number, receipts }) => `${number} ${receipts}`)
      .toSorted()
      .join(", ")
  }
  const hasReceipts = async (what, count) => {
    const expected = Array.from({ length: count }, (_, n) => `S-${n + 1} 1`).join(", ")
    const found = await received()
    if (found !== expected) throw new Error(`${what}: ${found}, not ${expected}`)
    done.push(what)
  }
  const sell = (n, more) =>
    fetch(`${books.url}/_control/sales`, { method: "POST", body: JSON.stringify(sale(n, more)) })

  const login = await start(
    ["source", "login", "books", "--config", "sandbox.json"],
    /(http:\S+\/login\S+)\s/,
    (printed) => fetch(/(http:\S+\/login\S+)\s/.exec(printed)[1])
  ).ended
  expect("source login", login, /Logged in for Own shop/, 0)
  expect("the path of the code", login, /Source .*erp\.mjs, which runs with your rights\./)
  done.push("login")

  expect("the first sync", await run("sync", "books"), /The first run is a plan/, 0)
  expect("sync", await run("sync", "books"), /3 new/, 0)
  await hasReceipts("sync", 3)

  await sell(4)
  makeDue()
  const worked = start(["work", "--config", "sandbox.json"], /1 sent, nothing is left to send/, (_, stop) => stop())
  expect("work", await worked.ended, /source \d+ read, 1 new/)
  await hasReceipts("work", 4)

  await sell(5)
  makeDue()
  const serving = ["serve", "--config", "sandbox.json", "--port", "0", "--status-port", "0"]
  expect(
    "serve",
    await start(serving, /1 sent, nothing is left to send/, (_, stop) => stop()).ended,
    /source \d+ read, 1 new/
  )
  await hasReceipts("serve", 5)

  let page = ""
  const opened = start(
    ["ui", "--config", "sandbox.json", "--port", "0"],
    /(http:\S+)\nThe link/,
    async (printed, stop) => {
      const link = /(http:\S+)\nThe link/.exec(printed)[1]
      const first = await fetch(link, { redirect: "manual" })
      const cookie = first.headers.get("set-cookie").split(";")[0]
      const home = new URL(new URL(link).pathname.replace(/[^/]*$/, ""), link)
      page = await (await fetch(home, { headers: { cookie } })).text()
      stop()
    }
  )
  await opened.ended
  expect("ui", { printed: page }, /Accounting systems[^]*<td>books<\/td>/)
  done.push("page")

  expect("health", await run("health"), /./, 0)
  done.push("health")

  mkdirSync(join(cwd, "node_modules/@us/erp"), { recursive: true })
  write("node_modules/@us/erp/package.json", { "fiscal-connector": { source: "./erp.mjs" } })
  copyFileSync(join(cwd, "erp.mjs"), join(cwd, "node_modules/@us/erp/erp.mjs"))
  configure({ kind: "@us/erp" })
  expect("a package", await run("sync", "books"), /Source .*@us.erp.erp\.mjs, which runs with your rights\./, 0)
  done.push("package")

  await sell(6, { replaces: "s5" })
  for (const read of ["the replacement", "the replacement, later"])
    expect(read, await run("sync", "books", "--json"), /"number":"S-6",[^}]*"replaces":"S-5"/, 3)
  expect("the replaced one", await run("sync", "books"), /S-6 Held: it replaces S-5/, 3)
  done.push("replaces")

  configure({ shelf: 7, url: "ftp://shop" })
  expect(
    "wrong settings",
    await run("sync", "books"),
    /sandbox\.json:1:\d+[^]*sources\.books\.shelf: Expected string/,
    1
  )
  configure()
  chmodSync(join(cwd, "erp.mjs"), 0o666)
  // health and the page run no code of a kind
  for (const args of [["sync", "books"], ["source", "login", "books"], ["work"], ["serve"], ["config", "check"]])
    expect(
      "others may write it",
      await run(...args),
      /sources\.books\.kind: its code runs with your rights, and every/,
      1
    )
  done.push("refused")
  console.log(done.join(" "))
} finally {
  sandbox?.stop()
  await sandbox?.ended
  rmSync(cwd, { recursive: true, force: true })
}
