/**
 * Compares what two checkouts do, with the same calls: output, exit code, files, every byte of
 * every request, and every page. For changes that move code and change nothing.
 *
 *     pnpm proofs recorded --count 1 -- --record /tmp/before     in the checkout of before
 *     pnpm proofs recorded --count 1 -- --compare /tmp/before    in the checkout of after
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { connector, folderWith } from "../../packages/cli/test/RunningConnector.ts"
import { given } from "../Given.ts"
import * as Shop from "../output/Shop.ts"
import * as Story from "../output/Story.ts"
import * as Pages from "./Pages.ts"
import * as Scrub from "./Scrub.ts"
import * as Wire from "./Wire.ts"

const { rest } = given("recorded")

const [mode = "--record", kept = join(tmpdir(), "recorded")] = rest

/** Writes the records into the folder, or compares them with the folder. */
const compare = (file: string, records: ReadonlyArray<string>): void => {
  const recorded = join(kept, file)
  const text = `${records.join("\n").trimEnd()}\n`
  mkdirSync(kept, { recursive: true })
  if (mode === "--record") return writeFileSync(recorded, text)
  writeFileSync(join(kept, `now-${file}`), text)
  assert.strictEqual(text, readFileSync(recorded, "utf8"), `diff ${recorded} ${join(kept, `now-${file}`)}`)
}

const indented = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n")

const hash = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("base64url").slice(0, 12)

/** Files with random content: QR codes, tokens of the witness. */
const random = /\.pdf$|\.xlsx$|report\.html$|again\.html$|\.(?:stores|page)\.json$|^bundle /

/**
 * Returns submissions in their order, and every other request once, sorted: how often and for which
 * ids an outcome is asked for depends on the time that the machine takes.
 */
const inOrder = (requests: ReadonlyArray<string>): ReadonlyArray<string> => {
  const submits = requests.filter((request) => /^POST \S*\/(?:invoice|creditnote) /.test(request))
  const others = requests
    .filter((request) => !submits.includes(request))
    .map((request) =>
      /^POST \S*\/status /.test(request)
        ? request
            .replace(/(?<=content-length: )\d+/, "<length>")
            .replace(/(?<=x-api-signature: )\S+/, "<signature>")
            .replace(/\[[^\]]*\]$/, "<ids>")
        : request.replace(/^GET \S*\/download\/\S+/, "GET <a file>")
    )
  return [...submits, ...[...new Set(others)].toSorted()]
}

/** Returns the files of the folder, except databases, with the digests of their scrubbed texts. */
const filesIn = (folder: string, scrub: Scrub.Scrub): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => join(parentPath, name))
      .filter((file) => !/\.db(?:-|$)|\.lock$/.test(file))
      .toSorted()
      .map((file) => [
        scrub(file.slice(folder.length + 1)),
        random.test(basename(file)) ? "written" : hash(scrub(readFileSync(file, "utf8")))
      ])
  )

describe("recorded commands", () => {
  it.live("do what they did: output, exit code, files and requests", function* () {
    const folder = yield* folderWith()
    const scrub = Scrub.make(folder, new Date().toISOString().slice(0, 10))
    Shop.make("plain", folder)
    const sandbox = yield* Shop.gateway("plain", folder)
    const wire = yield* Wire.before(Number(new URL(sandbox.url).port))
    const config = join(folder, "account.json")
    writeFileSync(config, readFileSync(config, "utf8").replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${wire.port}`))
    Shop.namedConfig("plain", folder)
    let before = filesIn(folder, scrub)
    const records: Array<string> = []
    for (const { args, differs, until } of Story.calls("plain")) {
      if (differs !== undefined) Shop.dayDiffers(differs, "plain", folder)
      const ended = yield* connector(args, {
        cwd: folder,
        ...(until !== undefined && {
          watch: (printed, { interrupt }) => {
            if (until.test(printed)) interrupt()
          }
        })
      })
      const files = filesIn(folder, scrub)
      const changed = [...files].filter(([file, digest]) => before.get(file) !== digest)
      before = files
      records.push(
        `$ connector ${args.join(" ")}`,
        `exit ${ended.code}`,
        ...(ended.out === "" ? [] : [`out\n${indented(scrub(ended.out))}`]),
        ...(ended.err === "" ? [] : [`err\n${indented(scrub(ended.err))}`]),
        ...changed.map(([file, digest]) => `file ${file} ${digest}`),
        ...inOrder(wire.taken()).map((request) => `request\n${indented(scrub(request))}`),
        ""
      )
    }
    compare("commands.txt", records)
    const pages: Array<string> = []
    let crawling: Promise<void> | undefined
    yield* connector(["ui", "--config", "account.json", "--no-open"], {
      cwd: folder,
      watch: (printed, { interrupt }) => {
        const [link] = /http:\S+\/open\?key=\S+/.exec(printed) ?? []
        if (link === undefined || crawling !== undefined) return
        crawling = Pages.crawl(link).then((read) => {
          for (const [path, text] of read) pages.push(`GET ${scrub(path)}`, indented(scrub(text)), "")
          interrupt()
        }, interrupt)
      }
    })
    compare("pages.txt", pages)
  })
})
