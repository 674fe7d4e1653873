/**
 * Damaged or malicious files, and files that only look like workbooks: each is refused with its own
 * message.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deflateRawSync } from "node:zlib"
import * as WorkbookParts from "./WorkbookParts.ts"
import { SharedStrings } from "../src/workbook/SharedStrings.ts"
import { adapter } from "../src/XlsxAdapter.ts"
import { input, read, refusal, row, settled, sheetOf } from "./Sample.ts"

const sheet = "xl/worksheets/sheet1.xml"
const parts = () => WorkbookParts.partsOf(sheetOf(row("A-1")))
const zipped = (changed: Iterable<readonly [string, string | Buffer]>) =>
  Effect.promise(() => WorkbookParts.zipped(changed))
const changed = (name: string, change: (text: string) => string) => {
  const all = parts()
  return zipped(all.set(name, change(all.get(name)!)))
}

/** Returns the start of a part's entry in the archive's directory. */
const directoryOf = (archive: Buffer, name: string): number => archive.lastIndexOf(name) - 46
const MiB = 2 ** 20

describe("a compression bomb", () => {
  it.effect("with a stated size is refused before decompression", function* () {
    const bomb = yield* zipped(parts().set(sheet, `<worksheet>${" ".repeat(16 * MiB)}</worksheet>`))
    assert.match(yield* refusal(bomb), /sheet1\.xml unpacks to more than 200 times its size/)
  })

  it.effect("with a false size is refused as soon as the size is exceeded", function* () {
    const bomb = Buffer.from(yield* zipped(parts().set(sheet, `<worksheet>${" ".repeat(16 * MiB)}</worksheet>`)))
    bomb.writeUInt32LE(1000, directoryOf(bomb, sheet) + 24)
    assert.match(yield* refusal(bomb), /sheet1\.xml is damaged \(too many bytes in the stream/)
  })

  it.effect("in an unread part is refused, too", function* () {
    const inner = yield* zipped([["zeros", Buffer.alloc(16 * MiB)]])
    assert.isBelow(inner.length, MiB)
    assert.match(
      yield* refusal(yield* zipped([...parts(), ["xl/media/a.bin", Buffer.alloc(16 * MiB)]])),
      /unpacks to more/
    )
    // An archive inside another is never opened.
    assert.lengthOf((yield* read(yield* zipped([...parts(), ["xl/embeddings/a.zip", inner]]))).documents, 1)
  })

  it.effect("with many parts is refused by their number", function* () {
    const many = Array.from({ length: 5000 }, (_, i) => [`xl/media/${i}`, "x"] as const)
    assert.match(yield* refusal(yield* zipped([...parts(), ...many])), /it says to have 50\d\d parts/)
  })

  it.effect("with deeply nested elements, or an endless element, is refused", function* () {
    const deep = yield* changed(sheet, (text) => text.replace("<sheetData>", `${"<a>".repeat(1000)}<sheetData>`))
    assert.match(yield* refusal(deep), /nested more than 256 deep/)
    const noise = Array.from({ length: 3 * MiB }, (_, i) => ((i * 7919) % 997).toString(36)).join("")
    const long = yield* changed(sheet, (text) => text.replace("<sheetData>", `<sheetData x="${noise}">`))
    assert.match(yield* refusal(long), /more than 1 MiB without an element/)
    const cell = yield* changed(sheet, (text) => text.replace(/<v>46056/, `<v>${noise.slice(0, 300_000)}`))
    assert.match(yield* refusal(cell), /holds more than a cell can/)
  })
})

describe("a million shared texts", () => {
  it("are refused if their number or their total length exceeds the limit", () => {
    const some = (text: string, count: number) => () => {
      const strings = new SharedStrings()
      for (let i = 0; i < count; i++) strings.add(text)
    }
    assert.throws(some("x", 2 ** 21 + 1), /more than 2097152 texts/)
    assert.throws(some("x".repeat(30_000), 5000), /more than 96 MiB of texts/)
  })
})

describe("an archive", () => {
  it.effect("that is cut off at any byte is refused", function* () {
    const whole = yield* zipped(parts())
    for (let length = 1; length < whole.length; length += 97) {
      assert.match(yield* refusal(whole.subarray(0, length)), /cut off or damaged|not an Excel workbook/)
    }
  })

  it.effect("with a changed byte in a part is refused by its checksum, even if it decompresses", function* () {
    const whole = Buffer.from(yield* zipped(parts()))
    const at = directoryOf(whole, sheet)
    whole.writeUInt32LE((whole.readUInt32LE(at + 16) ^ 1) >>> 0, at + 16)
    assert.match(yield* refusal(whole), /sheet1\.xml is damaged: the checksum is another/)
  })

  it.effect("with a duplicate part is refused", function* () {
    const twice = yield* zipped([...parts(), ["XL/Worksheets/Sheet1.xml", "<worksheet/>"]])
    assert.match(yield* refusal(twice), /appears twice/)
  })

  for (const name of ["../../etc/passwd", "/etc/passwd", "xl\\..\\..\\evil"]) {
    it.effect(`with a part named ${name} is refused`, function* () {
      const safe = name.replaceAll(/[./\\]/g, "_")
      const bytes = Buffer.from(
        (yield* zipped([...parts(), [safe, "x"]])).toString("latin1").replaceAll(safe, name),
        "latin1"
      )
      assert.match(yield* refusal(bytes), /named as a path out of the archive/)
    })
  }

  it.effect("with an encrypted part is refused", function* () {
    const bytes = Buffer.from(yield* zipped(parts()))
    const at = directoryOf(bytes, sheet) + 8
    bytes.writeUInt16LE(bytes.readUInt16LE(at) | 1, at)
    assert.match(yield* refusal(bytes), /sheet1\.xml is encrypted/)
  })
})

describe("a part", () => {
  it.effect("with a document type is refused", function* () {
    const bytes = yield* changed(sheet, (text) =>
      text.replace(/\?>\n/, '?>\n<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>')
    )
    assert.match(yield* refusal(bytes), /declares a document type/)
  })

  it.effect("that is missing is refused, whichever part it is", function* () {
    for (const name of parts().keys()) {
      const without = parts()
      without.delete(name)
      assert.match(yield* refusal(yield* zipped(without)), /is missing|not an Excel workbook/, name)
    }
  })

  it.effect("outside of the archive is refused", function* () {
    const bytes = yield* changed("xl/_rels/workbook.xml.rels", (text) =>
      text.replace('Target="worksheets/sheet1.xml"', 'Target="file:///c:/sheet1.xml" TargetMode="External"')
    )
    assert.match(yield* refusal(bytes), /lies outside of it \(file:\/\/\/c:/)
    const above = yield* changed("xl/_rels/workbook.xml.rels", (text) => text.replace("worksheets/", "../../../"))
    assert.match(yield* refusal(above), /leads to a part outside/)
  })

  const wrong: ReadonlyArray<readonly [string, (text: string) => string, RegExp]> = [
    [
      "a text that is not there",
      (text) => text.replace(/(t="s"><v>)\d+/, "$1999"),
      /leads to a text that is not there/
    ],
    ["a missing format", (text) => text.replace(/s="1"/, 's="99"'), /has a format that is not there/],
    ["rows out of order", (text) => text.replace('<row r="2"', '<row r="1"'), /row 1 comes after row 1/],
    ["two cells in one place", (text) => text.replace('r="B2"', 'r="A2"'), /comes twice or too late/],
    ["a cell of another row", (text) => text.replace('r="B2"', 'r="B9"'), /row 2 has a cell "B9"/],
    ["a row beyond the last", (text) => text.replace('<row r="2"', '<row r="9999999"'), /has a row "9999999"/],
    ["an unknown cell type", (text) => text.replace('t="s"', 't="q"'), /of a type that there is not/],
    [
      "cells under other names",
      (text) => text.replace(/<row r="2">/, '<z:row xmlns:z="urn:z" r="2"/><row r="2">'),
      /has "z:row" among its cells/
    ],
    [
      "an unknown element among its cells",
      (text) => text.replace(/<row r="2">/, '<row r="2"><q/>'),
      /has "q" among its cells/
    ],
    ["no rows at all", (text) => text.replace(/<sheetData>.*<\/sheetData>/s, ""), /ends before its rows/],
    ["bytes that are not text", (text) => text.replace("<sheetData>", "<sheetData>\u0001"), /damaged/],
    ["another encoding", (text) => text.replace("UTF-8", "ISO-8859-1"), /in the encoding ISO-8859-1/]
  ]
  for (const [what, change, problem] of wrong) {
    it.effect(`with ${what} is refused`, function* () {
      assert.match(yield* refusal(yield* changed(sheet, change)), problem)
    })
  }

  it.effect("may be UTF-16, and may have extensions among its cells", function* () {
    const all = parts()
    const text = all.get(sheet)!.replace("UTF-8", "UTF-16").replace("</row>", "<extLst><ext><c/></ext></extLst></row>")
    const bytes = yield* zipped(
      [...all].map(([name, part]) => [name, name === sheet ? Buffer.from(`\ufeff${text}`, "utf16le") : part])
    )
    assert.lengthOf((yield* read(bytes)).documents, 1)
  })
})

describe("a file of another kind", () => {
  const strict = (text: string) =>
    text
      .replaceAll(
        "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
        "http://purl.oclc.org/ooxml/spreadsheetml/main"
      )
      .replaceAll(
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "http://purl.oclc.org/ooxml/officeDocument/relationships"
      )
  const ole = (name: string) =>
    Buffer.concat([
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      Buffer.alloc(512),
      Buffer.from(name, "utf16le"),
      Buffer.alloc(512)
    ])

  const kinds: ReadonlyArray<readonly [string, () => Effect.Effect<Uint8Array>, RegExp]> = [
    [
      "a Strict Open XML workbook",
      () => zipped([...parts()].map(([name, text]) => [name, strict(text)])),
      /Strict Open XML/
    ],
    ["a strict sheet in an ordinary workbook", () => changed(sheet, strict), /Strict Open XML/],
    [
      "a binary workbook",
      () => changed("_rels/.rels", (text) => text.replace("workbook.xml", "workbook.bin")),
      /binary workbook \(\.xlsb\)/
    ],
    ["an old workbook", () => Effect.succeed(ole("Workbook")), /old kind \(\.xls\)/],
    [
      "an encrypted workbook",
      () => Effect.succeed(ole("EncryptedPackage")),
      /an encrypted workbook.*without a password/
    ],
    [
      "an OpenDocument file",
      () =>
        zipped([
          ["mimetype", "x"],
          ["content.xml", "<a/>"]
        ]),
      /OpenDocument file \(\.ods\)/
    ],
    ["an archive of files", () => zipped([["sales.csv", "a,b"]]), /an archive with files in it/],
    ["a PDF", () => Effect.succeed(Buffer.from("%PDF-1.7")), /a PDF/],
    ["a web page", () => Effect.succeed(Buffer.from("<html><table>")), /web page or XML/],
    ["CSV", () => Effect.succeed(Buffer.from("a,b\n1,2\n")), /not an Excel workbook.*as csv/],
    ["nothing", () => Effect.succeed(Buffer.alloc(0)), /the file is empty/]
  ]
  for (const [what, make, said] of kinds) {
    it.effect(`that is ${what} is reported with its format`, function* () {
      assert.match(yield* refusal(yield* make()), said)
    })
  }

  it.effect("that is a workbook with macros is read without the macros", function* () {
    const all = parts()
    const types = all
      .get("[Content_Types].xml")!
      .replace(/[^"]*sheet\.main\+xml/, "application/vnd.ms-excel.sheet.macroEnabled.main+xml")
    const bytes = yield* zipped([
      ...all.set("[Content_Types].xml", types),
      ["xl/vbaProject.bin", deflateRawSync("code")]
    ])
    assert.lengthOf((yield* read(bytes)).documents, 1)
  })
})

describe("temporary files", () => {
  it.effect("have no name while they are used, and are removed", function* () {
    // Other tests write temporary files at the same time, so this test has a separate folder.
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "spools-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const before = process.env["TMPDIR"]
    yield* Effect.acquireRelease(
      Effect.sync(() => void (process.env["TMPDIR"] = folder)),
      () =>
        Effect.sync(() => {
          if (before === undefined) delete process.env["TMPDIR"]
          else process.env["TMPDIR"] = before
        })
    )
    const named = () => readdirSync(folder)
    const bytes = yield* zipped(parts())
    yield* adapter.read(input(bytes), settled).pipe(
      Stream.tap(() => Effect.sync(() => assert.deepStrictEqual(named(), []))),
      Stream.runDrain
    )
    yield* refusal(bytes.subarray(0, 400))
    assert.deepStrictEqual(named(), [])
  })
})
