import { cellEnd, type Dialect } from "./Dialect.ts"

export const QUOTE = 0x22
export const LF = 0x0a
export const CR = 0x0d
const TAB = 0x09

export const Separator = 1
export const LineEnd = 2
export const QuoteMark = 3
export const HighByte = 4
export const ControlByte = 6
export const Backslash = 7

export const EvidenceByte = 8

/**
 * Marker bytes of a table (`Table`), never part of UTF-8, in addition to `cellEnd`. Cells have no
 * quotes: a line break or a quote in a cell is text.
 */
export const ROW_END = 0xfe
export const NUMBER = 0xf8
export const NOT_TEXT = 0xf9
export const TROUBLE = 0xfa
export const EVIDENCE = 0xfb

const classesOfTable = () => {
  const outside = new Uint8Array(256)
  outside.fill(HighByte, 0x80)
  for (let code = 0; code < 0x20; code++) if (code !== TAB && code !== LF && code !== CR) outside[code] = ControlByte
  outside[0x7f] = ControlByte
  outside.fill(EvidenceByte, NUMBER, EVIDENCE + 1)
  outside[ROW_END] = LineEnd
  outside[0xff] = Separator
  return { outside, inside: outside }
}

export const classesOf = ({ delimiter, quotes }: Dialect) => {
  if (delimiter === cellEnd) return classesOfTable()
  const outside = new Uint8Array(256)
  outside.fill(HighByte, 0x80)
  for (let code = 0; code < 0x20; code++) if (code !== TAB) outside[code] = ControlByte
  outside[0x7f] = ControlByte
  outside[QUOTE] = QuoteMark
  outside[LF] = outside[CR] = LineEnd
  const inside = outside.slice()
  outside[delimiter.charCodeAt(0)] = Separator
  if (quotes === "backslash") inside[0x5c] = Backslash
  return { outside, inside }
}
