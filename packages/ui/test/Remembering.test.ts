/**
 * Answers about files are remembered for the next ones: by the page, after a restart, and by the
 * command.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith } from "../../cli/test/RunningConnector.ts"
import { start, Visitor } from "./PageProcess.ts"

const book = "historical-invoices-with-faults.book.json"
const answers = "historical-invoices-with-faults.answers.json"

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod"
const export_ = (number: string, date: string) =>
  `${header}\n${number},${date},USD,inclusive,Lamp,1,10.00,10.00,Zero,87168000,10.00,card\n`

const opened = (folder: string) =>
  Effect.gen(function* () {
    const page = yield* start(["--book", book], {}, folder)
    return { page, visitor: yield* Effect.promise(() => Visitor.open(page)) }
  })

describe("remembered answers for files with the same header", () => {
  it.live(
    "are not asked again, shown with their origin, read by the command, and forgotten with a click",
    function* () {
      const folder = yield* folderWith(book)
      const first = yield* opened(folder)
      yield* Effect.promise(async () => {
        const { visitor } = first
        const where = visitor.whereTo(await visitor.upload([["january.csv", export_("A-1", "03/02/2026")]]))
        const asked = (await visitor.read(where)).body
        assert.include(asked, "Remember for files of this kind")
        assert.match(asked, /month, day, year/i)
        await visitor.answer(where, { dates: "mdy" }, { remember: "yes" })
        assert.include((await visitor.until(where, "Documents to send")).body, "2 Mar 2026")
        await first.page.terminate()
      })
      assert.include(readFileSync(join(folder, answers), "utf8"), '"dates": "mdy"')
      const { visitor } = yield* opened(folder)
      writeFileSync(join(folder, "march.csv"), export_("A-3", "05/06/2026"))
      const command = yield* connector(["plan", "csv", "march.csv", "--book", book, "--json"], { cwd: folder })
      assert.include(command.out, "2026-05-06")
      assert.include(command.err, `Read as stated about january.csv on`)
      assert.include(command.err, answers)
      const flagged = yield* connector(["plan", "csv", "march.csv", "--book", book, "--json", "--dates", "dmy"], {
        cwd: folder
      })
      assert.include(flagged.out, "2026-06-05")
      yield* Effect.promise(async () => {
        const where = visitor.whereTo(await visitor.upload([["february.csv", export_("A-2", "04/02/2026")]]))
        const shown = (await visitor.until(where, "Documents to send")).body
        assert.include(shown, "2 Apr 2026")
        assert.include(shown, "Read like january.csv")
        const read = (await visitor.get(`${where}/read`)).body
        assert.include(read, "As answered:")
        assert.include(read, answers)
        // Another header is another kind of file.
        const other = visitor.whereTo(
          await visitor.upload([["other.csv", export_("A-4", "04/02/2026").replace("Description", "Item description")]])
        )
        await visitor.until(other, "Which column is what?")
        await visitor.post(`${where}/forget`, {})
        assert.isTrue((await visitor.asked(where)).has("dates"))
      })
      assert.notInclude(readFileSync(join(folder, answers), "utf8"), "mdy")
    }
  )

  it.live("are not stored if the user chooses so, and a damaged file is reported", function* () {
    const folder = yield* folderWith(book)
    const { visitor } = yield* opened(folder)
    yield* Effect.promise(async () => {
      const where = visitor.whereTo(await visitor.upload([["january.csv", export_("A-1", "03/02/2026")]]))
      await visitor.answer(where, { dates: "mdy" })
      await visitor.until(where, "Documents to send")
    })
    assert.isFalse(existsSync(join(folder, answers)))
    writeFileSync(join(folder, answers), "{")
    const where = visitor.whereTo(
      yield* Effect.promise(() => visitor.upload([["february.csv", export_("A-2", "04/02/2026")]]))
    )
    const shown = yield* Effect.promise(() => visitor.until(where, "The remembered answers"))
    assert.include(shown.body, answers)
    writeFileSync(join(folder, "february.csv"), export_("A-2", "04/02/2026"))
    const command = yield* connector(["plan", "csv", "february.csv", "--book", book], { cwd: folder })
    assert.strictEqual(command.code, 1)
    assert.match(command.err, /Nothing was sent: .*answers\.json is not a file of answers/)
  })
})
