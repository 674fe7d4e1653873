/**
 * Follows a page of docs/ like its reader: runs its blocks in order, and compares their output with
 * the shown output.
 */
import { Effect } from "effect"
import { execFile, spawn } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inject } from "vitest"
import { words } from "./PrintedCommands.ts"
import { connector, type Ended } from "./RunningConnector.ts"

export const root = join(import.meta.dirname, "../../..")

export interface Block {
  readonly language: string
  /** Text after the language: `not-run`, and the reason. */
  readonly mark: string
  readonly lines: ReadonlyArray<string>
}

/** Returns the fenced blocks, including those in lists. */
export const blocksOf = (page: string): ReadonlyArray<Block> =>
  Array.from(
    readFileSync(join(root, page), "utf8").matchAll(/^( *)```(\w*)(.*)\n([\s\S]*?)^\1```$/gm),
    ([, indent, language, mark, text]) => ({
      language: language!,
      mark: mark!.trim(),
      lines: text!
        .replaceAll(new RegExp(`^${indent}`, "gm"), "")
        .split("\n")
        .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    })
  )

/**
 * Folder with the reader's programs: the command of this clone, and a curl that reports refusals.
 */
const bin = join(tmpdir(), `docs-bin-${process.pid}`)
mkdirSync(bin, { recursive: true })
process.once("exit", () => rmSync(bin, { recursive: true, force: true }))
const program = (name: string, text: string) => writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
program("connector", `exec "${process.execPath}" "${inject("command")}" "$@"`)
program("node", `exec "${process.execPath}" "$@"`)
program("curl", `PATH=\${PATH#*:} exec curl --fail-with-body --silent --show-error "$@"`)

type Variables = Readonly<Record<string, string>>

const environment = (exported: Variables) => ({
  ...process.env,
  NO_COLOR: "1",
  PATH: `${bin}:${process.env["PATH"]}`,
  ...exported
})

const shell = (line: string, cwd: string, exported: Variables): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    execFile("bash", ["-c", line], { cwd, env: environment(exported) }, (error, out, err) =>
      resume(Effect.succeed({ code: error === null ? 0 : Number(error.code), out, err }))
    )
  })

/** Starts a long-running command; the next command of the same kind replaces the process. */
const serving = (line: string, cwd: string, exported: Variables) =>
  Effect.callback<() => Promise<void>>((resume) => {
    const child = spawn("bash", ["-c", `exec ${line}`], { cwd, env: environment(exported) })
    const ended = new Promise<void>((settled) => child.on("close", () => settled()))
    let printed = ""
    const stop = () => {
      child.kill("SIGTERM")
      return ended
    }
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        printed += text
        resume(Effect.succeed(stop))
      })
    void ended.then(() => resume(Effect.die(new Error(`${line} ended: ${printed}`))))
  })

const isServing = /^connector (sandbox|work|serve|ui)\b/
const isPlain = /^connector [^|<>&$]*$/

/**
 * Returns a function that runs text lines in the folder; an exported variable is kept for the
 * following lines.
 */
export const follower = (folder: string) =>
  Effect.gen(function* () {
    const exported: Record<string, string> = {}
    let stop = () => Promise.resolve()
    yield* Effect.addFinalizer(() => Effect.promise(() => stop()))
    return Effect.fnUntraced(function* (line: string) {
      const [, name, value] = /^export (\w+)=(\S+)$/.exec(line) ?? []
      if (name !== undefined) {
        exported[name] = value!
        return { code: 0, out: "", err: "" }
      }
      if (isServing.test(line)) {
        yield* Effect.promise(() => stop())
        stop = yield* serving(line, folder, exported)
        return { code: 0, out: "", err: "" }
      }
      return isPlain.test(line.replace(/ +#.*$/, ""))
        ? yield* connector(yield* words(line), { cwd: folder, env: exported })
        : yield* shell(line, folder, exported)
    })
  })
