/**
 * What the bytes of a whole file say about its encoding. Nothing is decoded: what counts is which byte sequences occur, and beside what.
 * Several encodings fit most short texts, so each is asked whether its reading would be plausible text.
 */
import { Buffer, isAscii, isUtf8 } from "node:buffer"
import type { Encoding } from "./Encoding.ts"

/** Bytes of 0x80 and above that stand together, with the ASCII bytes around them. */
interface Run {
  readonly bytes: ReadonlyArray<number>
  readonly before: number
  readonly after: number
}

/** So many different UTF-8 sequences do not come about by accident. */
const enough = 6
/** Longer runs are looked at in pieces of this length. */
const longestRun = 4096

const isLower = (byte: number) => byte >= 0x61 && byte <= 0x7a
const isLetter = (byte: number) => isLower(byte | 0x20)
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39

/** Bytes that Windows-1252 does not know, and signs that are rare in its texts and letters in other encodings. */
const unassigned = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])
const rareSigns = new Set([0xa4, 0xa5, 0xa6, 0xa8, 0xac, 0xaf, 0xb3, 0xb8, 0xb9, 0xbf])
const isWesternLetter = (byte: number) =>
  (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7) || [0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f].includes(byte)

/** Signs of a language written in GBK: two-character words that business exports hold. */
const chineseWords = [
  "公司",
  "有限",
  "发票",
  "金额",
  "数量",
  "日期",
  "单价",
  "客户",
  "名称",
  "服务",
  "产品",
  "北京",
  "上海",
  "中国",
  "广州",
  "深圳",
  "科技",
  "技术",
  "商品",
  "税率"
]

export class EncodingEvidence {
  /** No byte above 0x7F and no NUL: every encoding reads it alike. */
  ascii = true
  private size = 0
  private readonly nuls = [0, 0]
  private utf8 = true
  /** The beginning of a UTF-8 sequence whose end is in the next chunk. */
  private tail: Uint8Array = new Uint8Array(0)
  private readonly sequences = new Set<string>()
  private believed = false
  private runs = 0
  private western = 0
  private chinese = 0
  private strange = 0
  private utf8Naturally = 0
  private westernEndings = 0
  private readonly chineseText = new TextDecoder("gbk")
  private chineseWordSeen = false
  private run: Array<number> = []
  private before = 0x0a
  private previous = 0x0a
  /** Three runs, for a person to look at. */
  readonly examples: Array<Uint8Array> = []

  take(chunk: Uint8Array): void {
    const offset = this.size
    this.size += chunk.length
    if (chunk.length === 0) return
    if (this.run.length === 0 && isAscii(chunk) && !chunk.includes(0)) {
      this.previous = chunk[chunk.length - 1]!
      if (this.tail.length > 0) this.utf8 = false
      return
    }
    this.ascii = false
    if (this.utf8) this.checkUtf8(chunk)
    if (this.utf8 && this.sequences.size >= enough) {
      this.believed = true
      return
    }
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (byte >= 0x80) {
        if (this.run.length === 0) this.before = this.previous
        this.run.push(byte)
        if (this.run.length === longestRun) this.endRun(byte)
      } else {
        if (byte === 0) this.nuls[(offset + i) & 1]!++
        if (this.run.length > 0) this.endRun(byte)
      }
      this.previous = byte
    }
  }

  finish(): void {
    if (this.run.length > 0) this.endRun(0x0a)
    if (this.tail.length > 0) this.utf8 = false
  }

  /** The encodings under which the file is plausible text; with exactly one of them it is settled. */
  plausible(): ReadonlyArray<Encoding> {
    const wide = this.wide()
    if (wide !== undefined) return [wide]
    if (this.runs === 0) return ["utf-8"]
    if (this.utf8) return this.beside("utf-8")
    // Enough UTF-8 to be believed, and then bytes that are none: a file put together from several.
    if (this.believed) return []
    const readings: Array<Encoding> = []
    if (this.strange === 0 && this.western * 10 >= this.runs * 9) readings.push("windows-1252")
    if (this.chinese * 10 >= this.runs * 9) readings.push("gbk")
    return readings.length === 1 && readings[0] === "gbk" && !this.chineseWordSeen ? [] : readings
  }

  private checkUtf8(chunk: Uint8Array): void {
    const bytes = this.tail.length === 0 ? chunk : Buffer.concat([this.tail, chunk])
    let end = bytes.length
    while (end > 0 && end > bytes.length - 3 && (bytes[end - 1]! & 0xc0) === 0x80) end--
    if (end > 0 && bytes[end - 1]! >= 0xc0 && bytes.length - end + 1 < widthOf(bytes[end - 1]!)) end--
    else end = bytes.length
    this.utf8 = isUtf8(bytes.subarray(0, end))
    this.tail = bytes.slice(end)
  }

  /** UTF-16 without a mark: NULs at every other place, for the figures and delimiters, and never in between. */
  private wide(): Encoding | undefined {
    const [even, odd] = this.nuls as [number, number]
    if ((even === 0) === (odd === 0) || (even + odd) * 20 < this.size) return undefined
    return even === 0 ? "utf-16le" : "utf-16be"
  }

  /** Valid UTF-8 is believed when there is enough of it, or when it stands where such characters do. */
  private beside(utf8: "utf-8"): ReadonlyArray<Encoding> {
    if (this.sequences.size >= enough || this.utf8Naturally > 0) return [utf8]
    const readings: Array<Encoding> = [utf8]
    if (this.chinese === this.runs) readings.push("gbk")
    if (this.westernEndings === this.runs) readings.push("windows-1252")
    return readings
  }

  private endRun(after: number): void {
    const run: Run = { bytes: this.run, before: this.before, after }
    this.run = []
    this.runs++
    if (this.examples.length < 3) this.examples.push(Uint8Array.from(run.bytes))
    if (this.sequences.size < enough) for (const sequence of sequencesOf(run)) this.sequences.add(sequence)
    if (isWesternRun(run)) this.western++
    if (run.bytes.some((byte, i) => unassigned.has(byte) || isStrange(run, i))) this.strange++
    if (isChineseRun(run)) this.chinese++
    if (isNaturalUtf8(run)) this.utf8Naturally++
    if (isWesternEnding(run)) this.westernEndings++
    if (!this.chineseWordSeen && run.bytes.length >= 4) {
      const text = this.chineseText.decode(Uint8Array.from(run.bytes))
      this.chineseWordSeen = chineseWords.some((word) => text.includes(word))
    }
  }
}

