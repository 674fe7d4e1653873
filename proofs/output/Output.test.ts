/**
 * Runs every command with control characters in every name and cell, and checks its output and the
 * files it makes as bytes.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { connectorFor } from "../../packages/cli/src/ConnectorCommand.ts"
import { connector, folderWith } from "../../packages/cli/test/RunningConnector.ts"
import { given } from "../Given.ts"
import * as Shop from "./Shop.ts"
import * as Story from "./Story.ts"

const { count } = given("output")

/**
 * Hostile texts. A terminal obeys the first characters; the bidirectional ones reorder the text;
 * the last one starts a text line.
 */
const texts = [
  "x\u001b[2J\u009b31m\u009d0;t\u0007\u007f\u202e\u2066\u200f\u061c\u2028\nFORGED",
  "\u001b]8;;http:x\u0007y\u0085z\r\nFORGED\u2029\u0008",
  "=1+1\u001bc\u0090q\u009c\u2069\u202a\u0000\nFORGED"
].slice(0, count)

const obeyed = /[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]--[\n]]/v

interface Node {
  readonly name: string
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<Node> }>
}

/** Returns every callable command as its words. */
const leaves = ({ name, subcommands }: Node, path: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const children = subcommands.flatMap(({ commands }) => commands)
  return children.length === 0
    ? [[...path, name].join(" ")]
    : children.flatMap((child) => leaves(child, [...path, name]))
}

/**
 * Returns the first forbidden character of a text with its surroundings. A line break has no
 * meaning in HTML.
 */
const problems = (what: string, text: string): ReadonlyArray<string> => {
  const at = obeyed.exec(text)?.index ?? (what.endsWith(".html") ? -1 : text.indexOf("\nFORGED"))
  return at === -1 ? [] : [`${what}: ${JSON.stringify(text.slice(Math.max(0, at - 80), at + 40))}`]
}

/** Returns the files that the calls made. */
const made = (folder: string, inputs: ReadonlyArray<string>): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((file) => !inputs.some((input) => file === join(folder, input)))

/**
 * Returns true for text output. A file of refused rows repeats them unchanged, so that they can be
 * imported again.
 */
const isText = (file: string) => !/\.(?:db|db-wal|db-shm|lock|pdf|refused\.\w+)$/.test(file)

describe("the output of the commands", () => {
  it("is checked for every existing command", async () => {
    const root = (await Effect.runPromise(
      Effect.provide(connectorFor(["--completions"]), NodeServices.layer)
    )) as unknown as Node
    const all = leaves(root).map((words) => words.replace(/^connector /, ""))
    const calls = Story.calls("x")
    const tried = (words: string) => calls.some(({ args }) => args.join(" ").startsWith(words))
    assert.isAbove(all.length, 60)
    assert.deepStrictEqual(
      all.filter((words) => !tried(words)),
      []
    )
  })

  it.live.each(texts.map((text) => [JSON.stringify(text), text] as const))("contains no %s", ([, hostile]) =>
    Effect.gen(function* () {
      const folder = yield* folderWith()
      // File names cannot contain these characters.
      const inName = hostile.replaceAll(/[/\0]/g, "")
      const inputs = Shop.make(inName, folder)
      yield* Shop.gateway(hostile, folder)
      Shop.namedConfig(hostile, folder)
      const found: Array<string> = []
      let answered = 0
      for (const { args, differs, until } of Story.calls(inName)) {
        if (differs !== undefined) Shop.dayDiffers(differs, hostile, folder)
        const ended = yield* connector(args, {
          cwd: folder,
          ...(until !== undefined && {
            watch: (printed, { interrupt }) => {
              if (until.test(printed)) interrupt()
            }
          })
        })
        if (ended.code === 0) answered++
        found.push(
          ...problems(`${JSON.stringify(args)} out`, ended.out),
          ...problems(`${JSON.stringify(args)} err`, ended.err)
        )
      }
      const files = made(folder, inputs)
      assert.isAbove(files.length, 15)
      for (const file of files) {
        if (isText(file)) found.push(...problems(file, readFileSync(file, "utf8")))
        if ((statSync(file).mode & 0o077) !== 0) found.push(`${file} can be read by others`)
      }
      assert.deepStrictEqual(found, [])
      assert.isAbove(answered, 40, "most commands do what they are for")
    }).pipe(Effect.scoped)
  )
})
