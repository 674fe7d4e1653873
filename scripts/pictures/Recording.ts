/**
 * Animated recording of `connector start`, from the conversation in docs/start.md. A test compares
 * that conversation with the output of the command, so the recording is never stale.
 */
import { label, picture } from "./Drawing.ts"

const [columns, lineHeight, left, top, rows] = [56, 21, 18, 34, 24]
/** Seconds of a screen: the time to begin to read, and for each text line. */
const [secondsAtLeast, secondsPerRow] = [1, 0.18]

/** A prompt, after which the operator types. */
const prompt = /^(.*(?:Number:|proposed one:|one by one:|stops here:) )(.+)$/

interface Row {
  readonly text: string
  readonly given: string
}

/** Returns the text in rows of the terminal's width; continued rows are indented. */
const rowsOf = (line: string): ReadonlyArray<Row> => {
  const [, asked = line, given = ""] = prompt.exec(line) ?? []
  const found: Array<string> = []
  let rest = asked
  while (rest.length > columns) {
    const cut = rest.lastIndexOf(" ", columns)
    const at = cut > 8 ? cut : columns
    found.push(rest.slice(0, at))
    rest = `    ${rest.slice(at).trimStart()}`
  }
  return [...found.map((text) => ({ text, given: "" })), { text: rest, given }]
}

/** Returns the screens: questions with their answers, then the files, the plan and the command. */
const screensOf = (page: string): ReadonlyArray<ReadonlyArray<Row>> => {
  const [, conversation = ""] = /<!-- recorded: conversation -->\n```text\n([^]*?)```/.exec(page) ?? []
  const parts = conversation.trim().split(/\n\n(?=\S)/)
  const screens: Array<Array<Row>> = [
    [
      { text: "$ ", given: "connector start sales.csv --sandbox" },
      { text: "", given: "" }
    ]
  ]
  for (const part of parts) {
    const lines = part.split("\n").flatMap(rowsOf)
    const last = screens.at(-1)!
    if (last.length + 1 + lines.length > rows) screens.push(lines.slice(-rows))
    else last.push(...(last.length > 2 ? [{ text: "", given: "" }] : []), ...lines)
  }
  return screens
}

/** Returns the recording as SVG. It shows the last screen where motion is not wanted. */
export const draw = (page: string): string => {
  const screens = screensOf(page)
  const seconds = screens.map(({ length }) => secondsAtLeast + length * secondsPerRow)
  const total = seconds.reduce((sum, each) => sum + each, 0)
  let begun = 0
  const frames = seconds.map((each, at) => {
    const [from, to] = [begun, begun + each].map((time) => ((time / total) * 100).toFixed(2))
    begun += each
    const shown = at === 0 ? "" : "0%{visibility:hidden}"
    const hidden = at === screens.length - 1 ? "" : `${to}%{visibility:hidden}`
    return `@keyframes s${at}{${shown}${from}%{visibility:visible}${hidden}}.s${at}{animation:s${at} ${total.toFixed(1)}s step-end infinite}`
  })
  const still = screens.map(
    (_, at) => `.s${at}{animation:none;visibility:${at === screens.length - 1 ? "visible" : "hidden"}}`
  )
  const [width, height] = [columns * 9.05 + 2 * left, top + rows * lineHeight + 8]
  const groups = screens.map((screen, at) => {
    const texts = screen.map(({ given, text }, row) => {
      const typed = given === "" ? "" : `<tspan class="given">${given}</tspan>`
      return label(left, top + row * lineHeight, "code", text).replace("</text>", `${typed}</text>`)
    })
    return `<g class="s${at}">${texts.join("")}</g>`
  })
  return picture(
    Math.ceil(width),
    height,
    "Recording of connector start: questions about a file with unknown columns, the answers, and the plan",
    groups,
    `${frames.join("")}@media(prefers-reduced-motion:reduce){${still.join("")}}`
  )
}