/** How many bytes a UTF-8 sequence has that begins so. */
const widthOf = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2)

/** UTF-8 sequences of a run, each as text; no matter whether it is UTF-8 at all. */
const sequencesOf = ({ bytes }: Run): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const byte of bytes) {
    if (byte >= 0xc0 || found.length === 0) found.push("")
    found[found.length - 1] += String.fromCharCode(byte)
  }
  return found
}

/** Western text: single letters or signs, or two or three letters inside a word. */
const isWesternRun = ({ after, before, bytes }: Run): boolean =>
  bytes.length === 1 ||
  bytes.every((byte) => !isWesternLetter(byte)) ||
  (bytes.length <= 3 && (isLetter(before) || isLetter(after)))

const isStrange = ({ before, bytes }: Run, i: number): boolean => {
  const previous = i === 0 ? before : bytes[i - 1]!
  return rareSigns.has(bytes[i]!) && isLetter(previous) && (previous | 0x20) !== 0x6d
}

/** Chinese text: pairs of GB 2312, most of them the common characters, and not inside a word of small letters. */
const isChineseRun = ({ after, before, bytes }: Run): boolean => {
  if (bytes.length % 2 !== 0 || (isLower(before) && isLower(after))) return false
  let common = 0
  for (let i = 0; i < bytes.length; i += 2) {
    const [lead, trail] = [bytes[i]!, bytes[i + 1]!]
    if (lead < 0xa1 || lead > 0xf7 || trail < 0xa1 || trail === 0xff) return false
    if (lead < 0xd8) common++
  }
  return common * 10 >= (bytes.length / 2) * 7
}

/** Where UTF-8 characters stand and mojibake does not: inside words of small letters, or as a money sign before figures. */
const isNaturalUtf8 = ({ after, before, bytes }: Run): boolean => {
  if (isLower(before) || isLower(after)) return true
  const sign = bytes.length === 2 && bytes[0] === 0xc2 && (bytes[1] === 0xa3 || bytes[1] === 0xa5)
  return sign && !isDigit(before) && (isDigit(after) || after === 0x20 || after === 0x2d)
}

/** A capital letter and a sign after capitals, as in a brand with ®: Windows-1252 that happens to be valid UTF-8. */
const isWesternEnding = ({ before, bytes }: Run): boolean =>
  bytes.length === 2 &&
  before >= 0x41 &&
  before <= 0x5a &&
  bytes[0]! >= 0xc4 &&
  [0x92, 0x93, 0x94, 0x99, 0xa0, 0xae, 0xbb].includes(bytes[1]!)
