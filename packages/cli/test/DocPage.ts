/** A page of docs/ as its reader follows it: its blocks run line by line, in order, and what it shows is held against what they print. */
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
  /** What stands behind the language: `not-run`, and why. */
  readonly mark: string
  readonly lines: ReadonlyArray<string>
}

/** Fenced blocks, also those of a list's items. */
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

/** Programs that a reader has: the command of this clone, and a curl that says when it is refused. */
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

/** Runs on until it is told to end; the next of its kind takes its place. */
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

/** Follows the lines in the folder; a variable that one exports, the next ones have. */
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
