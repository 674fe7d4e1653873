/**
 * Runs after each install. The package `node` fetches Node by npm into a folder of its own and links the program out of it; what stays behind, headers for
 * compiling add-ons, takes 68 MB and is not used.
 */
import { realpathSync, rmSync } from "node:fs"
import { join } from "node:path"

const node = realpathSync(join(import.meta.dirname, "../node_modules/node"))
rmSync(join(node, "node_modules"), { recursive: true, force: true })
