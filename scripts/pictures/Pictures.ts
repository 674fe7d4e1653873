/** Pictures of docs/ that `pnpm run docs` draws. A test compares them. */
import { readFileSync } from "node:fs"
import * as Recording from "./Recording.ts"
import * as States from "./States.ts"
import * as Whole from "./Whole.ts"

/** Returns each picture by its file, relative to the repository. */
export const pictures = (): ReadonlyMap<string, string> =>
  new Map([
    ["docs/pictures/whole.svg", Whole.draw()],
    ["docs/pictures/states.svg", States.draw()],
    ["docs/pictures/start.svg", Recording.draw(readFileSync(new URL("../../docs/start.md", import.meta.url), "utf8"))]
  ])
