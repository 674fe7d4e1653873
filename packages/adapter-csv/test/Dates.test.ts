import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { header, offered, row, table } from "./PlainTable.ts"
import { question, read, answerText } from "./Sample.ts"

const dated = (...dates: ReadonlyArray<string>) => table(header, ...dates.map((date, i) => row(`${i}`, { date })))
const datesOf = (...of: Parameters<typeof read>) =>
  Effect.map(read(...of), ({ documents }) => documents.map(({ date }): unknown => date))

describe("a date", () => {
  it.effect("with a time and no offset is a civil date and keeps its day", function* () {
    assert.deepStrictEqual(yield* datesOf(dated("2018-10-20T00:00:00")), ["2018-10-20"])
  })

  it.effect("with a time and an offset remains an instant", function* () {
    const [civil, instant] = yield* datesOf(dated("2018-10-20T00:00:00", "2018-10-20T00:30:00+13:00"))
    assert.strictEqual(civil, "2018-10-20")
    assert.strictEqual(typeof instant, "object")
  })

  it.effect("in words, or in digits with a four-digit year first, needs no decision", function* () {
    assert.deepStrictEqual(yield* datesOf(dated("1-Apr-25", "Jan 28 2021", "20180226")), [
      "2025-04-01",
      "2021-01-28",
      "2018-02-26"
    ])
  })
})

describe("a column of other dates that the map leaves unread", () => {
  it.effect("is named, because no value shows which column is the date", function* () {
    const rows = ["N,Due,Issued,What,Q,P", "1,2026-03-02,2026-02-02,Pen,1,2.00", "2,2026-03-03,2026-02-03,Pen,1,2.00"]
    const columns = { number: "N", date: "Due", description: "What", quantity: "Q", unitPrice: "P" }
    const settings = { amounts: "exclusive", currency: "USD", contents: { "no-kinds": "invoices" } } as const
    const named = (unread: ReadonlyArray<string>, lines = rows) =>
      Effect.map(
        read(`${lines.join("\n")}\n`, { columns: { version: 1, columns, unread, settings } }),
        ({ findings }) => findings.map(({ message }) => message)
      )
    assert.deepStrictEqual(yield* named(["Issued"]), ['not read: "Issued"'])
    const texts = rows.map((line) => line.replace("2026-02", "week"))
    assert.deepStrictEqual(yield* named(["Issued"], texts), [])
    const isDue = rows.map((line) => line.replace("Due,Issued", "Issued,Due"))
    const swapped = { ...columns, date: "Issued" }
    const { findings } = yield* read(`${isDue.join("\n")}\n`, {
      columns: { version: 1, columns: swapped, unread: ["Due"], settings }
    })
    assert.deepStrictEqual(findings, [])
  })
})

describe("the order of day and month", () => {
  for (const [deciding, expected] of [
    ["21/6/2019", "2019-06-07"],
    ["6/21/2019", "2019-07-06"]
  ] as const) {
    it.effect(`of 7/6/2019 is decided by ${deciding} elsewhere in the file`, function* () {
      assert.strictEqual((yield* datesOf(dated("7/6/2019", deciding)))[0], expected)
    })
  }

  it.effect("is decided by another date column", function* () {
    const text = table(`DueDate,${header}`, `21/6/2019,${row("1", { date: "7/6/2019" })}`)
    assert.strictEqual((yield* datesOf(text))[0], "2019-06-07")
  })

  it.effect("is asked for if the whole file can be read both ways", function* () {
    assert.deepStrictEqual(offered(yield* question(dated("03/02/2026", "11/06/2026"))), [
      ["dates dmy", "03/02/2026 = 2026-02-03", "11/06/2026 = 2026-06-11"],
      ["dates mdy", "03/02/2026 = 2026-03-02", "11/06/2026 = 2026-11-06"]
    ])
  })

  it.effect("is not asked for if both orders give the same days", function* () {
    assert.strictEqual((yield* datesOf(dated("05/05/2026", "06/06/2026")))[1], "2026-06-06")
  })

  it.effect("is unknown if dates contradict each other", function* () {
    assert.include((yield* question(dated("31/01/2026", "01/31/2026"))).question, "no order")
  })
})

