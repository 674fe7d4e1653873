import { assert, describe, it } from "@effect/vitest"
import * as Instant from "../../src/document/Instant.ts"
import * as Finding from "../../src/finding/Finding.ts"
import { assign } from "../../src/dating/ReceiptDates.ts"
import { context, dated, document } from "./Datables.ts"

describe("spread times", () => {
  it("date the documents of a day one second apart from its opening on, by number", () => {
    assert.deepStrictEqual(
      dated([document("INV-10", "2026-06-01"), document("INV-9", "2026-06-01"), document("INV-9a", "2026-06-01")]),
      ["INV-9 2026-06-01T08:00:01+02:00", "INV-9a 2026-06-01T08:00:02+02:00", "INV-10 2026-06-01T08:00:03+02:00"]
    )
  })

  it("date every day separately, in the order of days", () => {
    assert.deepStrictEqual(
      dated([document("B", "2026-06-02"), document("A", "2026-06-03"), document("C", "2026-06-01")]),
      ["C 2026-06-01T08:00:01+02:00", "B 2026-06-02T08:00:01+02:00", "A 2026-06-03T08:00:01+02:00"]
    )
  })

  it("continue after the mark if it is later than the opening", () => {
    const documents = [document("A", "2026-06-01"), document("B", "2026-06-01")]
    assert.deepStrictEqual(dated(documents, { mark: "2026-06-01T17:30:00+02:00" }), [
      "A 2026-06-01T17:30:01+02:00",
      "B 2026-06-01T17:30:02+02:00"
    ])
    assert.deepStrictEqual(dated(documents, { mark: "2026-06-01T06:00:00+02:00" })[0], "A 2026-06-01T08:00:01+02:00")
    assert.deepStrictEqual(dated(documents, { mark: "2026-05-31T23:00:00+02:00" })[0], "A 2026-06-01T08:00:01+02:00")
  })

  it("are late if no second remains after the mark on the day", () => {
    const documents = [document("A", "2026-06-01"), document("B", "2026-06-02")]
    for (const mark of ["2026-06-01T23:59:59+02:00", "2026-06-02T07:00:00+02:00"]) {
      assert.deepStrictEqual(dated(documents, { mark }), ["A Late", "B 2026-06-02T08:00:01+02:00"])
    }
    const [late] = assign(documents, context({ mark: "2026-06-05T10:00:00+02:00" }))
    assert.isTrue(late?._tag === "Late" && Instant.format(late.mark.at) === "2026-06-05T10:00:00+02:00")
  })

  it("leave an assigned time to the lane, which gives a later time while its day has one after the mark", () => {
    const given = [
      { ...document("A", "2026-06-01T08:00:01+02:00"), dated: "assigned" as const },
      document("B", "2026-06-01")
    ]
    assert.deepStrictEqual(dated(given, { mark: "2026-06-01T09:00:00+02:00" }), [
      "B 2026-06-01T09:00:01+02:00",
      "A 2026-06-01T08:00:01+02:00"
    ])
    assert.deepStrictEqual(dated(given, { mark: "2026-06-01T23:59:59+02:00" }), ["B Late", "A Late"])
  })

  it("are refused for the rest of a day without free seconds", () => {
    const documents = ["A", "B", "C"].map((number) => document(number, "2026-06-01"))
    assert.deepStrictEqual(dated(documents, { mark: "2026-06-01T23:59:57+02:00" }), [
      "A 2026-06-01T23:59:58+02:00",
      "B 2026-06-01T23:59:59+02:00",
      "C DATE_HAS_NO_ROOM: nothing left of 2026-06-01"
    ])
  })

  it("begin today at midnight before the opening, or if the day would run past the present", () => {
    const documents = [document("A", "2026-06-01"), document("B", "2026-06-01")]
    const early = ["A 2026-06-01T00:00:01+02:00", "B 2026-06-01T00:00:02+02:00"]
    assert.deepStrictEqual(dated(documents, { now: "2026-06-01T07:59:00+02:00" }), early)
    assert.deepStrictEqual(dated(documents, { now: "2026-06-01T08:00:01+02:00" }), early)
    assert.deepStrictEqual(dated(documents, { now: "2026-06-01T08:00:02+02:00" }), [
      "A 2026-06-01T08:00:01+02:00",
      "B 2026-06-01T08:00:02+02:00"
    ])
  })

  it("begin at midnight if a past day would run past its end", () => {
    const documents = [document("A", "2026-06-01"), document("B", "2026-06-01")]
    assert.deepStrictEqual(dated(documents, { opens: 86_398 }), [
      "A 2026-06-01T00:00:01+02:00",
      "B 2026-06-01T00:00:02+02:00"
    ])
    assert.deepStrictEqual(dated([document("A", "2026-06-01")], { opens: 86_398 }), ["A 2026-06-01T23:59:59+02:00"])
  })

  it("begin earlier, but after the mark, and count taken seconds", () => {
    const documents = [document("A", "2026-06-01"), document("B", "2026-06-01")]
    assert.deepStrictEqual(dated(documents, { now: "2026-06-01T08:00:01+02:00", mark: "2026-06-01T05:00:00+02:00" }), [
      "A 2026-06-01T05:00:01+02:00",
      "B 2026-06-01T05:00:02+02:00"
    ])
    const reserved = ["2026-06-01T08:00:01+02:00"]
    assert.deepStrictEqual(dated(documents, { now: "2026-06-01T08:00:02+02:00", reserved }), [
      "A 2026-06-01T00:00:01+02:00",
      "B 2026-06-01T00:00:02+02:00"
    ])
    const timed = document("T", "2026-06-01T08:00:02+02:00")
    assert.deepStrictEqual(dated([...documents, timed], { now: "2026-06-01T08:00:02+02:00" }), [
      "A 2026-06-01T00:00:01+02:00",
      "B 2026-06-01T00:00:02+02:00",
      "T 2026-06-01T08:00:02+02:00"
    ])
  })

  it("are refused for documents without a free second until now", () => {
    const documents = ["A", "B", "C"].map((number) => document(number, "2026-06-01"))
    assert.deepStrictEqual(dated(documents, { now: "2026-06-01T00:00:02+02:00" }), [
      "A 2026-06-01T00:00:01+02:00",
      "B 2026-06-01T00:00:02+02:00",
      "C DATE_HAS_NO_ROOM: nothing left of 2026-06-01 until now"
    ])
  })

  it("are refused for a future day and a future time, with a finding of severity error", () => {
    const documents = [document("A", "2026-06-02"), document("B", "2026-06-01T12:00:01+02:00")]
    const now = "2026-06-01T12:00:00+02:00"
    assert.deepStrictEqual(dated(documents, { now }), [
      "B RCPT031: stated 2026-06-01T12:00:01+02:00",
      "A RCPT031: dated 2026-06-02, today is 2026-06-01"
    ])
    for (const dating of assign(documents, context({ now }))) {
      assert.isTrue(dating._tag === "Undatable" && Finding.refuses(Finding.make(dating.code)))
    }
  })

  it("use the present day of the book's zone", () => {
    const now = "2026-06-01T22:30:00Z"
    assert.deepStrictEqual(dated([document("A", "2026-06-02")], { now }), ["A 2026-06-02T00:00:01+02:00"])
    assert.match(dated([document("A", "2026-06-02")], { now, zone: "+00:00" })[0]!, /RCPT031/)
  })

  it("keep the time of an instant, on the book's clock, and move equal seconds by one", () => {
    assert.deepStrictEqual(
      dated([
        document("A", "2026-06-01T06:15:00Z"),
        document("B", "2026-06-01T08:15:00+02:00"),
        document("C", "2026-06-01T08:15:01+02:00"),
        document("D", "2026-06-01T03:00:00+02:00")
      ]),
      [
        "D 2026-06-01T03:00:00+02:00",
        "A 2026-06-01T08:15:00+02:00",
        "B 2026-06-01T08:15:01+02:00",
        "C 2026-06-01T08:15:02+02:00"
      ]
    )
  })

  it("place documents without a time between instants", () => {
    assert.deepStrictEqual(
      dated([
        document("A", "2026-06-01"),
        document("B", "2026-06-01"),
        document("X", "2026-06-01T08:00:01+02:00"),
        document("Y", "2026-06-01T08:00:03+02:00")
      ]).toSorted((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1)),
      [
        "X 2026-06-01T08:00:01+02:00",
        "A 2026-06-01T08:00:02+02:00",
        "Y 2026-06-01T08:00:03+02:00",
        "B 2026-06-01T08:00:04+02:00"
      ]
    )
  })

  it("are late for an instant at or before the mark, and the rest of its day follows the mark", () => {
    assert.deepStrictEqual(
      dated(
        [
          document("A", "2026-06-01T10:00:00+02:00"),
          document("B", "2026-06-01T10:00:01+02:00"),
          document("C", "2026-06-01")
        ],
        { mark: "2026-06-01T10:00:00+02:00" }
      ),
      ["C 2026-06-01T10:00:02+02:00", "A Late", "B 2026-06-01T10:00:01+02:00"]
    )
  })

  it("skip the seconds of earlier planned documents", () => {
    assert.deepStrictEqual(
      dated([document("A", "2026-06-01"), document("B", "2026-06-01"), document("T", "2026-06-01T09:00:00+02:00")], {
        reserved: ["2026-06-01T08:00:01+02:00", "2026-06-01T09:00:00+02:00"]
      }),
      ["A 2026-06-01T08:00:02+02:00", "B 2026-06-01T08:00:03+02:00", "T 2026-06-01T09:00:01+02:00"]
    )
  })

  it("move an instant only within its day", () => {
    const documents = [document("A", "2026-06-01T23:59:59+02:00"), document("B", "2026-06-01T23:59:59+02:00")]
    assert.deepStrictEqual(dated(documents), [
      "A 2026-06-01T23:59:59+02:00",
      "B DATE_HAS_NO_ROOM: nothing left of 2026-06-01"
    ])
  })
})

