/** Tests a really full disk: a small file system in memory, which only root can mount. */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor } from "../../packages/cli/test/RunningConnector.ts"

const mounted = (folder: string, size: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      mkdirSync(folder)
      return spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "small", folder]).status === 0
    }),
    () => Effect.sync(() => void spawnSync("umount", ["-l", folder]))
  )

const isMountable = Effect.runSync(
  Effect.scoped(Effect.flatMap(folderWith(), (folder) => mounted(join(folder, "disk"), "64k")))
)

/** Fills the disk, except for the given number of KiB. */
const fill = (disk: string, leaving: number) => {
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(join(disk, "filler"), Buffer.alloc(bavail * bsize - leaving * 1024))
}

const files = ["historical-invoices.csv", "historical-invoices.book.json"]
const importing = ["import", "csv", "historical-invoices.csv", "--config", "account.json"]

/** An account whose store is alone on a small disk, without documents. */
const onSmallDisk = Effect.gen(function* () {
  const cwd = yield* folderWith(...files)
  const disk = join(cwd, "disk")
  yield* mounted(disk, "24m")
  const sandbox = yield* gatewayFor(cwd)
  const config = JSON.parse(readFileSync(join(cwd, "account.json"), "utf8")) as object
  writeFileSync(join(cwd, "account.json"), JSON.stringify({ ...config, store: "disk/store.db" }), { mode: 0o600 })
  // A file without documents creates the store.
  const [header] = readFileSync(join(cwd, files[0]!), "utf8").split("\n")
  writeFileSync(join(cwd, "none.csv"), `${header}\n`)
  const none = yield* connector(["import", "none.csv", "--config", "account.json", "--book", files[1]!], { cwd })
  assert.strictEqual(none.code, 0, none.err + none.out)
  return { cwd, disk, sandbox }
})

describe.skipIf(!isMountable)("a full disk", () => {
  it.live(
    "of temporary files stops a plan and an import, which name the folder and report that nothing was sent",
    function* () {
      const cwd = yield* folderWith(...files)
      const disk = join(cwd, "disk")
      yield* mounted(disk, "64k")
      const sandbox = yield* gatewayFor(cwd)
      for (const args of [["plan", ...importing.slice(1)], importing]) {
        const { code, err } = yield* connector(args, { cwd, env: { TMPDIR: disk } })
        assert.strictEqual(code, 1, err)
        assert.match(err, /Nothing was sent\..* temporary file .* the disk is full.*\(SQLITE_FULL\)\. TMPDIR names/)
        assert.notInclude(err, "on their way")
      }
      assert.deepStrictEqual(yield* sandbox.control.accepted, [])
    }
  )

  /** From a store that cannot be opened to a store without room for sending the first document. */
  for (const [leaving, code, says] of [
    [0, 1, "The store cannot be opened"],
    [96, 1, "Nothing of these files was sent. Once that is put right, run the same again:\n  connector import csv"],
    [300, 3, "The import is accepted, and nothing of it was sent yet. This sends it:\n  connector resume"]
  ] as const) {
    it.live(`of the store with ${leaving} KiB left stops an import, which reports that nothing was sent`, function* () {
      const { cwd, disk, sandbox } = yield* onSmallDisk
      fill(disk, leaving)
      const full = yield* connector(importing, { cwd })
      assert.strictEqual(full.code, code, full.err)
      assert.include(full.err, says)
      assert.notInclude(full.err, "on their way")
      assert.deepStrictEqual(yield* sandbox.control.accepted, [])
      if (leaving === 0) return
      rmSync(join(disk, "filler"))
      const again = yield* connector(importing, { cwd })
      assert.strictEqual(again.code, 0, again.err)
      const accepted = yield* sandbox.control.accepted
      assert.lengthOf(accepted, 46)
      assert.isTrue(accepted.every(({ accepted }) => accepted === 1))
    })
  }

  it.live("of the store ends a worker with 1, because a store without room does not open", function* () {
    const { cwd, disk } = yield* onSmallDisk
    fill(disk, 0)
    const { code, err } = yield* connector(["work", "--config", "account.json"], { cwd })
    assert.strictEqual(code, 1)
    assert.match(err, /The store cannot be opened: .*disk/)
  })
})
