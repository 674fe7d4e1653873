/**
 * Deletes unused files after each install. The package `node` downloads Node with npm into a
 * separate folder and links the program. The rest of the folder, headers for compiling add-ons,
 * takes 68 MB.
 */
import { realpathSync, rmSync } from "node:fs"
import { join } from "node:path"

const node = realpathSync(join(import.meta.dirname, "../node_modules/node"))
rmSync(join(node, "node_modules"), { recursive: true, force: true })
