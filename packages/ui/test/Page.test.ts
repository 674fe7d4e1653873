/**
 * Tests the page by its requests: access, accepted input, the place of data, and escaping of all
 * file contents.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { ask, examples, type PageProcess, patience, start, startProcess, Visitor } from "./PageProcess.ts"

const faults = readFileSync(join(examples, "historical-invoices-with-faults.csv"), "utf8")
const book = join(examples, "historical-invoices-with-faults.book.json")

const keys = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }

type Start = (flags: ReadonlyArray<string>) => ReturnType<typeof start>

const visiting = (flags: ReadonlyArray<string>, begin: Start) =>
  Effect.gen(function* () {
    const page = yield* begin(flags)
    return { page, visitor: yield* Effect.promise(() => Visitor.open(page)) }
  })

const test = (
  name: string,
  run: (page: PageProcess, visitor: Visitor) => Promise<void>,
  flags: ReadonlyArray<string> = [],
  begin: Start = start
) =>
  it.live(name, function* () {
    const { page, visitor } = yield* visiting(flags, begin)
    yield* Effect.promise(() => run(page, visitor))
  })

const foldersOf = ({ folder }: PageProcess) => readdirSync(folder).filter((name) => name.startsWith("connector-ui-"))
const uploadsOf = (page: PageProcess) =>
  foldersOf(page).flatMap((name) =>
    readdirSync(join(page.folder, name))
      .filter((file) => file.endsWith(".upload"))
      .map((file) => join(page.folder, name, file))
  )

describe("the page", () => {
  test("can be opened only by its link, once, under its own host name, with security headers in every answer", async (page, visitor) => {
    const headers = { host: page.host }
    assert.strictEqual((await ask(page.origin, page.link.slice(page.origin.length), { headers })).status, 403)
    assert.strictEqual((await ask(page.origin, `${page.prefix}/`, { headers })).status, 403)
    assert.strictEqual((await ask(page.origin, "/", { headers })).status, 404)
    for (const host of ["evil.example", `localhost:${page.host.split(":")[1]}`])
      assert.strictEqual((await visitor.get("/", { host })).status, 421)
    for (const path of ["/", "/documents", "/health", "/style.css", "/page.js", "/nothing", "/imports/nothing"]) {
      const answer = await visitor.get(path)
      assert.include(String(answer.headers["content-security-policy"]), "default-src 'none'")
      assert.include(String(answer.headers["content-security-policy"]), "frame-ancestors 'none'")
      assert.notInclude(String(answer.headers["content-security-policy"]), "unsafe")
      assert.strictEqual(answer.headers["x-content-type-options"], "nosniff")
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      assert.notMatch(answer.body, /<script>|<style>| on\w+=| style=/)
    }
  })

  test("refuses forged forms: another origin, no token, another run's token", async (page, visitor) => {
    assert.strictEqual((await visitor.post("/resume", {}, { origin: "https://evil.example" })).status, 403)
    assert.strictEqual((await visitor.post("/resume", {}, { origin: "null" })).status, 403)
    assert.strictEqual((await visitor.post("/resume", { token: "" })).status, 403)
    assert.strictEqual((await visitor.post("/resume", { token: "x".repeat(32) })).status, 403)
    assert.strictEqual((await visitor.upload([["a.csv", faults]], { fields: { token: "x" } })).status, 403)
    assert.strictEqual(
      (await visitor.upload([["a.csv", faults]], { headers: { origin: "https://evil.example" } })).status,
      403
    )
    assert.deepStrictEqual(uploadsOf(page), [])
    assert.strictEqual((await visitor.post("/resume", {})).status, 303)
  })

  test("stores no upload for an unknown account or an unknown document", async (page, visitor) => {
    const answered = await visitor.upload([["a.csv", faults]], { fields: { account: "nobody" } })
    assert.strictEqual(answered.status, 404)
    const path = "/documents/sandbox/invoice/none/source"
    assert.isAtLeast((await visitor.upload([["a.csv", faults]], { path })).status, 400)
    assert.deepStrictEqual(uploadsOf(page), [])
  })

  test("refuses a too large upload before reading it", async (page, visitor) => {
    const { port } = new URL(page.origin)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), "127.0.0.1", () => {
        socket.write(
          `POST ${page.prefix}/imports HTTP/1.1\r\nHost: ${page.host}\r\nCookie: ${visitor.cookie}\r\nOrigin: ${page.origin}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 2147483648\r\n\r\n`
        )
      })
      socket.setEncoding("utf8").once("data", (text: string) => {
        resolve(text)
        socket.destroy()
      })
      socket.on("error", reject)
    })
    assert.match(answer, /^HTTP\/1\.1 413 /)
    assert.deepStrictEqual(uploadsOf(page), [])
  })

  // In a separate process: sender and reader each have their own pace.
  test(
    "stops an upload without an announced length when it becomes too large, and stores nothing",
    async (page, visitor) => {
      const { port } = new URL(page.origin)
      const piece = Buffer.alloc(1 << 20, "x")
      const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")])
      const { answer, sent } = await new Promise<{ readonly answer: string; readonly sent: number }>(
        (resolve, reject) => {
          const state = { answer: "", sent: 0, isOver: false }
          let proceed = () => {}
          const over = () => {
            state.isOver = true
            proceed()
            resolve(state)
          }
          const socket = connect(Number(port), "127.0.0.1", async () => {
            const token = `--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n${visitor.token}\r\n`
            const head = `${token}--x\r\nContent-Disposition: form-data; name="file"; filename="big.csv"\r\nContent-Type: text/csv\r\n\r\n`
            socket.write(
              `POST ${page.prefix}/imports HTTP/1.1\r\nHost: ${page.host}\r\nCookie: ${visitor.cookie}\r\nOrigin: ${page.origin}\r\nContent-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n`
            )
            socket.write(`${head.length.toString(16)}\r\n${head}\r\n`)
            // 2 GB, as fast as the page accepts the data.
            while (state.sent < 2048 && !state.isOver) {
              const isFull = !socket.write(chunk)
              state.sent += 1
              if (isFull && !state.isOver) await new Promise<void>((go) => (proceed = go))
            }
          })
          socket.setEncoding("utf8").on("data", (text: string) => {
            state.answer += text
            over()
          })
          socket.on("drain", () => proceed())
          socket.on("close", over)
          socket.on("error", () => over())
          setTimeout(() => reject(new Error(`no answer after ${state.sent} MB`)), 240_000).unref()
        }
      )
      assert.match(answer, /^HTTP\/1\.1 413 /)
      assert.isBelow(sent, 400)
      assert.deepStrictEqual(uploadsOf(page), [])
      assert.strictEqual((await visitor.get("/")).status, 200)
    },
    [],
    startProcess
  )

  test(
    "stores uploads for their owner only, under random names, until they are discarded",
    async (page, visitor) => {
      const where = visitor.whereTo(await visitor.upload([["../../../etc/evil<b>.csv", faults]]))
      assert.isAbove((await visitor.asked(where)).size, 0)
      const [upload, ...others] = uploadsOf(page)
      assert.deepStrictEqual(others, [])
      assert.match(upload!, /connector-ui-\d+-\w+\/[0-9a-f-]{36}\.upload$/)
      assert.strictEqual(statSync(upload!).mode & 0o777, 0o600)
      assert.strictEqual(statSync(join(upload!, "..")).mode & 0o777, 0o700)
      assert.strictEqual(statSync(join(upload!, "../open.html")).mode & 0o777, 0o600)
      assert.strictEqual(visitor.whereTo(await visitor.post(`${where}/discard`, {})), "/")
      assert.deepStrictEqual(uploadsOf(page), [])
      assert.strictEqual((await visitor.get(where)).status, 404)
    },
    ["--book", book]
  )

  it.live(
    "removes stored files at its end, even while a browser follows, and leftovers of a kill at the next start",
    function* () {
      const inside = mkdtempSync(join(tmpdir(), "page-test-"))
      const starting = Date.now()
      const killed = yield* startProcess(["--book", book], {}, inside)
      const startMillis = Date.now() - starting
      const first = yield* Effect.promise(() => Visitor.open(killed))
      yield* Effect.promise(() => first.upload([["a.csv", faults]]))
      yield* Effect.promise(() => killed.kill())
      assert.lengthOf(uploadsOf(killed), 1)
      const page = yield* start(["--book", book], {}, inside)
      assert.lengthOf(foldersOf(page), 1)
      assert.deepStrictEqual(uploadsOf(page), [])
      const visitor = yield* Effect.promise(() => Visitor.open(page))
      const where = visitor.whereTo(yield* Effect.promise(() => visitor.upload([["a.csv", faults]])))
      // An open stream, and an idle connection.
      void visitor.get(`${where}/events`).catch(() => undefined)
      const begun = Date.now()
      assert.strictEqual(yield* Effect.promise(() => page.terminate()), 0)
      // The page ends open streams itself, not after 5 s; a busy machine starts slowly as well.
      assert.isBelow(Date.now() - begun, Math.max(5000, 5 * startMillis))
      assert.deepStrictEqual(foldersOf(page), [])
    }
  )

  test(
    "shows every cell of an export as text, whatever it contains",
    async (_, visitor) => {
      const evil = `<script>alert(1)</script><img src=x onerror=alert(2)>`
      const quoted = `"${evil.replaceAll('"', '""')}"`
      const [header = ""] = faults.split("\n")
      const row =
        "invoice,INV-0101,2026-01-05,USD,exclusive,Acme,2000778899,,,,HRE,First Street,1,Harare,Lamp,1,100.00,,,100.00,Zero,87168000,0.00,100.00,,,Ref,card"
      const names = header.split(",")
      const marked = (column: string) =>
        row
          .split(",")
          .map((cell, at) => (names[at] === column ? quoted : cell))
          .join(",")
      const columns = names.filter((name) => !["Kind"].includes(name))
      const export_ = [header, ...columns.map((column, i) => marked(column).replace("INV-0101", `INV-${i}`))].join("\n")
      const where = visitor.whereTo(await visitor.upload([[`${evil}.csv`, export_]]))
      const pages: Array<string> = [(await visitor.read(where)).body]
      pages.push((await visitor.leaveOut(where)).body)
      const originals = visitor.whereTo(
        await visitor.upload([[`${evil}.csv`, export_.replaceAll("INV-", "OLD-")]], {
          fields: { purpose: "originals" }
        })
      )
      pages.push((await visitor.until(originals, "Registered")).body)
      await visitor.post(`${where}/send`, {})
      pages.push((await visitor.until(where, /fiscalised, \d+ needs? you/)).body)
      pages.push(
        (await visitor.get("/documents")).body,
        (await visitor.get(`/documents?matching=${encodeURIComponent(evil)}`)).body
      )
      for (const address of new Set(
        Array.from(
          pages.join("\n").matchAll(/href="[^"]*(\/documents\/sandbox\/[^"/]+\/[^"/]+)"/g),
          ([, path]) => path!
        )
      ))
        pages.push((await visitor.get(address)).body)
      pages.push((await visitor.get(`${where}/report`)).body, (await visitor.get("/")).body)
      assert.isAbove(pages.length, 8)
      for (const page of pages) {
        assert.notInclude(page, "<script>alert")
        assert.notInclude(page, "<img")
      }
      assert.isTrue(pages.some((page) => page.includes("&lt;script&gt;alert(1)&lt;/script&gt;")))
    },
    ["--book", book]
  )

  test("refuses a zone with which a new book would not load", async (_, visitor) => {
    const where = visitor.whereTo(await visitor.upload([["a.csv", faults]]))
    const asked = await visitor.asked(where)
    const others = Object.fromEntries(
      [...asked.values()].map(({ at, chosen }) => [`question.${at}`, chosen ?? "leave-out"])
    )
    const { at } = asked.get("zone")!
    const typed = async (zone: string) => {
      await visitor.post(`${where}/questions`, { ...others, [`question.${at}`]: "typed", [`typed.${at}`]: zone })
      return (await visitor.read(where)).body
    }
    for (const zone of ["+15:00", "CET5"]) assert.match(await typed(zone), /role="alert"><p>[^<]*zone/)
    assert.isFalse(visitor.questionsIn(await typed("+02:00")).has("zone"))
  })

  test(
    "performs a step once if two tabs submit it",
    async (_, visitor) => {
      const where = visitor.whereTo(await visitor.upload([["historical-invoices-with-faults.csv", faults]]))
      await visitor.leaveOut(where)
      const [one, two] = await Promise.all([visitor.post(`${where}/send`, {}), visitor.post(`${where}/send`, {})])
      assert.deepStrictEqual([one.status, two.status], [303, 303])
      assert.strictEqual((await visitor.post(`${where}/questions`, {})).status, 409)
      const done = await visitor.until(where, /fiscalised, \d+ needs? you/)
      assert.include(done.body, "<strong>12</strong>")
      assert.match((await visitor.get("/documents")).body, /All 12</)
      assert.strictEqual((await visitor.post(`${where}/send`, {})).status, 303)
      // Uploaded again, as after a correction: fiscalized documents are recognized.
      const again = visitor.whereTo(await visitor.upload([["historical-invoices-with-faults.csv", faults]]))
      await visitor.leaveOut(again)
      assert.include((await visitor.get(again)).body, "12 documents already fiscalised; none is sent again.")
    },
    ["--book", book]
  )

  test(
    "sends nothing by the form of an older check, which another tab still shows",
    async (_, visitor) => {
      const where = visitor.whereTo(await visitor.upload([["historical-invoices-with-faults.csv", faults]]))
      await visitor.leaveOut(where)
      const check = visitor.checks.get(`${where}/send`) ?? ""
      await visitor.post(`${where}/recheck`, {})
      await visitor.leaveOut(where)
      assert.notStrictEqual(visitor.checks.get(`${where}/send`), check)
      for (const old of [check, ""]) {
        await visitor.post(`${where}/send`, { check: old })
        assert.include(
          (await visitor.get(where)).body,
          "Something has changed since this page was shown. Nothing was sent."
        )
      }
      assert.match((await visitor.get("/documents")).body, /Nothing was planned here|all 0/)
      await visitor.post(`${where}/send`, {})
      await visitor.until(where, /fiscalised, \d+ needs? you/)
    },
    ["--book", book]
  )

  it.live("writes the choice into the book, and changes nothing else", function* () {
    const inside = mkdtempSync(join(tmpdir(), "page-test-"))
    const own = join(inside, "own.book.json")
    copyFileSync(book, own)
    const page = yield* start(["--book", own], {}, inside)
    const visitor = yield* Effect.promise(() => Visitor.open(page))
    const where = visitor.whereTo(yield* Effect.promise(() => visitor.upload([["faults.csv", faults]])))
    assert.isTrue((yield* Effect.promise(() => visitor.asked(where))).has("tax Luxury"))
    yield* Effect.promise(() => visitor.leaveOut(where, { "tax Luxury": "2" }))
    const [before, after] = [readFileSync(book, "utf8").split("\n"), readFileSync(own, "utf8").split("\n")]
    const changed = after.filter((line) => !before.includes(line))
    assert.isTrue(
      changed.some((line) => line.includes('"Luxury"')),
      changed.join("\n")
    )
    assert.isTrue(before.filter((line) => line.includes("//")).every((line) => after.includes(line)))
    assert.isFalse(existsSync(`${own}.part`))
  })

  it.live("refuses to send a plan that differs from the shown one: the book was edited meanwhile", function* () {
    const inside = mkdtempSync(join(tmpdir(), "page-test-"))
    const own = join(inside, "own.book.json")
    copyFileSync(book, own)
    const page = yield* start(["--book", own], {}, inside)
    const visitor = yield* Effect.promise(() => Visitor.open(page))
    yield* Effect.promise(async () => {
      const where = visitor.whereTo(await visitor.upload([["faults.csv", faults]]))
      await visitor.leaveOut(where)
      const shown = await visitor.until(where, "Documents to send")
      assert.include(shown.body, "EXEMPT")
      // The same number of documents and the same totals, but some with another tax.
      const swapped = { Zero: "Exempt", Exempt: "Zero" } as const
      const edited = readFileSync(own, "utf8").replaceAll(
        /\["(Zero|Exempt)"\]/g,
        (_, name: keyof typeof swapped) => `["${swapped[name]}"]`
      )
      writeFileSync(own, edited)
      await visitor.post(`${where}/send`, {})
      const now = await visitor.until(where, "Documents to send")
      assert.include(now.body, "Something has changed since this page was shown. Nothing was sent.")
      assert.match((await visitor.get("/documents")).body, /Nothing was planned here|all 0/)
      await visitor.post(`${where}/send`, {})
      await visitor.until(where, /fiscalised, \d+ needs? you/)
    })
  })

  it.live(
    "sends to a live device only if it is named, and for the first time only with its code, as the command does",
    function* () {
      const inside = yield* folderWith("historical-invoices-with-faults.book.json")
      yield* gatewayFor(inside, { device: { isLive: true } })
      const page = yield* start(
        ["--config", "account.json", "--book", "historical-invoices-with-faults.book.json"],
        keys,
        inside
      )
      const visitor = yield* Effect.promise(() => Visitor.open(page))
      yield* Effect.promise(async () => {
        const where = visitor.whereTo(await visitor.upload([["faults.csv", faults]], { fields: { account: "main" } }))
        await visitor.leaveOut(where)
        const shown = await visitor.until(where, "Documents to send")
        assert.include(shown.body, "Send 12 documents to the LIVE device")
        const attempt = async (fields: Readonly<Record<string, string>>) => {
          await visitor.post(`${where}/send`, { rest: "yes", ...fields })
          return (await visitor.until(where, "Documents to send")).body
        }
        assert.include(await attempt({}), "Nothing was sent.")
        assert.include(await attempt({ live: "yes", device: "1002" }), "Nothing was sent.")
        await attempt({ live: "yes", device: "1001" })
        let asked = ""
        for (let i = 0; i < patience && !asked.includes("first-use"); i++) {
          await new Promise((resolve) => setTimeout(resolve, 100))
          asked = (await visitor.get(where)).body
        }
        const code = /type ([A-Z0-9-]+)/.exec(asked)?.[1] ?? ""
        assert.match(code, /^[A-Z0-9-]{4,}$/)
        assert.match((await visitor.get("/documents")).body, /Nothing was planned here|all 0/)
        await visitor.post(`${where}/send`, { rest: "yes", live: "yes", device: "1001", "first-use": code })
        await visitor.until(where, /fiscalised, \d+ needs? you/)
        assert.match((await visitor.get("/documents")).body, /Fiscalised 12/)
      })
    }
  )
})