describe("a given order of dates", () => {
  it.effect("is questioned if a date contradicts it and another order reads all dates", function* () {
    const asked = yield* question(dated("03/04/2026", "03/25/2026"), { settings: { dates: "dmy" } })
    assert.include(asked.question, '"03/25/2026" in "InvoiceDate" is not a date in the order day, month, year')
    assert.deepStrictEqual(
      asked.readings.map(({ answer }) => answerText(answer)),
      ["dates mdy"]
    )
  })

  it.effect("is checked even if the rest of the file needs no detection", function* () {
    const settings = { dates: "dmy", quotes: "doubled", decimalMark: "point", grouping: "window" } as const
    assert.include((yield* question(dated("03/04/2026", "03/25/2026"), { settings })).question, "is not a date")
  })

  it.effect("decides a column in which no order reads all dates", function* () {
    const days = yield* datesOf(dated("31/01/2026", "01/31/2026"), { settings: { dates: "dmy" } })
    assert.deepStrictEqual(days, ["2026-01-31", undefined])
  })
})

describe("two date columns", () => {
  const text = table(`DueDate,${header}`, `03/25/2026,${row("1", { date: "21/03/2026" })}`)

  it.effect("with different orders are asked about", function* () {
    const asked = yield* question(text)
    assert.include(asked.question, '"03/25/2026" in "DueDate" is not a date')
    assert.deepStrictEqual(
      asked.readings.map(({ answer }) => answer),
      [{ map: { unread: ["DueDate"] } }]
    )
  })

  it.effect("may have different orders if the column map does not read one of them", function* () {
    assert.deepStrictEqual(yield* datesOf(text, { columns: { version: 1, unread: ["DueDate"] } }), ["2026-03-21"])
  })

  it.effect("may include the due date", function* () {
    const { documents } = yield* read(table(`DueDate,${header}`, `2026-01-04,${row("1")}`))
    assert.strictEqual(documents[0]!.due as unknown, "2026-01-04")
    assert.strictEqual(documents[0]!.where(["due"]).columnName, "DueDate")
  })
})

describe("a year", () => {
  it.effect("of two digits that may also be a day is asked for", function* () {
    const { readings } = yield* question(dated("25/04/12", "26/04/13"))
    assert.deepStrictEqual(
      readings.map(({ answer }) => answerText(answer)),
      ["dates dmy", "dates ymd"]
    )
  })

  it.effect("that no date states is asked for", function* () {
    const { readings } = yield* question(dated("3101", "0502"))
    assert.deepStrictEqual(readings[0]!.examples, ["3101", "0502"])
  })

  it.effect("given by the operator is used for dates without a year", function* () {
    assert.strictEqual((yield* datesOf(dated("3101", "0502"), { settings: { year: 2026 } }))[1], "2026-02-05")
  })
})

describe("a date stored as a serial number, as in spreadsheets", () => {
  it.effect("is not a date until the operator states the first day of the count", function* () {
    const serials = dated("46083", "2026-03-05", "46084.5")
    const { documents } = yield* read(serials)
    assert.deepStrictEqual(
      documents.map(({ findings }) => findings.map(({ code, detail }) => [code, detail])),
      [
        [["CSV_DATE_SERIAL", '"46083" is 2026-03-02, or 2030-03-03']],
        [],
        [["CSV_DATE_SERIAL", '"46084.5" is 2026-03-03, or 2030-03-04']]
      ]
    )
    assert.deepStrictEqual(yield* datesOf(serials, { settings: { serialDates: "1900" } }), [
      "2026-03-02",
      "2026-03-05",
      "2026-03-03"
    ])
    assert.strictEqual((yield* datesOf(serials, { settings: { serialDates: "1904" } }))[0], "2030-03-03")
  })

  it.effect("is refused if the number is too low or too high, even with the operator's setting", function* () {
    const { documents } = yield* read(dated("12345", "99999"), { settings: { serialDates: "1900" } })
    assert.deepStrictEqual(
      documents.map(({ findings }) => findings.map(({ code }) => code)),
      [["CSV_DATE_UNREADABLE"], ["CSV_DATE_UNREADABLE"]]
    )
  })
})
