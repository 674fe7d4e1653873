import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { openCopy } from "./OpenCopy.ts"

describe("programs that another user starts", () => {
  it("stay where they are if every user may enter the folder", () => {
    expect(openCopy("/usr").folder).toBe("/usr")
  })

  it("are copied from a checkout that only its owner may enter, and the copy is removed", () => {
    const home = mkdtempSync(join(tmpdir(), "fiscal-closed-home-"))
    onTestFinished(() => rmSync(home, { recursive: true }))
    const tool = join(home, "checkout/tool")
    mkdirSync(tool, { recursive: true, mode: 0o755 })
    writeFileSync(join(tool, "program"), "text", { mode: 0o755 })

    const { folder, remove } = openCopy(tool)
    expect(readFileSync(join(folder, "program"), "utf8")).toBe("text")
    expect(statSync(folder).mode & 0o777).toBe(0o755)
    expect(openCopy(folder).folder).toBe(folder)
    remove()
    expect(statSync(folder, { throwIfNoEntry: false })).toBeUndefined()
  })
})
