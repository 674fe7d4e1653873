import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "../It.ts"
import { Effect } from "effect"
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as WritableByOthers from "../../src/file/WritableByOthers.ts"

/**
 * Returns the users who can write a file with the mode and the group; only root can change the
 * group's owner.
 */
const whoWrites = (mode: number, group?: number) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "writable-"))),
    (folder) => {
      const file = join(folder, "accounts.json")
      writeFileSync(file, "{}")
      if (group !== undefined) chownSync(file, process.getuid!(), group)
      chmodSync(file, mode)
      return Effect.map(WritableByOthers.among([file, file]), (found) =>
        found.map(({ by, text }) => `${by}: ${text.replace(`${folder}/`, "")}`)
      )
    },
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ).pipe(Effect.provide(NodeServices.layer))

const isRoot = process.getuid?.() === 0

describe("a file that other users can write", () => {
  it.effect("is reported once, for everyone or for a group that is not the user's own", function* () {
    assert.deepStrictEqual(yield* whoWrites(0o644), [])
    assert.deepStrictEqual(yield* whoWrites(0o666), ["everyone: every user may write accounts.json (mode 0666)"])
    if (!isRoot) return
    assert.deepStrictEqual(yield* whoWrites(0o664, 0), [])
    assert.deepStrictEqual(yield* whoWrites(0o664, 100), [
      "group: a group of users may write accounts.json (mode 0664)"
    ])
  })

  it("is not reported if the file system has no modes: FAT, Windows folders in WSL, shared folders", () => {
    for (const type of [0x4d44, 0x01021997, 0xfe534d42, 0xfe534d42 | 0])
      assert.isFalse(WritableByOthers.keepsModes(type))
    for (const type of [0xef53, 0x01021994, 0x9123683e]) assert.isTrue(WritableByOthers.keepsModes(type))
  })
})
