/** Encodings of a file: all that `TextDecoder` knows, and three code pages that it lacks. */
import { Buffer } from "node:buffer"

const wide = ["utf-16le", "utf-16be"] as const

/** Encodings with characters of several bytes, which are converted to UTF-8 before the scanner. */
const ofSeveralBytes = ["gbk", "gb18030", "big5", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr"] as const

/** More usual encodings first: of encodings that give one text, the first is named. */
const ofOneByte = [
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "windows-874",
  "macintosh",
  "ibm850",
  "ibm437",
  "ibm852",
  "iso-8859-1",
  "iso-8859-2",
  "iso-8859-15",
  "iso-8859-7",
  "iso-8859-5",
  "iso-8859-13",
  "iso-8859-16",
  "iso-8859-3",
  "iso-8859-4",
  "iso-8859-6",
  "iso-8859-8",
  "iso-8859-10",
  "iso-8859-14",
  "koi8-r",
  "koi8-u",
  "ibm866",
  "x-mac-cyrillic"
] as const

export const encodings = ["utf-8", ...wide, ...ofOneByte, ...ofSeveralBytes] as const
export type Encoding = (typeof encodings)[number]

export interface ByteOrderMark {
  readonly encoding: Encoding
  readonly length: number
}

export const byteOrderMark = (head: Uint8Array): ByteOrderMark | undefined => {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: "utf-8", length: 3 }
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: "utf-16le", length: 2 }
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: "utf-16be", length: 2 }
  return undefined
}

export const isWide = (encoding: Encoding): boolean => wide.some((one) => one === encoding)

const isOfOneByte = (encoding: Encoding): encoding is (typeof ofOneByte)[number] =>
  ofOneByte.some((one) => one === encoding)

export const scanned = (encoding: Encoding): Encoding => (isOfOneByte(encoding) ? encoding : "utf-8")

const dos =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0"
const dosOfWesternEurope =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0"

const dosOfCentralEurope =
  "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\xad˝˛ˇ˘§÷¸°¨˙űŘř■\xa0"

/** Not left to `TextDecoder`: some releases of Node give control characters here. */
const windows = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ"

const upper = Uint8Array.from({ length: 128 }, (_, i) => 0x80 + i)

/** Characters of the bytes from 0x80 on. */
const upperOf = (encoding: (typeof ofOneByte)[number]): string => {
  switch (encoding) {
    case "ibm437":
      return dos
    case "ibm850":
      return dosOfWesternEurope
    case "ibm852":
      return dosOfCentralEurope
    case "windows-1252":
      return `${windows}${Buffer.from(upper.subarray(32)).toString("latin1")}`
    default:
      return new TextDecoder(encoding).decode(upper)
  }
}

const known = new Map<Encoding, string>()

/**
 * Decodes the bytes of a cell, each given as one character. Bytes invalid in the encoding become
 * U+FFFD.
 */
export const decode = (latin1: string, encoding: Encoding): string => {
  if (!isOfOneByte(encoding)) return Buffer.from(latin1, "latin1").toString("utf8")
  if (encoding === "iso-8859-1") return latin1
  let upper = known.get(encoding)
  if (upper === undefined) known.set(encoding, (upper = upperOf(encoding)))
  return latin1.replaceAll(/[\x80-\xff]/g, (c) => upper.charAt(c.charCodeAt(0) - 0x80))
}

/**
 * Without a chunk, the rest. Node.js throws at some damaged characters of several bytes, where the
 * standard gives U+FFFD.
 */
export const decoderOf = (encoding: Encoding): ((chunk?: Uint8Array) => string) => {
  const make = () => new TextDecoder(encoding, { ignoreBOM: true })
  let decoder = make()
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch {
      decoder = make()
      return chunk === undefined || chunk.length < 2
        ? "\uFFFD"
        : Array.from(chunk, (_, i) => decode(chunk.subarray(i, i + 1))).join("")
    }
  }
  return decode
}

export const decodeOriginal = (latin1: string, encoding: Encoding): string => {
  if (scanned(encoding) === encoding) return decode(latin1, encoding)
  const original = decoderOf(encoding)
  return original(Buffer.from(latin1, "latin1")) + original()
}
