/**
 * Evidence for the encoding of a whole file. Only impossible text excludes an encoding, and the
 * writing of known languages orders the others. The encoding is settled, or the texts are shown to
 * the operator.
 */
import { Buffer, isAscii, isUtf8 } from "node:buffer"
import { decodeOriginal, type Encoding, encodings, isWide, scanned } from "./Encoding.ts"
import { betweenWords, type ScriptFit, fitsOf, isDamaged, isForeign, isMixed } from "./Writing.ts"

/** Number of different UTF-8 sequences that rules out chance. */
const enough = 6
const longestCell = 4096
/** Cells kept for the comparison; Western words beyond doubt need fewer. */
const [mostDoubtful, mostWestern] = [1000, 300]
const mostSeen = 20_000

/** True for bytes that end a cell, and are part of no character of several bytes. */
const endsCell = (byte: number) =>
  byte < 0x3c && (byte === 0x0a || byte === 0x0d || byte === 0x22 || byte === 0x2c || byte === 0x3b || byte === 0x09)

export interface TextReading {
  readonly encoding: Encoding
  readonly samples: ReadonlyArray<string>
}

export interface SettledEncoding extends TextReading {
  readonly because: string
}

const onlyText = "no other encoding gives plausible text"
const onlyUtf8: SettledEncoding = { encoding: "utf-8", because: onlyText, samples: [] }

interface EncodingCandidate {
  readonly encoding: Encoding
  readonly texts: ReadonlyArray<string>
  /** Text and fit of each word with bytes above 0x7F, in the order of all words. */
  readonly words: ReadonlyArray<{ readonly text: string; readonly fit: ScriptFit }>
}

export class EncodingEvidence {
  private isPlain = true
  private size = 0
  private readonly nuls = [0, 0]
  private utf8 = true
  /** Start of a UTF-8 sequence that ends in the next chunk. */
  private tail: Uint8Array = new Uint8Array(0)
  private readonly sequences = new Set<string>()
  /** True if the file began as UTF-8: invalid bytes later show a file joined from several. */
  private wasUtf8 = false
  private readonly bytes = new Set<string>()
  private rest: Uint8Array = new Uint8Array(0)
  /** Chunks that were not searched for cells yet: small ones are searched together. */
  private waiting: Array<Uint8Array> = []
  private waitingSize = 0
  private seen = new Set<string>()
  private readonly doubtful: Array<string> = []
  private readonly western: Array<string> = []

  take(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    const isPlain = isAscii(chunk) && !chunk.includes(0)
    if (!isPlain) {
      this.isPlain = false
      if (chunk.includes(0)) for (const [i, byte] of chunk.entries()) if (byte === 0) this.nuls[(this.size + i) & 1]!++
    }
    this.size += chunk.length
    if (isPlain && this.tail.length > 0) this.utf8 = false
    if (this.utf8 && !isPlain) this.checkUtf8(chunk)
    if (this.utf8 && this.sequences.size >= enough) {
      this.wasUtf8 = true
      return
    }
    this.waiting.push(chunk)
    this.waitingSize += chunk.length
    if (this.waitingSize >= longestCell) this.search()
  }

