import { assert, describe, it } from "@effect/vitest"
import * as Decimal from "../src/cell/Decimal.ts"
import * as NumberFormat from "../src/cell/NumberFormat.ts"
import * as SerialDate from "../src/cell/SerialDate.ts"

describe("a number of a cell", () => {
  const shown = {
    "99.90000000000001": "99.9",
    "33.299999999999997": "33.3",
    "0.1000000000000000055511151231257827": "0.1",
    "12.50": "12.5",
    "1001.0": "1001",
    "-0.0": "0",
    "-7": "-7",
    "+7": "7",
    "007": "7",
    "0": "0",
    "0E5": "0",
    ".5": "0.5",
    "5.": "5",
    "1E-3": "0.001",
    "1.5E+2": "150",
    "1.5e2": "150",
    "999999999999999": "999999999999999",
    "99999999999999.96": "100000000000000",
    "9.9999999999999999": "10",
    "0.99999999999999999": "1",
    "0.0099999999999999999": "0.01",
    "-1234.5": "-1234.5",
    "4.2E-20": "0.000000000000000000042",
    "123456789012345.6": "123456789012346"
  }
  for (const [stored, text] of Object.entries(shown)) {
    it(`stored as ${stored} is ${text}, as displayed`, () => assert.deepStrictEqual(Decimal.read(stored), { text }))
  }

  for (const stored of ["2520018000000073144", "1000000000000000", "2.5200180000000731E+18", "1E+15", "-1E16"]) {
    it(`stored as ${stored} has lost digits`, () => assert.strictEqual(Decimal.read(stored), "digits"))
  }

  for (const stored of ["", "-", ".", "1,5", "NaN", "INF", "1E", "1E9999", "0x10", "1 2", "١"]) {
    it(`stored as "${stored}" is not a number`, () => assert.strictEqual(Decimal.read(stored), "none"))
  }

  it("in percent format is exactly a hundred times larger", () => {
    const percents = {
      "0.155": "15.5",
      "0.15": "15",
      "0.1": "10",
      "1": "100",
      "0": "0",
      "0.0005": "0.05",
      "-0.075": "-7.5",
      "12.3456": "1234.56"
    }
    for (const [text, percent] of Object.entries(percents)) assert.strictEqual(Decimal.timesHundred(text), percent)
  })
})

describe("the format of a number", () => {
  const kinds = {
    General: "plain",
    "@": "plain",
    "0": "plain",
    "#": "plain",
    "00000": "zeros",
    "0.00": "formatted",
    "#,##0": "formatted",
    "0.00E+00": "formatted",
    '"INV-"0000': "formatted",
    '0 "days"': "formatted",
    '0 "h"': "formatted",
    "0\\d": "formatted",
    "[Red]0.00": "formatted",
    "0%": "percent",
    "0.00%": "percent",
    "yyyy-mm-dd": "date",
    "dd/mm/yyyy": "date",
    "[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy": "date",
    "[h]:mm:ss": "date",
    "h:mm AM/PM": "date",
    'd. mmmm yyyy;"no date"': "date",
    "m/d/yy h:mm;@": "date"
  }
  for (const [code, kind] of Object.entries(kinds)) {
    it(`${code} is ${kind}`, () => assert.strictEqual(NumberFormat.of(164, code)?.is, kind))
  }

  const zones = {
    'yyyy-mm-dd"T"hh:mm:ss"Z"': "Z",
    "yyyy\\-mm\\-dd\\Thh:mm:ss\\Z": "Z",
    'd/m/yy hh:mm "(UTC)"': "Z",
    'yyyy-mm-dd hh:mm:ss" +02:00"': "+02:00",
    'dddd d "de" mmmm': undefined,
    "yyyy-mm-dd hh:mm:ss": undefined
  }
  for (const [code, zone] of Object.entries(zones)) {
    it(`${code} states the zone ${zone}`, () => {
      const format = NumberFormat.of(164, code)
      assert.strictEqual(format?.is === "date" ? format.zone : "no", zone)
    })
  }

  const signs = {
    '"$"#,##0.00': "$",
    '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\)': "$",
    "[$€-407]#,##0.00": "€",
    "[$USD] #,##0.00": "USD",
    '"EUR" #,##0.00': "EUR",
    '#,##0.00\\ "ZAR"': "ZAR",
    "[$ZiG-3009] 0.00": "ZiG",
    "£0.00": "£",
    '0.00 "kg"': undefined,
    '0 "PCS"': undefined,
    '0.0,"K"': undefined,
    "[Red]0.00": undefined,
    "#,##0.00": undefined
  }
  for (const [code, sign] of Object.entries(signs)) {
    it(`${code} has the sign ${sign}`, () => {
      const format = NumberFormat.of(164, code)
      assert.strictEqual(format?.is === "formatted" ? format.sign : "no", sign)
    })
  }

  it("with a built-in number is known for dates, and not for formats that only the workbook defines", () => {
    assert.deepStrictEqual(
      [0, 2, 9, 14, 22, 47, 49, 44].map((id) => NumberFormat.of(id, undefined)?.is),
      ["plain", "formatted", "percent", "date", "date", "date", "plain", "formatted"]
    )
    assert.isUndefined(NumberFormat.of(164, undefined))
    assert.isUndefined(NumberFormat.of(Number.NaN, undefined))
    assert.strictEqual(NumberFormat.of(14, "0.00")?.is, "formatted")
  })
})

describe("a date of a cell", () => {
  it("is counted from the first day that the workbook states", () => {
    assert.strictEqual(SerialDate.read("46056", "1900"), "2026-02-03")
    assert.strictEqual(SerialDate.read("44594", "1904"), "2026-02-03")
    assert.strictEqual(SerialDate.read("61", "1900"), "1900-03-01")
    assert.strictEqual(SerialDate.read("2958465", "1900"), "9999-12-31")
  })

  it("has its time to the second, and no time if it is within rounding of midnight", () => {
    assert.strictEqual(SerialDate.read("46056.5", "1900"), "2026-02-03T12:00:00")
    assert.strictEqual(SerialDate.read("46055.999999999996", "1900"), "2026-02-03")
    assert.strictEqual(SerialDate.read("46056.541666666664", "1900"), "2026-02-03T13:00:00")
  })

  for (const stored of ["60", "0", "0.5", "-1", "2958466", "x", "1E400"]) {
    it(`stored as ${stored} is not a date`, () => assert.isUndefined(SerialDate.read(stored, "1900")))
  }

  it("is not valid at day zero of the 1904 system", () => assert.isUndefined(SerialDate.read("0", "1904")))

  it("is written back with the same number", () => {
    for (const stored of ["46056", "61", "46056.5"]) {
      assert.strictEqual(SerialDate.write(SerialDate.read(stored, "1900")!), Number(stored))
    }
  })

  it("may be stored as text", () => {
    assert.strictEqual(SerialDate.readIso("2026-02-03T00:00:00"), "2026-02-03")
    assert.strictEqual(SerialDate.readIso("2026-02-03T10:15:00"), "2026-02-03T10:15:00")
    assert.isUndefined(SerialDate.readIso("3 February"))
  })
})
