/** What it costs to start: the command against a Node that does nothing. */
import { join } from "node:path"
import { connector, node } from "../frame/Measured.ts"
import { cpu, type Topic } from "../frame/Topic.ts"

const example = join(import.meta.dirname, "../../examples/historical-invoices.csv")

export const topic = (): Topic => {
  const peer = "node -e"
  const sides = {
    [peer]: () => node(1, ["-e", "console.log(1)"], { expected: /1/ }),
    "connector --version": () => connector(1, ["--version"], { expected: /^connector v/ }),
    "connector --help": () => connector(1, ["--help"], { expected: /import/ }),
    "plan of the example": () => connector(1, ["plan", "csv", example, "--sandbox"], { expected: /Planned/ }),
    "import of the example": () => connector(1, ["import", "csv", example, "--sandbox"], { expected: /Fiscalised/ })
  }
  const ours = Object.keys(sides).filter((side) => side !== peer)
  return { sides, rows: ours.map((side) => ({ name: `${side}, against ${peer}`, ours: side, peer, figure: cpu })) }
}
