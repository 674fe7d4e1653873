/**
 * Imports that the store remembers, by requests: after a restart of the page, and those of other
 * processes.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import type { KeptImport } from "../../core/src/submission/KeptImport.ts"
import { DateTime, Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { columnsOf } from "../../adapter-xlsx/src/XlsxAdapter.ts"
import { Archive } from "../../adapter-xlsx/src/zip/Archive.ts"
import { connector, folderWith, gatewayFor, key, lines, secret } from "../../cli/test/RunningConnector.ts"
import { keptList } from "../src/page/KeptPage.ts"
import { patience, start, startProcess, Visitor } from "./PageProcess.ts"

const faults = "historical-invoices-with-faults.csv"
const book = "historical-invoices-with-faults.book.json"
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const flags = ["--config", "account.json", "--book", book]
const account = { fields: { account: "main" } }

const ready = Effect.fnUntraced(function* (gateway: NonNullable<Parameters<typeof gatewayFor>[1]>["gateway"] = {}) {
  const folder = yield* folderWith(faults, book)
  yield* gatewayFor(folder, { gateway })
  return folder
})

const opened = (folder: string) =>
  Effect.gen(function* () {
    const page = yield* start(flags, env, folder)
    return { page, visitor: yield* Effect.promise(() => Visitor.open(page)) }
  })

/** Opens a page in a process that can be killed. */
const openedProcess = (folder: string) =>
  Effect.gen(function* () {
    const page = yield* startProcess(flags, env, folder)
    return { page, visitor: yield* Effect.promise(() => Visitor.open(page)) }
  })

const imported = async (visitor: Visitor, folder: string) => {
  const where = visitor.whereTo(await visitor.upload([[faults, readFileSync(join(folder, faults), "utf8")]], account))
  await visitor.leaveOut(where)
  await visitor.until(where, "Documents to send")
  await visitor.post(`${where}/send`, { rest: "yes" })
  return where
}

/**
 * Returns the names, in lower case, and beginnings of an archive's files. A foreign program reads
 * the archive, and checks all checksums.
 */
const unzipped = async (
  bytes: Buffer,
  folder: string
): Promise<ReadonlyArray<readonly [name: string, begins: string]>> => {
  const file = join(folder, "receipts.zip")
  writeFileSync(file, bytes)
  const descriptor = openSync(file, "r")
  try {
    const archive = await Archive.open(descriptor)
    const read: Array<readonly [string, string]> = []
    for (const name of archive.names) {
      const chunks: Array<Buffer> = []
      for await (const chunk of archive.bytes(name)) chunks.push(chunk)
      read.push([name, Buffer.concat(chunks).subarray(0, 5).toString("latin1")])
    }
    return read
  } finally {
    closeSync(descriptor)
  }
}

