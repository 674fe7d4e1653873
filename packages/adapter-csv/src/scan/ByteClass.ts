/** What each byte means to the scanner; one table outside of quotes and one inside. */
import type { Dialect } from "./Dialect.ts"
import { type Encoding, scanned } from "./Encoding.ts"

export const QUOTE = 0x22
export const LF = 0x0a
export const CR = 0x0d
const TAB = 0x09

/** A byte of no meaning has the class 0. */
export const Separator = 1
export const LineEnd = 2
export const QuoteMark = 3
/** Above 0x7F. */
export const HighByte = 4
/** The first byte of a GBK character: the next one means nothing by itself. */
export const LeadByte = 5
/** A control character that is no blank and no line end. */
export const ControlByte = 6
export const Backslash = 7

export const classesOf = ({ delimiter, quotes }: Dialect, encoding: Encoding) => {
  const outside = new Uint8Array(256)
  outside.fill(HighByte, 0x80)
  if (scanned(encoding) === "gbk") outside.fill(LeadByte, 0x81, 0xff)
  for (let code = 0; code < 0x20; code++) if (code !== TAB) outside[code] = ControlByte
  outside[0x7f] = ControlByte
  outside[QUOTE] = QuoteMark
  outside[LF] = outside[CR] = LineEnd
  const inside = outside.slice()
  outside[delimiter.charCodeAt(0)] = Separator
  if (quotes === "backslash") inside[0x5c] = Backslash
  return { outside, inside }
}
