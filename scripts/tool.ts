/**
 * Runs a command with its tools, and installs missing tools first:
 *
 *     node scripts/tool.ts types,browser tsc --noEmit
 */
import { spawnSync } from "node:child_process"
import { globSync } from "node:fs"
import { delimiter } from "node:path"
import { binOf, install, type Tool } from "./Tools.ts"

const [names = "", command = "", ...given] = process.argv.slice(2)
// a shell of Windows expands no pattern; a script of several words is not a pattern
const args = given.flatMap((arg) => (/^[^\s*]*\*[^\s]*$/.test(arg) ? globSync(arg) : arg))
const tools = names.split(",") as ReadonlyArray<Tool>
for (const tool of tools) install(tool)

const path = [...tools.map(binOf), process.env["PATH"]].join(delimiter)
const { error, status } = spawnSync(command, args, {
  stdio: "inherit",
  env: { ...process.env, PATH: path },
  shell: process.platform === "win32"
})
if (error !== undefined) process.stderr.write(`${command}: ${error.message}\n`)
process.exitCode = status ?? 1