describe("a credit note", () => {
  it("follows its original of the same day, even if its number sorts before", () => {
    assert.deepStrictEqual(
      dated([document("CN-1", "2026-06-01", "INV-1"), document("INV-1", "2026-06-01"), document("A", "2026-06-01")]),
      ["A 2026-06-01T08:00:01+02:00", "INV-1 2026-06-01T08:00:02+02:00", "CN-1 2026-06-01T08:00:03+02:00"]
    )
  })

  it("follows an original that has a time, without delaying other documents", () => {
    assert.deepStrictEqual(
      dated([
        document("CN-1", "2026-06-01", "INV-1"),
        document("INV-1", "2026-06-01T17:00:00+02:00"),
        document("INV-2", "2026-06-01")
      ]),
      ["INV-2 2026-06-01T08:00:01+02:00", "INV-1 2026-06-01T17:00:00+02:00", "CN-1 2026-06-01T17:00:01+02:00"]
    )
  })

  it("of an earlier day, or with an original elsewhere, is ordered by number", () => {
    assert.deepStrictEqual(
      dated([
        document("INV-1", "2026-06-01"),
        document("INV-2", "2026-06-02"),
        document("CN-1", "2026-06-02", "INV-1"),
        document("CN-2", "2026-06-02", "INV-77")
      ]),
      [
        "INV-1 2026-06-01T08:00:01+02:00",
        "CN-1 2026-06-02T08:00:01+02:00",
        "CN-2 2026-06-02T08:00:02+02:00",
        "INV-2 2026-06-02T08:00:03+02:00"
      ]
    )
  })

  it("is refused if it is dated before its original, by day or by time", () => {
    const [byDay, ...rest] = dated([document("CN-1", "2026-06-01", "INV-1"), document("INV-1", "2026-06-02")])
    assert.strictEqual(byDay, "CN-1 CREDIT_BEFORE_ORIGINAL: dated 2026-06-01, its original 2026-06-02")
    assert.deepStrictEqual(rest, ["INV-1 2026-06-02T08:00:01+02:00"])
    for (const times of ["spread", "stated"] as const) {
      const documents = [
        document("CN-1", "2026-06-01T09:00:00+02:00", "INV-1"),
        document("INV-1", "2026-06-01T10:00:00+02:00")
      ]
      assert.deepStrictEqual(dated(documents, { times }), [
        "CN-1 CREDIT_BEFORE_ORIGINAL: stated 2026-06-01T09:00:00+02:00, its original 2026-06-01T10:00:00+02:00",
        "INV-1 2026-06-01T10:00:00+02:00"
      ])
    }
  })

  it("in the same second as its original is one second later", () => {
    const documents = [
      document("CN-1", "2026-06-01T09:00:00+02:00", "INV-1"),
      document("INV-1", "2026-06-01T09:00:00+02:00")
    ]
    assert.deepStrictEqual(dated(documents), ["INV-1 2026-06-01T09:00:00+02:00", "CN-1 2026-06-01T09:00:01+02:00"])
  })

  it("in the second of an original that was moved follows the original", () => {
    const documents = [
      document("INV-1", "2026-06-01T09:00:00+02:00"),
      document("INV-2", "2026-06-01T09:00:00+02:00"),
      document("CN-2", "2026-06-01T09:00:00+02:00", "INV-2")
    ]
    for (const times of ["spread", "stated"] as const) {
      assert.deepStrictEqual(dated(documents, { times }), [
        "INV-1 2026-06-01T09:00:00+02:00",
        "INV-2 2026-06-01T09:00:01+02:00",
        "CN-2 2026-06-01T09:00:02+02:00"
      ])
    }
  })

  it("with a time follows an original whose time is assigned", () => {
    const documents = [document("INV-1", "2026-06-01"), document("CN-1", "2026-06-01T07:00:00+02:00", "INV-1")]
    assert.deepStrictEqual(dated(documents), ["INV-1 2026-06-01T08:00:01+02:00", "CN-1 2026-06-01T08:00:02+02:00"])
  })

  it("that names itself, or another note in a cycle, is still dated", () => {
    const documents = [
      document("A", "2026-06-01", "A"),
      document("B", "2026-06-01", "C"),
      document("C", "2026-06-01", "B")
    ]
    assert.deepStrictEqual(
      dated(documents)
        .map((line) => line.slice(0, 1))
        .toSorted(),
      ["A", "B", "C"]
    )
  })
})

