/** The README, as it is written: its blocks are run in order in a fresh folder, and what it shows is what they print. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "../../..")

interface Block {
  readonly language: string
  readonly text: string
}

/** Fenced blocks, also those of a list's items. */
const blocksOf = (page: string): ReadonlyArray<Block> =>
  Array.from(page.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm), ([, indent, language, text]) => ({
    language: language!,
    text: text!.replaceAll(new RegExp(`^${indent}`, "gm"), "")
  }))

/** A folder like a clone; what needs the network is answered by what it would come to: the command, and tests that are run already. */
const clone = () => {
  const folder = mkdtempSync(join(tmpdir(), "readme-"))
  cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true })
  mkdirSync(join(folder, "bin"))
  const script = (name: string, text: string) => {
    writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(folder, "bin", name), 0o755)
  }
  script("connector", `exec "${join(root, "bin/connector")}" "$@"`)
  script("npx", `[ "$1 $2" = "--yes pnpm@12" ] || exit 9; shift 2; [ "$1" = test ] && exit 0; exec "$@"`)
  return folder
}

const run = (folder: string, script: string) =>
  new Promise<{ readonly code: number | null; readonly out: string }>((resolve) => {
    const child = spawn("bash", ["-c", script], { cwd: folder, detached: true, env: { ...process.env, NO_COLOR: "1" } })
    let out = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (out += text))
    child.on("exit", (code) => {
      // the sandbox that was started in the background
      process.kill(-child.pid!, "SIGTERM")
      resolve({ code, out })
    })
  })

/** Exit codes that the text says. */
const expected: ReadonlyMap<RegExp, number> = new Map([[/with-faults/, 2]])

describe("the README", { timeout: 300_000 }, () => {
  it("can be followed as it is written, and prints what it shows", async () => {
    const folder = clone()
    try {
      const blocks = blocksOf(readFileSync(join(root, "README.md"), "utf8"))
      const scripts = blocks.filter(({ language }) => language === "sh")
      assert.isAtLeast(scripts.length, 9)
      const script = scripts.map(({ text }, i) => {
        const code = [...expected].find(([pattern]) => pattern.test(text))?.[1] ?? 0
        const held = `ended=$?; [ $ended -eq ${code} ] || { echo "block ${i} ended with $ended"; exit 7; }`
        const lines = text.trimEnd().split("\n")
        return `echo '@@@ ${i}'\n${lines.map((line) => `${line}\n${held}`).join("\n")}`
      })
      const path = `export PATH="${join(folder, "bin")}:$PATH"\n`
      const { code, out } = await run(folder, path + script.join("\n"))
      assert.strictEqual(code, 0, out.slice(-3000))
      const outputs = out.split(/^@@@ \d+\n/m).slice(1)
      let at = -1
      for (const { language, text } of blocks) {
        if (language === "sh") at += 1
        if (language !== "text") continue
        let rest = outputs[at]!
        for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
          const found = rest.split("\n").indexOf(line)
          assert.isAtLeast(found, 0, `${line}\n\nin\n\n${rest}`)
          rest = rest.split("\n").slice(found).join("\n")
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
