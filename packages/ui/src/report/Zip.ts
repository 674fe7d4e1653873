/**
 * Writes a zip archive file by file, uncompressed (a PDF is already compressed), so that only one
 * file is in memory. Numbers beyond the limits of the 32-bit format use the 64-bit format.
 */
import { Stream } from "effect"
import { crc32 } from "node:zlib"

export interface ZipFile {
  readonly name: string
  readonly bytes: Uint8Array
}

interface WrittenFile {
  readonly name: Uint8Array
  readonly crc: number
  readonly size: number
  readonly at: number
}

/** 1 January 1980 for every file: the document contains its creation time. */
const noTime = [0, 0x21] as const
const [utf8, stored] = [0x0800, 0]
/** Largest value of a 32-bit field; a larger value needs the Zip64 fields. */
const most = 0xffff_ffff

const header = (length: number, write: (view: DataView) => void, ...rest: ReadonlyArray<Uint8Array>): Uint8Array => {
  const head = new Uint8Array(length)
  write(new DataView(head.buffer))
  return Buffer.concat([head, ...rest])
}

const localHeader = ({ crc, name, size }: WrittenFile): Uint8Array =>
  header(
    30,
    (view) => {
      view.setUint32(0, 0x04034b50, true)
      view.setUint16(4, 20, true)
      view.setUint16(6, utf8, true)
      view.setUint16(8, stored, true)
      noTime.forEach((half, i) => view.setUint16(10 + 2 * i, half, true))
      view.setUint32(14, crc, true)
      view.setUint32(18, size, true)
      view.setUint32(22, size, true)
      view.setUint16(26, name.length, true)
    },
    name
  )

const entry = ({ at, crc, name, size }: WrittenFile): Uint8Array => {
  const isFar = at >= most
  const far = header(isFar ? 12 : 0, (view) => {
    if (!isFar) return
    view.setUint16(0, 1, true)
    view.setUint16(2, 8, true)
    view.setBigUint64(4, BigInt(at), true)
  })
  return header(
    46,
    (view) => {
      view.setUint32(0, 0x02014b50, true)
      view.setUint16(4, 45, true)
      view.setUint16(6, isFar ? 45 : 20, true)
      view.setUint16(8, utf8, true)
      view.setUint16(10, stored, true)
      noTime.forEach((half, i) => view.setUint16(12 + 2 * i, half, true))
      view.setUint32(16, crc, true)
      view.setUint32(20, size, true)
      view.setUint32(24, size, true)
      view.setUint16(28, name.length, true)
      view.setUint16(30, far.length, true)
      view.setUint32(42, isFar ? most : at, true)
    },
    name,
    far
  )
}

const ending = (count: number, size: number, at: number): Uint8Array => {
  const isFar = count >= 0xffff || at >= most || size >= most
  const far = isFar
    ? [
        header(56, (view) => {
          view.setUint32(0, 0x06064b50, true)
          view.setBigUint64(4, 44n, true)
          view.setUint16(12, 45, true)
          view.setUint16(14, 45, true)
          view.setBigUint64(24, BigInt(count), true)
          view.setBigUint64(32, BigInt(count), true)
          view.setBigUint64(40, BigInt(size), true)
          view.setBigUint64(48, BigInt(at), true)
        }),
        header(20, (view) => {
          view.setUint32(0, 0x07064b50, true)
          view.setBigUint64(8, BigInt(at + size), true)
          view.setUint32(16, 1, true)
        })
      ]
    : []
  const end = header(22, (view) => {
    view.setUint32(0, 0x06054b50, true)
    view.setUint16(8, Math.min(count, 0xffff), true)
    view.setUint16(10, Math.min(count, 0xffff), true)
    view.setUint32(12, Math.min(size, most), true)
    view.setUint32(16, Math.min(at, most), true)
  })
  return Buffer.concat([...far, end])
}

/** Returns the archive in pieces. Each file must be smaller than 4 GB. */
export const write = <E, R>(files: Stream.Stream<ZipFile, E, R>): Stream.Stream<Uint8Array, E, R> => {
  const entries: Array<Uint8Array> = []
  let at = 0
  const bodies = Stream.flatMap(files, ({ bytes, name }) => {
    const written = { name: new TextEncoder().encode(name), crc: crc32(bytes), size: bytes.length, at }
    const head = localHeader(written)
    entries.push(entry(written))
    at += head.length + bytes.length
    return Stream.make(head, bytes)
  })
  const directory = Stream.suspend(() => {
    const size = entries.reduce((sum, { length }) => sum + length, 0)
    return Stream.fromIterable([...entries, ending(entries.length, size, at)])
  })
  return Stream.concat(bodies, directory)
}