describe("stated times", () => {
  const times = "stated" as const

  it("require an instant, keep it on the book's clock, and move equal seconds", () => {
    assert.deepStrictEqual(
      dated(
        [
          document("B", "2026-06-01T06:00:00Z"),
          document("A", "2026-06-01T08:00:00+02:00"),
          document("C", "2026-06-01T08:00:01+02:00"),
          document("D", "2026-06-01")
        ],
        { times }
      ),
      [
        "D DATE_HAS_NO_TIME: 2026-06-01",
        "A 2026-06-01T08:00:00+02:00",
        "B 2026-06-01T08:00:01+02:00",
        "C 2026-06-01T08:00:02+02:00"
      ]
    )
  })

  it("are late at or before the mark, and refused in the future", () => {
    assert.deepStrictEqual(
      dated(
        [
          document("A", "2026-06-01T08:00:00+02:00"),
          document("B", "2026-06-01T08:00:01+02:00"),
          document("C", "2026-06-01T08:00:10+02:00")
        ],
        { times, mark: "2026-06-01T08:00:00+02:00", now: "2026-06-01T08:00:09+02:00" }
      ),
      ["A Late", "B 2026-06-01T08:00:01+02:00", "C RCPT031: stated 2026-06-01T08:00:10+02:00"]
    )
  })

  it("skip seconds of earlier planned documents, and seconds of the next day", () => {
    const reserved = ["2026-06-01T08:00:00+02:00", "2026-06-01T08:00:01+02:00"]
    assert.deepStrictEqual(dated([document("A", "2026-06-01T08:00:00+02:00")], { times, reserved }), [
      "A 2026-06-01T08:00:02+02:00"
    ])
    const last = [document("A", "2026-06-01T23:59:59+02:00"), document("B", "2026-06-01T23:59:59+02:00")]
    assert.deepStrictEqual(dated(last, { times }), [
      "A 2026-06-01T23:59:59+02:00",
      "B DATE_HAS_NO_ROOM: nothing left of 2026-06-01"
    ])
  })
})

