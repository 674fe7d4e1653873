/**
 * Installer of heavy tools. Each tool is a separate project with a lockfile, so that a fresh
 * checkout for imports and tests does not install them. Scripts install a tool on demand.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const folders = {
  types: "tools/types",
  lint: "tools/lint",
  publish: "tools/publish",
  site: "tools/site",
  browser: "tools/browser",
  postgres: "tools/postgres",
  workbooks: "tools/workbooks",
  accounting: "tools/accounting",
  jest: "examples/testing/jest",
  nestjs: "examples/promise/nestjs"
} as const

export type Tool = keyof typeof folders

const root = join(import.meta.dirname, "..")

export const folderOf = (tool: Tool): string => join(root, folders[tool])

/** Returns the folder of the tool's commands. */
export const binOf = (tool: Tool): string => join(folderOf(tool), "node_modules/.bin")

const wanted = (tool: Tool): string => {
  const hash = createHash("sha256")
  for (const file of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"])
    hash.update(readFileSync(join(folderOf(tool), file)))
  return hash.digest("hex")
}

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

/** Age at which a lock is taken over, because a killed installation leaves its lock. */
const longestMillis = 600_000

/** Waits for the exclusive right to install the tool. */
const locked = (lock: string): void => {
  for (;;) {
    try {
      return mkdirSync(lock)
    } catch {
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
      if (age > longestMillis) rmSync(lock, { recursive: true, force: true })
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    }
  }
}

/**
 * Installs the tool if it is missing or has another version. Parallel suites wait for the first
 * installation.
 */
export const install = (tool: Tool): void => {
  const folder = folderOf(tool)
  const mark = join(folder, "node_modules/.installed")
  const version = wanted(tool)
  if (textOf(mark) === version) return
  const lock = join(folder, ".installing")
  locked(lock)
  try {
    if (textOf(mark) === version) return
    process.stderr.write(`installing ${folders[tool]}\n`)
    execFileSync("npx", ["--yes", "pnpm@12", "install", "--frozen-lockfile"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32"
    })
    writeFileSync(mark, version)
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}
