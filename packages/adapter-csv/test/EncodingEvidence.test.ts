import { assert, describe, it } from "@effect/vitest"
import type { Encoding } from "../src/scan/Encoding.ts"
import { EncodingEvidence } from "../src/scan/EncodingEvidence.ts"

/** Returns the settled encoding alone, or up to eight possible ones, likeliest first. */
const plausible = (bytes: Uint8Array, chunk = 5): ReadonlyArray<Encoding> => {
  const evidence = new EncodingEvidence()
  for (let i = 0; i < bytes.length; i += chunk) evidence.take(bytes.slice(i, i + chunk))
  evidence.finish()
  const found = evidence.found((text) => text === "Numéro")
  return "encoding" in found ? [found.encoding] : found.slice(0, 8).map(({ encoding }) => encoding)
}

const isAsked = (bytes: Uint8Array, first: Encoding, chunk = 5) => {
  const readings = plausible(bytes, chunk)
  assert.isAbove(readings.length, 1)
  assert.strictEqual(readings[0], first)
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0))
const gbk = (...pairs: ReadonlyArray<number>) => Uint8Array.from(pairs)
const wide = (text: string, big: boolean) => {
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), !big)
  return bytes
}

describe("the encoding of a file without a byte order mark", () => {
  const cases: ReadonlyArray<readonly [string, Uint8Array, ReadonlyArray<Encoding>]> = [
    ["plain ASCII is read alike by all", latin1("a,b\n1,2\n"), ["utf-8"]],
    ["accents in words, as UTF-8", utf8("José,Müller,Café\n"), ["utf-8"]],
    ["one accent in a word, as UTF-8", utf8("José,1\n"), ["utf-8"]],
    ["Cyrillic as UTF-8", utf8("Иван Петров,Москва\n"), ["utf-8"]],
    ["Chinese as UTF-8", utf8("北京有限公司,1\n"), ["utf-8"]],
    ["money signs as UTF-8", utf8("a,£12.50\nb,£ 3.00\n"), ["utf-8"]],
    ["a euro sign as UTF-8", utf8("a,€12.50\n"), ["utf-8"]],
    ["accents in words, as Windows-1252", latin1("Jos\xe9,M\xfcller,Gr\xf6\xdfe\n"), ["windows-1252"]],
    ["quotes and dashes of Windows-1252", latin1("\x93Noir\x94 \x96 a\n"), ["windows-1252"]],
    ["a no-break space between figures", latin1("1\xa0234,50\n"), ["windows-1252"]],
    ["a capital word in Windows-1252", latin1("CAF\xc9,\xc9COLE\n"), ["windows-1252"]],
    ["a half and a unit", latin1("\xbdkg,10\xb5F\n"), ["windows-1252"]],
    ["a dash between months", latin1("Jan\x96Feb\n"), ["windows-1252"]],
    ["an apostrophe in a brand", latin1("McDonald\x92s caf\xe9\n"), ["windows-1252"]],
    ["words of two languages", latin1("Zo\xeb & Sm\xf8rrebr\xf8d\n"), ["windows-1252"]],
    ["a capital letter and a sign that are also valid UTF-8", latin1("NESCAF\xc9\xae,1\n"), ["windows-1252"]],
    ["a column name that one encoding alone gives", latin1("Num\x8ero,Client\n1,Soci\x8et\x8e\n"), ["macintosh"]],
    [
      "Greek that no other encoding gives",
      latin1("\xc1\xe8\xde\xed\xe1,\xc4\xe7\xec\xde\xf4\xf1\xe7\xf2,\xcf\xec\xfc\xeb\xef\xf5\n"),
      ["windows-1253"]
    ],
    ["UTF-16 without a mark, little end first", wide("a,b\n1,2\n", false), ["utf-16le"]],
    ["UTF-16 without a mark, big end first", wide("a,b\n1,2\n", true), ["utf-16be"]]
  ]
  for (const [name, bytes, expected] of cases) {
    it(name, () => {
      for (const chunk of [1, 5, 1000]) assert.deepStrictEqual(plausible(bytes, chunk), expected)
    })
  }

  it("is asked for if Chinese characters are the only evidence", () => {
    assert.include(plausible(gbk(0xcd, 0xa8, 0x2c, 0x31, 0x0a)), "gbk")
    isAsked(gbk(0xd3, 0xd0, 0xcf, 0xde, 0xb9, 0xab, 0xcb, 0xbe, 0x2c, 0x31), "gbk")
  })

  it("is asked for with the language's own encoding first: Polish, Czech, Russian, Mac, code pages 850 and 852", () => {
    isAsked(latin1("Sp\xf3\xb3ka \xaf\xf3\xb3w,\x8cwi\xeatokrzyska\n"), "windows-1250")
    isAsked(latin1("Kov\xe1\xf8,Dvo\xf8\xe1k\n"), "windows-1250")
    isAsked(latin1("\xce\xce\xce \xd0\xee\xec\xe0\xf8\xea\xe0\n"), "windows-1251")
    isAsked(latin1("Caf\x8e M\x9fller\n"), "macintosh")
    isAsked(latin1("Caf\x82,M\x81ller\n"), "ibm850")
    isAsked(latin1("Sp\xa2\x88ka,\xbd\xa2\x88w,\x97wi\xa9tokrzyska\n"), "ibm852")
  })

  it("is asked for if Turkish can be Icelandic", () => {
    assert.includeMembers([...plausible(latin1("Y\xfdld\xfdz,I\xfe\xfdk\n"))], ["windows-1252", "windows-1254"])
  })

  it("is asked for if UTF-8 turns into another encoding halfway", () => {
    const bytes = new Uint8Array([...utf8("äöüßéèà,Жук,漢字\n".repeat(3)), ...latin1("M\xfcller\n")])
    assert.isAbove(plausible(bytes, 16).length, 1)
  })

  it("is not UTF-16 because of a few NUL characters", () => {
    assert.deepStrictEqual(plausible(latin1(`a,b\n1,\x00\n${"x,y\n".repeat(20)}`)), ["utf-8"])
  })
})