describe("times at submission", () => {
  it("are possible only for documents of today in the book's zone", () => {
    assert.deepStrictEqual(
      dated(
        [
          document("A", "2026-06-01"),
          document("B", "2026-05-31T22:30:00Z"),
          document("C", "2026-05-31"),
          document("D", "2026-06-02")
        ],
        { times: "at-submission", now: "2026-06-01T12:00:00+02:00", mark: "2026-06-01T11:00:00+02:00" }
      ),
      [
        "C DATE_NOT_TODAY: dated 2026-05-31, today is 2026-06-01",
        "A at-submission",
        "B at-submission",
        "D DATE_NOT_TODAY: dated 2026-06-02, today is 2026-06-01"
      ]
    )
  })
})

describe("times around a clock change", () => {
  it("begin at eight by the wall clock", () => {
    const dates = ["2026-03-28", "2026-03-29", "2026-10-24", "2026-10-25"]
    assert.deepStrictEqual(
      dated(
        dates.map((date) => document(date, date)),
        { zone: "Europe/Berlin" }
      ).map((line) => line.slice(11)),
      [
        "2026-03-28T08:00:01+01:00",
        "2026-03-29T08:00:01+02:00",
        "2026-10-24T08:00:01+02:00",
        "2026-10-25T08:00:01+01:00"
      ]
    )
  })

  it("distinguish the two hours that the clock shows twice", () => {
    const documents = [document("A", "2026-10-25T02:30:00+01:00"), document("B", "2026-10-25T02:30:00+02:00")]
    assert.deepStrictEqual(dated(documents, { zone: "Europe/Berlin" }), [
      "B 2026-10-25T02:30:00+02:00",
      "A 2026-10-25T02:30:00+01:00"
    ])
  })

  it("have one hour more if midnight occurs twice, and begin at one if midnight is skipped", () => {
    const twice = [document("A", "2018-02-17T23:30:00-02:00"), document("B", "2018-02-17T23:30:00-03:00")]
    assert.deepStrictEqual(dated(twice, { zone: "America/Sao_Paulo" }), [
      "A 2018-02-17T23:30:00-02:00",
      "B 2018-02-17T23:30:00-03:00"
    ])
    const never = { zone: "America/Sao_Paulo", now: "2018-11-04T01:30:00-02:00" }
    assert.deepStrictEqual(dated([document("A", "2018-11-04")], never), ["A 2018-11-04T01:00:01-02:00"])
  })
})
