/** Drawing of the states of a document, with what moves it, from the table of transitions. */
import { type Cause, settled, type State, states, transitions } from "../../packages/core/src/submission/Submission.ts"
import { wrapped } from "../pages/AnswersPart.ts"
import { arrow, box, label, type Mover, movers, picture, type Point } from "./Drawing.ts"

const [width, boxWidth, boxHeight] = [640, 132, 46]

const places: Readonly<Record<State, Point>> = {
  Held: [90, 60],
  Planned: [320, 60],
  Declined: [90, 190],
  Sending: [320, 190],
  Unknown: [550, 190],
  Rejected: [90, 330],
  Accepted: [320, 330],
  Expired: [550, 330],
  Fiscalised: [320, 460],
  Withdrawn: [550, 460]
}

const moverOf: Readonly<Record<Exclude<Cause, "contradicted" | "older-attempt" | "withdrawn">, Mover>> = {
  held: "connector",
  released: "connector",
  "attempt-begun": "connector",
  "not-processed": "gateway",
  accepted: "gateway",
  declined: "gateway",
  "unknown-outcome": "gateway",
  evidence: "gateway",
  horizon: "gateway",
  operator: "operator",
  "resend-policy": "operator",
  revised: "source"
}

/** Causes that are listed below the drawing, because they lead from nearly every state. */
const listed: Readonly<Partial<Record<Cause, string>>> = {
  withdrawn: "An operator withdraws",
  "older-attempt": "Evidence of an earlier attempt",
  contradicted: "Evidence that contradicts"
}

const words: Readonly<Record<Mover, string>> = {
  connector: "the connector",
  gateway: "the gateway's answer",
  operator: "an operator",
  source: "a corrected import"
}

/** Arrows that pass a box between their ends. */
const bends: Readonly<Record<string, Point>> = {
  "Held Fiscalised": [-34, 40],
  "Expired Rejected": [0, 105]
}

/** Returns the place where a line from the middle of a box, moved aside, leaves the box. */
const edgeOf = ([x, y]: Point, [dx, dy]: Point, [asideX, asideY]: Point): Point => {
  const reach = Math.min(
    (boxWidth / 2 - asideX * Math.sign(dx)) / Math.abs(dx || 0.001),
    (boxHeight / 2 - asideY * Math.sign(dy)) / Math.abs(dy || 0.001)
  )
  return [Math.round(x + asideX + dx * reach), Math.round(y + asideY + dy * reach)]
}

/** Returns the drawing as SVG. Fails if the table has a state or a cause without a place. */
export const draw = (): string => {
  const drawn = Map.groupBy(
    transitions.filter(({ cause }) => listed[cause] === undefined),
    ({ from, to }) => `${from} ${to}`
  )
  const arrows = Array.from(drawn.values(), (edges) => {
    const { from, to } = edges[0]!
    const who = [...new Set(edges.map(({ cause }) => moverOf[cause as keyof typeof moverOf]))]
    const side = drawn.has(`${to} ${from}`) ? 9 : 0
    const [start, end] = [places[from], places[to]]
    // the two directions of a pair are beside each other
    const length = Math.hypot(end[0] - start[0], end[1] - start[1])
    const aside: Point = [((start[1] - end[1]) / length) * side, ((end[0] - start[0]) / length) * side]
    const bend = bends[`${from} ${to}`] ?? ([0, 0] as const)
    const leaves = ([x, y]: Point, [toX, toY]: Point): Point =>
      edgeOf([x, y], [toX - x + 2 * bend[0], toY - y + 2 * bend[1]], aside)
    const [first, last] = [leaves(start, end), leaves(end, start)]
    const dots = who.slice(1).map((mover, index) => {
      const share = 0.42 + index * 0.14
      const [x, y] = [0, 1].map((axis) =>
        Math.round(first[axis]! + (last[axis]! - first[axis]!) * share + 2 * share * (1 - share) * bend[axis]!)
      )
      return `<circle cx="${x}" cy="${y}" r="6" class="dot ${mover}"/>`
    })
    return arrow(first, last, who[0]!, bend) + dots.join("")
  })
  const boxes = states.flatMap((state) => {
    const [x, y] = places[state]
    const kind = (settled as ReadonlyArray<State>).includes(state) ? "end" : state === "Unknown" ? "open" : "box"
    return [box(x - boxWidth / 2, y - boxHeight / 2, boxWidth, boxHeight, kind), label(x, y + 7, "name middle", state)]
  })
  const under = 520
  const legend = (Object.keys(movers) as ReadonlyArray<Mover>).flatMap((mover, at) => {
    const [x, y] = [24 + (at % 2) * 300, under + Math.floor(at / 2) * 28]
    return [
      `<path d="M${x} ${y}h34" class="arrow ${mover}" marker-end="url(#${mover})"/>`,
      label(x + 44, y + 6, "small", words[mover])
    ]
  })
  const notes = Object.entries(listed).flatMap(([cause, said]) => {
    const edges = transitions.filter((edge) => edge.cause === cause)
    const namesOf = (end: "from" | "to") => [...new Set(edges.map((edge) => edge[end]))].join(", ")
    return wrapped(`${said}: ${namesOf("from")} → ${namesOf("to")}`, 68).split("\n")
  })
  const noteLines = ["A dot: an operator can, too. Green boxes are settled.", ...notes].map((line, at) =>
    label(24, under + 72 + at * 24, "small", line)
  )
  return picture(
    width,
    under + 72 + noteLines.length * 24,
    "States of a document, and what moves it from one to the next",
    [...arrows, ...boxes, ...legend, ...noteLines]
  )
}
