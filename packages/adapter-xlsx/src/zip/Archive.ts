/**
 * Parts of a workbook's ZIP archive. Names and sizes are checked before unpacking, and checksums
 * while reading.
 */
import type { Buffer } from "node:buffer"
import { crc32 } from "node:zlib"
import { type Entry, fromFdPromise, type ZipFile } from "yauzl"
import { damaged, Refusal, tooMuch } from "../Refusal.ts"

/** Limits that no genuine workbook exceeds. Ordinary sheets have a compression ratio of 8 to 16. */
const limits = { parts: 4096, part: 1024 * 2 ** 20, total: 2048 * 2 ** 20, ratio: 200, ratioFrom: 2 ** 20 }

export class Archive {
  private readonly zip: ZipFile
  /** Entries by name in lower case, because names of parts are compared without case. */
  private readonly entries: ReadonlyMap<string, Entry>

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.zip = zip
    this.entries = entries
  }

  static async open(file: number): Promise<Archive> {
    const entries = new Map<string, Entry>()
    let total = 0
    try {
      const zip = await fromFdPromise(file, { autoClose: false, lazyEntries: true, strictFileNames: true })
      if (zip.entryCount > limits.parts) throw tooMuch(`it says to have ${zip.entryCount} parts`)
      for await (const entry of zip.eachEntry()) {
        const name = entry.fileName.toLowerCase()
        const trouble = troubleOf(entry, (total += entry.uncompressedSize))
        if (trouble !== undefined) throw trouble
        if (entries.has(name))
          throw damaged(`its part ${entry.fileName} appears twice, and it is not clear which of them applies`)
        entries.set(name, entry)
      }
      return new Archive(zip, entries)
    } catch (error) {
      throw error instanceof Refusal ? error : nameOrDamage(error)
    }
  }

  has(part: string): boolean {
    return this.entries.has(part.toLowerCase())
  }

  get names(): ReadonlyArray<string> {
    return [...this.entries.keys()]
  }

  /**
   * Returns the unpacked bytes of a part. Rejects with a `Refusal` if the part is absent, or
   * differs from the directory.
   */
  async *bytes(part: string): AsyncGenerator<Buffer, void> {
    const entry = this.entries.get(part.toLowerCase())
    if (entry === undefined) throw damaged(`its part ${part} is missing`)
    let sum = 0
    try {
      const stream: AsyncIterable<Buffer> = await this.zip.openReadStreamPromise(entry)
      for await (const chunk of stream) {
        sum = crc32(chunk, sum)
        yield chunk
      }
    } catch (error) {
      throw error instanceof Refusal ? error : broken(part, error)
    }
    if (sum !== entry.crc32) throw damaged(`its part ${part} is damaged: the checksum is another`)
  }
}

const because = (error: unknown): string => (error instanceof Error ? ` (${error.message.split(".")[0]})` : "")

const broken = (part: string, error: unknown) => damaged(`its part ${part} is damaged${because(error)}`)

const nameOrDamage = (error: unknown) =>
  error instanceof Error && /relative path|absolute path|invalid characters/.test(error.message)
    ? new Refusal(
        `a part of it is named as a path out of the archive (${error.message})`,
        "Do not open it: no spreadsheet program writes such names"
      )
    : damaged(`its archive is cut off or damaged${because(error)}`)

const troubleOf = (entry: Entry, total: number): Refusal | undefined => {
  const { compressedSize, fileName, uncompressedSize } = entry
  if (entry.isEncrypted()) return new Refusal(`its part ${fileName} is encrypted`, "Save it without a password")
  if (uncompressedSize > limits.part || total > limits.total) {
    return tooMuch(`it unpacks to ${Math.round(Math.max(uncompressedSize, total) / 2 ** 20)} MiB`)
  }
  return uncompressedSize > limits.ratioFrom && uncompressedSize > limits.ratio * compressedSize
    ? tooMuch(`its part ${fileName} unpacks to more than ${limits.ratio} times its size`)
    : undefined
}
