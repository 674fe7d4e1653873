/**
 * Texts shared by cells, as UTF-8 in a few large blocks: a million separate strings would take most
 * of the memory.
 */
import { Buffer } from "node:buffer"
import { tooMuch } from "../Refusal.ts"

/** Bytes of a block. A text is at most 32 767 characters and always fits in one block. */
const piece = 1 << 20
/** Maximum number and bytes of all texts: a hostile file cannot fill the memory. */
const limits = { count: 1 << 21, bytes: 96 << 20 }

export class SharedStrings {
  private readonly pieces: Array<Buffer> = []
  private used = piece
  private starts = new Uint32Array(1024)
  private lengths = new Uint32Array(1024)
  count = 0

  /** Adds a text of at most 32 767 characters. Throws a `Refusal` if the limits are exceeded. */
  add(text: string): void {
    const most = text.length * 3
    if (this.used + most > piece) {
      if (this.pieces.length * piece >= limits.bytes)
        throw tooMuch(`it has more than ${limits.bytes >> 20} MiB of texts`)
      this.pieces.push(Buffer.allocUnsafe(piece))
      this.used = 0
    }
    if (this.count === limits.count) throw tooMuch(`it has more than ${limits.count} texts`)
    if (this.count === this.starts.length) this.grow()
    const length = this.pieces.at(-1)!.write(text, this.used, "utf8")
    this.starts[this.count] = (this.pieces.length - 1) * piece + this.used
    this.lengths[this.count++] = length
    this.used += length
  }

  use(index: number, take: (bytes: Uint8Array, from: number, to: number) => void): boolean {
    if (!(index >= 0 && index < this.count)) return false
    const from = this.starts[index]! % piece
    take(this.pieces[Math.floor(this.starts[index]! / piece)]!, from, from + this.lengths[index]!)
    return true
  }

  private grow(): void {
    const [starts, lengths] = [new Uint32Array(this.count * 2), new Uint32Array(this.count * 2)]
    starts.set(this.starts)
    lengths.set(this.lengths)
    this.starts = starts
    this.lengths = lengths
  }
}