  private search(): void {
    const parts = this.rest.length === 0 ? this.waiting : [this.rest, ...this.waiting]
    this.waiting = []
    this.waitingSize = 0
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    if (isAscii(bytes)) {
      this.rest = bytes.slice(Math.max(bytes.findLastIndex(endsCell), bytes.length - longestCell) + 1)
      return
    }
    const text = Buffer.from(bytes).toString("latin1")
    let [from, isHigh] = [0, false]
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!
      if (endsCell(byte) || i - from >= longestCell) {
        if (isHigh) this.look(text.substring(from, i))
        from = endsCell(byte) ? i + 1 : i
        isHigh = false
      }
      if (byte >= 0x80) isHigh = true
    }
    this.rest = bytes.slice(from)
  }

  finish(): void {
    this.search()
    this.look(Buffer.from(this.rest).toString("latin1"))
    if (this.tail.length > 0) this.utf8 = false
  }

  /** If the form of the bytes settles it, whatever the operator states. */
  certain(): SettledEncoding | undefined {
    const wide = this.wide()
    if (wide !== undefined) return { encoding: wide, because: "every other byte is zero", samples: [] }
    return this.utf8 && this.sequences.size >= enough ? onlyUtf8 : undefined
  }

  samples(encoding: Encoding): ReadonlyArray<string> {
    return [...this.doubtful, ...this.western].slice(0, 3).map((cell) => decodeOriginal(cell, encoding))
  }

  /** Else the possible texts, likeliest first. `isName`: the text is a known column name. */
  found(isName: (text: string) => boolean): SettledEncoding | ReadonlyArray<TextReading> {
    const certain = this.certain()
    if (certain !== undefined) return certain
    if (this.isPlain || this.seen.size === 0) return { encoding: "utf-8", because: "it is plain ASCII", samples: [] }
    const readings = this.candidates([...this.doubtful, ...this.western])
    const settled = this.wasUtf8 ? undefined : (byForm(readings) ?? byName(readings, isName) ?? byScript(readings))
    const shown = ({ encoding, texts }: EncodingCandidate): TextReading => ({ encoding, samples: texts.slice(0, 3) })
    return settled === undefined ? readings.map(shown) : { ...shown(settled.one), because: settled.because }
  }

  private candidates(cells: ReadonlyArray<string>): ReadonlyArray<EncodingCandidate> {
    const bytes = [...this.bytes].join("")
    const found = new Map<string, EncodingCandidate>()
    for (const encoding of encodings) {
      if (isWide(encoding) || (encoding === "utf-8" && !this.utf8)) continue
      const texts = cells.map((cell) => decodeOriginal(cell, encoding))
      const all = scanned(encoding) === "utf-8" ? "" : decodeOriginal(bytes, encoding)
      if (/[\x80-\x9f\ufffd]/.test(all) || texts.some(isDamaged)) continue
      // valid UTF-8 is seldom chance, even where a letter of another script was typed
      if (encoding !== "utf-8" && texts.some(isMixed)) continue
      const key = texts.join("\n")
      if (found.has(key)) continue
      const words = cells.flatMap((cell, i) => {
        const fits = fitsOf(texts[i]!)
        const parts = texts[i]!.split(betweenWords)
        return cell
          .split(betweenWords)
          .flatMap((raw, n) => (/[\x80-\xff]/.test(raw) ? [{ raw, text: parts[n]!, fit: fits[n]! }] : []))
      })
      found.set(key, { encoding, texts, words: [...new Map(words.map((word) => [word.raw, word])).values()] })
    }
    return [...found.values()].toSorted(
      // few bytes are characters of several bytes by chance
      (a, b) => unfit(a) - unfit(b) || a.texts.join("").length - b.texts.join("").length
    )
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
   * UTF-16 without a byte order mark: NUL bytes at every other position, from figures and
   * delimiters, and never in between.
   */
  private wide(): Encoding | undefined {
    const [even, odd] = this.nuls as [number, number]
    if ((even === 0) === (odd === 0) || (even + odd) * 20 < this.size) return undefined
    return even === 0 ? "utf-16le" : "utf-16be"
  }

  private look(raw: string): void {
    // words repeat more than cells
    const words = raw.split(betweenWords).filter((word) => /[\x80-\xff]/.test(word) && !this.seen.has(word))
    if (words.length === 0) return
    if (this.seen.size >= mostSeen) this.seen = new Set()
    for (const word of words) this.seen.add(word)
    for (const [byte] of raw.matchAll(/[\x80-\xff]/g)) this.bytes.add(byte)
    if (this.utf8) for (const [sequence] of raw.matchAll(/[\xc0-\xff][\x80-\xbf]+/g)) this.sequences.add(sequence)
    const list = fitsOf(decodeOriginal(raw, "windows-1252")).some((fit) => fit > 0) ? this.doubtful : this.western
    if (list.length < (list === this.doubtful ? mostDoubtful : mostWestern)) list.push(raw)
  }
}

const unfit = ({ words }: EncodingCandidate): number => words.reduce((sum, { fit }) => sum + fit, 0)

/**
 * True if the other reading is as good or better in two words that no frequent language
 * has, or in one without another word that speaks against it.
 */
const isDoubt = (other: EncodingCandidate, own: EncodingCandidate): boolean => {
  const pairs = own.words.map((word, i) => ({ word, rival: other.words[i]! }))
  const better = pairs.filter(({ rival, word }) => word.fit > 0 && rival.text !== word.text && rival.fit <= word.fit)
  return (
    better.length > 1 || (better.length === 1 && !pairs.some(({ rival, word }) => word.fit === 0 && rival.fit === 2))
  )
}

/** Returns UTF-8 if no other reading is better, or Windows-1252 if no other reading is better. */
const byForm = (readings: ReadonlyArray<EncodingCandidate>) => {
  const utf8 = readings.find(({ encoding }) => encoding === "utf-8")
  // bytes are UTF-8 by chance only where they are sound text otherwise
  if (utf8 !== undefined && readings.every((one) => one === utf8 || unfit(one) >= Math.max(1, unfit(utf8))))
    return { because: onlyText, one: utf8 }
  const western = readings.find(({ encoding }) => encoding === "windows-1252")
  return western === undefined || readings.some((other) => other !== western && isDoubt(other, western))
    ? undefined
    : { because: "no other encoding gives better text", one: western }
}

const byName = (readings: ReadonlyArray<EncodingCandidate>, isName: (text: string) => boolean) => {
  const named = new Set<EncodingCandidate>()
  for (const i of readings[0]?.texts.keys() ?? []) {
    const [one, other] = readings.filter(({ texts }) => isName(texts[i]!))
    if (one !== undefined && other === undefined) named.add(one)
  }
  const [one, other] = named
  return one === undefined || other !== undefined
    ? undefined
    : { because: "no other encoding gives known names of columns", one }
}

const byScript = ([one, ...others]: ReadonlyArray<EncodingCandidate>) =>
  one !== undefined &&
  one.words.every(({ fit }) => fit < 2) &&
  one.words.filter(({ text }) => isForeign(text)).length > 2 &&
  others.every(({ words }) => words.filter(({ fit }) => fit === 2).length > 1)
    ? { because: "no other encoding gives text of one script", one }
    : undefined

const widthOf = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2)
