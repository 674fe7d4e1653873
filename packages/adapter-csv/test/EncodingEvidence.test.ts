import { assert, describe, it } from "@effect/vitest"
import type { Encoding } from "../src/scan/Encoding.ts"
import { EncodingEvidence } from "../src/scan/EncodingEvidence.ts"

const plausible = (bytes: Uint8Array, chunk = 5): ReadonlyArray<Encoding> => {
  const evidence = new EncodingEvidence()
  for (let i = 0; i < bytes.length; i += chunk) evidence.take(bytes.slice(i, i + chunk))
  evidence.finish()
  return evidence.plausible()
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
    [
      "Chinese with a word of business, as GBK",
      gbk(0xd3, 0xd0, 0xcf, 0xde, 0xb9, 0xab, 0xcb, 0xbe, 0x2c, 0x31),
      ["gbk"]
    ],
    ["UTF-16 without a mark, little end first", wide("a,b\n1,2\n", false), ["utf-16le"]],
    ["UTF-16 without a mark, big end first", wide("a,b\n1,2\n", true), ["utf-16be"]]
  ]
  for (const [name, bytes, expected] of cases) {
    it(name, () => {
      for (const chunk of [1, 5, 1000]) assert.deepStrictEqual(plausible(bytes, chunk), expected)
    })
  }

  it("is asked for if two Chinese characters are also valid UTF-8", () => {
    assert.deepStrictEqual(plausible(gbk(0xcd, 0xa8, 0x2c, 0x31, 0x0a)), ["utf-8", "gbk"])
  })

  it("is asked for if a capital letter followed by a sign is also valid UTF-8", () => {
    assert.deepStrictEqual(plausible(latin1("NESCAF\xc9\xae,1\n")), ["utf-8", "gbk", "windows-1252"])
  })

  it("is asked for if the text is in another script that was not named", () => {
    const cyrillic1251 = latin1("\xc8\xe2\xe0\xed\xee\xe2,\xcc\xee\xf1\xea\xe2\xe0,\xcf\xe5\xf2\xf0\n")
    assert.deepStrictEqual(plausible(cyrillic1251), [])
  })

  it("is asked for if UTF-8 turns into another encoding halfway", () => {
    const bytes = new Uint8Array([...utf8("äöüßéèà,Жук,漢字\n".repeat(3)), ...latin1("M\xfcller\n")])
    assert.deepStrictEqual(plausible(bytes, 16), [])
  })

  it("is not UTF-16 because of a few NUL characters", () => {
    assert.deepStrictEqual(plausible(latin1(`a,b\n1,\x00\n${"x,y\n".repeat(20)}`)), ["utf-8"])
  })
})
