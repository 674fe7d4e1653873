/** Start topic: the command against a Node process without work. */
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { connector, node } from "../frame/Measured.ts"
import { cpu, type Scale, type Topic } from "../frame/Topic.ts"

const example = join(import.meta.dirname, "../../examples/historical-invoices.csv")

export const topic = async ({ folder }: Scale): Promise<Topic> => {
  const store = join(folder, "start.db")
  await Effect.runPromise(Effect.scoped(Layer.build(SqliteStore.layer({ filename: store }))))
  const peer = "node -e"
  const sides = {
    [peer]: () => node(1, ["-e", "console.log(1)"], { expected: /1/ }),
    "connector --version": () => connector(1, ["--version"], { expected: /^connector v/ }),
    "connector --help": () => connector(1, ["--help"], { expected: /import/ }),
    "connector list": () => connector(1, ["list", "--store", store, "--json"], { expected: /^/ }),
    "plan of the example": () => connector(1, ["plan", "csv", example, "--sandbox"], { expected: /Planned/ }),
    "import of the example": () => connector(1, ["import", "csv", example, "--sandbox"], { expected: /Fiscalised/ })
  }
  const ours = Object.keys(sides).filter((side) => side !== peer)
  return { sides, rows: ours.map((side) => ({ name: `${side}, against ${peer}`, ours: side, peer, figure: cpu })) }
}
