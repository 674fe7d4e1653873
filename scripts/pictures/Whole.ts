/** Drawing of the whole: the way of a document, and who answers what. */
import { arrow, box, label, picture } from "./Drawing.ts"

const steps = [
  ["Export", "your accounting system", "states documents: a file, or read live"],
  ["Plan", "mapping book, device, store", "decide: sent, held, refused or skipped"],
  ["Consent", "you, or your job", "agree to exactly this plan"],
  ["Send", "the connector", "one request per device, written down first"],
  ["Proof", "the gateway and its device", "verification code, QR code, PDF"],
  ["Compare", "the day's report", "compared with what was sent, daily"]
] as const

const [width, left, top, step, boxWidth, boxHeight] = [560, 20, 20, 86, 128, 52]
const middle = left + boxWidth / 2

/** Returns the drawing as SVG. */
export const draw = (): string => {
  const yOf = (at: number) => top + at * step
  const rows = steps.flatMap(([name, who, what], at) => [
    box(left, yOf(at), boxWidth, boxHeight, name === "Proof" ? "end" : "box"),
    label(middle, yOf(at) + 33, "name middle", name),
    label(left + boxWidth + 22, yOf(at) + 20, "who", who),
    label(left + boxWidth + 22, yOf(at) + 43, "small", what),
    ...(at === 0
      ? []
      : [arrow([middle, yOf(at) - step + boxHeight], [middle, yOf(at) - 1], at < 4 ? "connector" : "gateway")])
  ])
  const under = yOf(steps.length) + 4
  return picture(
    width,
    under + 88,
    `The way of a document: ${steps.map(([name]) => name).join(", ")}. Without a clear answer it is looked up, never sent again blindly.`,
    [
      ...rows,
      box(left, under, width - 2 * left, 66, "open"),
      label(left + 16, under + 27, "who", "No clear answer after sending?"),
      label(left + 16, under + 51, "small", "Unknown: looked up, never sent again without evidence.")
    ],
    ".who{font-weight:600}"
  )
}
