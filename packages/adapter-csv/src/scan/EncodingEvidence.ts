/**
 * Evidence for the encoding of a whole file, from byte sequences and their neighbors, without
 * decoding. Most short texts fit several encodings, so each encoding is tested for plausible text.
 */
import { Buffer, isAscii, isUtf8 } from "node:buffer"
import type { Encoding } from "./Encoding.ts"

/** Adjacent bytes of 0x80 and above, with the ASCII bytes around them. */
interface Run {
  readonly bytes: ReadonlyArray<number>
  readonly before: number
  readonly after: number
}

/** Number of different UTF-8 sequences that rules out chance. */
const enough = 6
/** Longest run in bytes; longer runs are split. */
const longestRun = 4096

const isLower = (byte: number) => byte >= 0x61 && byte <= 0x7a
const isLetter = (byte: number) => isLower(byte | 0x20)
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39

/**
 * Bytes undefined in Windows-1252, and signs that are rare in its texts and letters in other
 * encodings.
 */
const unassigned = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])
const rareSigns = new Set([0xa4, 0xa5, 0xa6, 0xa8, 0xac, 0xaf, 0xb3, 0xb8, 0xb9, 0xbf])
const isWesternLetter = (byte: number) =>
  (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7) || [0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f].includes(byte)

/** Evidence for GBK: two-character words of business exports. */
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
  /** True if no byte is above 0x7F or NUL: every encoding reads the file alike. */
  ascii = true
  private size = 0
  private readonly nuls = [0, 0]
  private utf8 = true
  /** Start of a UTF-8 sequence that ends in the next chunk. */
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
  /** Three runs, as examples for the operator. */
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

  /**
   * Returns the encodings under which the file is plausible text; a single one settles the
   * encoding.
   */
  plausible(): ReadonlyArray<Encoding> {
    const wide = this.wide()
    if (wide !== undefined) return [wide]
    if (this.runs === 0) return ["utf-8"]
    if (this.utf8) return this.beside("utf-8")
    // enough UTF-8 to be sure, then invalid bytes: a file joined from several
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

  /**
   * Detects UTF-16 without a byte order mark: NUL bytes at every other position, from figures and
   * delimiters, and never in between.
   */
  private wide(): Encoding | undefined {
    const [even, odd] = this.nuls as [number, number]
    if ((even === 0) === (odd === 0) || (even + odd) * 20 < this.size) return undefined
    return even === 0 ? "utf-16le" : "utf-16be"
  }

  /**
   * Returns UTF-8 alone if the file has enough sequences or natural positions; otherwise also other
   * plausible encodings.
   */
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

/** Returns the length of a UTF-8 sequence by its first byte. */
const widthOf = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2)

/** Splits a run at possible starts of UTF-8 sequences, valid or not. */
const sequencesOf = ({ bytes }: Run): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const byte of bytes) {
    if (byte >= 0xc0 || found.length === 0) found.push("")
    found[found.length - 1] += String.fromCharCode(byte)
  }
  return found
}

/**
 * Returns true for Western text: single letters or signs, or two or three letters inside a word.
 */
const isWesternRun = ({ after, before, bytes }: Run): boolean =>
  bytes.length === 1 ||
  bytes.every((byte) => !isWesternLetter(byte)) ||
  (bytes.length <= 3 && (isLetter(before) || isLetter(after)))

const isStrange = ({ before, bytes }: Run, i: number): boolean => {
  const previous = i === 0 ? before : bytes[i - 1]!
  return rareSigns.has(bytes[i]!) && isLetter(previous) && (previous | 0x20) !== 0x6d
}

/**
 * Returns true for Chinese text: pairs of GB 2312, at least 70 % common characters, and not inside
 * a word of lower-case letters.
 */
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

/**
 * Returns true at positions natural for UTF-8 and not for mojibake: inside words of lower-case
 * letters, or as a money sign before figures.
 */
const isNaturalUtf8 = ({ after, before, bytes }: Run): boolean => {
  if (isLower(before) || isLower(after)) return true
  const sign = bytes.length === 2 && bytes[0] === 0xc2 && (bytes[1] === 0xa3 || bytes[1] === 0xa5)
  return sign && !isDigit(before) && (isDigit(after) || after === 0x20 || after === 0x2d)
}

/**
 * Returns true for a capital letter and a sign after capitals, as in a brand with ®: Windows-1252
 * that happens to be valid UTF-8.
 */
const isWesternEnding = ({ before, bytes }: Run): boolean =>
  bytes.length === 2 &&
  before >= 0x41 &&
  before <= 0x5a &&
  bytes[0]! >= 0xc4 &&
  [0x92, 0x93, 0x94, 0x99, 0xa0, 0xae, 0xbb].includes(bytes[1]!)