// slow: each case is a page with a whole import, some of them killed
describe("imports recorded in the store", () => {
  it("are listed with their progress, and without a note if complete", () => {
    const destination = { account: "main", taxpayer: "2000000001", lane: "test/1001", environment: "test" } as const
    const at = DateTime.makeZonedUnsafe("2026-03-01T10:00:00Z", { timeZone: DateTime.zoneMakeOffset(0) })
    const made = { at, destination, adapter: "csv", files: [], book: null, settings: {} }
    const listed = (standing: KeptImport["standing"]) => {
      const kept: KeptImport = { ...made, id: 1, documents: 3, refused: 0, skipped: 0, standing, rest: 2 }
      const list = String(keptList({ prefix: "/x" }, [kept], new Map(), new Map(), null))
      return /<span class="badge[^>]*>([^<]*)</.exec(list)?.[1] ?? ""
    }
    assert.deepStrictEqual(
      (["begun", "accepted", "whole", "incomplete", "cancelled", "unfinished"] as const).map(listed),
      ["nothing accepted", "2 documents to be handed over", "", "not all planned", "cancelled", "broke off"]
    )
  })

  it.live("are listed after a restart with their files, and shown with report, sums and PDFs", function* () {
    const folder = yield* ready()
    const before = yield* opened(folder)
    yield* Effect.promise(async () => {
      const where = await imported(before.visitor, folder)
      const done = await before.visitor.until(where, /fiscalised, \d+ needs? you/)
      assert.include(done.body, "Download the rows not accepted")
      await before.page.terminate()
    })
    const { visitor } = yield* opened(folder)
    let sheet = new Uint8Array()
    yield* Effect.promise(async () => {
      const list = (await visitor.get("/")).body
      assert.include(list, faults)
      // a row of an import: file, when, by whom, total, state in words, and what needs the operator
      const row = /<tr>(?:(?!<tr>)[^])*historical-invoices[^]*?<\/tr>/.exec(list)?.[0] ?? ""
      assert.match(row, /\d+ \w{3} \d{4}, \d\d:\d\d/)
      assert.include(row, userInfo().username)
      assert.match(row, /USD [\d,.]+/)
      assert.match(row, /<span class="badge bad">\d+ of \d+ fiscalised<\/span>/)
      assert.match(row, />\d+ needs? you<\/a>/)
      const where = /href="[^"]*(\/imports\/r\d+)"/.exec(list)?.[1] ?? ""
      const shown = (await visitor.get(where)).body
      const sha256 = createHash("sha256")
        .update(readFileSync(join(folder, faults)))
        .digest("hex")
      for (const text of ["<strong>12</strong>", "The stated total is not the sum", "INV-0105", "VAT155"])
        assert.include(shown, text)
      // The uploaded file is removed with the session; the refused documents remain for
      // correction.
      const refused = await visitor.get(`${where}/refused`)
      assert.match(String(refused.headers["content-disposition"]), /historical-invoices-with-faults\.refused\.csv/)
      assert.include(refused.body, "INV-0105")
      assert.notInclude(refused.body, "INV-0101")
      const report = (await visitor.get(`${where}/report`)).body
      for (const text of [sha256, "Import report", "INV-0101", "TOTAL_MISMATCH"]) assert.include(report, text)
      assert.notInclude(report, 'class="qr"')
      const withCodes = (await visitor.get(`${where}/report?qr=yes`)).body
      assert.strictEqual(withCodes.match(/class="qr"/g)?.length, 12)
      // The parts add up to the file: one entry for each of the 17 documents.
      assert.include(report, "<span>in the file</span>")
      assert.strictEqual(
        report
          .split("<tbody>")
          .find((part) => part.includes("INV-0101"))
          ?.split("</tbody>")[0]
          ?.match(/<tr>/g)?.length,
        17
      )
      const workbook = await visitor.get(`${where}/report.xlsx`)
      assert.deepStrictEqual(
        (await unzipped(workbook.bytes, folder)).map(([name]) => name).filter((name) => name.includes("sheets/")),
        ["xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"]
      )
      sheet = new Uint8Array(workbook.bytes)
      const { bytes, headers } = await visitor.get(`${where}/pdfs`)
      assert.strictEqual(headers["content-type"], "application/zip")
      const files = await unzipped(bytes, folder)
      assert.lengthOf(files, 12)
      assert.isTrue(
        files.every(([name, begins]) => /^inv-\d+\.pdf$|^cn-\d+\.credit-note\.pdf$/.test(name) && begins === "%PDF-"),
        JSON.stringify(files)
      )
      assert.strictEqual((await visitor.get("/imports/r99")).status, 404)
      assert.strictEqual((await visitor.get("/imports/r99/report")).status, 404)
      assert.strictEqual((await visitor.get("/imports/r99/pdfs")).status, 404)
    })
    // Our own reader of workbooks finds all columns and documents.
    const file = { name: "report.xlsx", bytes: Stream.succeed(sheet) }
    const { columns } = yield* columnsOf(file, { settings: { sheet: "Documents" } })
    assert.deepStrictEqual(
      columns.map(({ name }) => name),
      "Number,Date,Buyer,Kind,Currency,Net,Tax,Total,State,Verification code,Why".split(",")
    )
    const cells = (name: string) =>
      columns.find((column) => column.name === name)?.cells.filter((cell) => cell !== "") ?? []
    assert.include(cells("Number"), "INV-0101")
    assert.isTrue(
      cells("Total").every((text) => /^-?\d+(\.\d+)?$/.test(text)),
      "amounts are numbers"
    )
    assert.isTrue(
      cells("Date").every((text) => /^\d{4}-\d\d-\d\d/.test(text)),
      "days are dates"
    )
  })

  it.live("continue after the page was killed halfway, and nothing is sent twice", function* () {
    const slow = { kind: "latency", operations: ["submitInvoice"], millis: 400, times: 100 } as const
    const folder = yield* ready({ faults: [slow] })
    const first = yield* openedProcess(folder)
    yield* Effect.promise(async () => {
      const where = await imported(first.visitor, folder)
      for (
        let i = 0;
        i < patience && !/[1-9]\d* of 12 have their outcome/.test((await first.visitor.get(where)).body);
        i++
      )
        await new Promise((resolve) => setTimeout(resolve, 50))
      await first.page.kill()
    })
    const { visitor } = yield* opened(folder)
    yield* Effect.promise(async () => {
      const where = /href="[^"]*(\/imports\/r\d+)"/.exec((await visitor.get("/")).body)?.[1] ?? ""
      const left = (await visitor.get(where)).body
      assert.match(left, /\d+ of 12 have their outcome/)
      assert.match(left, /Go on: send \d+ documents|Sending stopped at/)
      assert.strictEqual(visitor.whereTo(await visitor.post("/resume", { back: where.slice(10) })), where)
      assert.strictEqual(visitor.whereTo(await visitor.post("/resume", { back: "//evil.example" })), "/documents")
      for (let i = 0; i < patience && !(await visitor.get(where)).body.includes("<strong>12</strong>"); i++) {
        const { body } = await visitor.get("/documents?group=person")
        const unknown = /href="[^"]*(\/documents\/main\/invoice\/[^"]+)"/.exec(body)?.[1]
        // Document on its way when the page was killed; the gateway has the document.
        if (unknown !== undefined)
          await visitor.post(`${unknown}/decide`, {
            decision: "Fiscalised",
            shown: String(Date.now()),
            because: "in the portal"
          })
        await visitor.post("/resume", {})
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
      assert.include((await visitor.get(where)).body, "<strong>12</strong>")
      assert.match((await visitor.get("/documents")).body, /All 12</)
    })
  })

  it.live(
    "include imports of the command and follow their sending, and the command shows the page's imports",
    function* () {
      const slow = {
        kind: "latency",
        operations: ["submitInvoice"],
        documents: ["INV-0102"],
        millis: 1500,
        times: 1
      } as const
      const folder = yield* ready({ faults: [slow] })
      yield* connector(["import", "csv", faults, "--config", "account.json", "--send-rest"], { cwd: folder })
      const { visitor } = yield* opened(folder)
      const before = yield* Effect.promise(() => visitor.follow("/follow", (text) => text.includes("data: ")))
      const following = visitor.follow("/follow", (text) => (text.match(/data: /g)?.length ?? 0) > 1)
      const corrected = join(folder, "corrected.csv")
      writeFileSync(corrected, readFileSync(join(folder, faults), "utf8").replaceAll("2026-02-30", "2026-02-28"))
      yield* connector(["import", "csv", "corrected.csv", "--config", "account.json", "--book", book, "--send-rest"], {
        cwd: folder
      })
      const after = yield* Effect.promise(() => following)
      assert.notStrictEqual(after, before)
      const list = (yield* Effect.promise(() => visitor.get("/"))).body
      assert.isTrue(list.includes("corrected.csv") && list.includes(faults))
      assert.isBelow(list.indexOf("corrected.csv"), list.indexOf(faults), "the newest first")
      const told = yield* connector(["imports", "-c", "account.json", "--json"], { cwd: folder })
      assert.deepStrictEqual(
        lines(told.out).map(({ documents, files, refused }) => [
          documents,
          refused,
          (files as ReadonlyArray<{ name: string }>)[0]?.name
        ]),
        [
          [17, 4, "corrected.csv"],
          [17, 5, faults]
        ]
      )
      const one = yield* connector(["imports", "2", "-c", "account.json", "--report", "later.html"], { cwd: folder })
      assert.strictEqual(one.code, 0, one.err)
      assert.match(one.out, /Imported 20\d\d-.* by csv for the account main/)
      assert.match(one.out, /13 fiscalised|1 fiscalised, 12 already fiscalised/)
      assert.include(readFileSync(join(folder, "later.html"), "utf8"), "corrected.csv")
    }
  )

  it.live("have an archive that states which PDFs could not be fetched", function* () {
    const folder = yield* ready()
    yield* connector(["import", "csv", faults, "--config", "account.json", "--send-rest"], { cwd: folder })
    const file = readFileSync(join(folder, "account.json"), "utf8")
    // Port 9 has no listener: the gateway is unreachable.
    writeFileSync(join(folder, "account.json"), file.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:9"))
    const elsewhere = yield* opened(folder)
    const { bytes } = yield* Effect.promise(() => elsewhere.visitor.get("/pdfs"))
    const files = yield* Effect.promise(() => unzipped(bytes, folder))
    assert.deepStrictEqual(
      files.map(([name]) => name),
      ["not-fetched.txt"]
    )
  })
})
