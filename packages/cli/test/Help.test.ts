/**
 * Compares the help of every command with the files in `help/`. UPDATE_DOCS=1 writes the files;
 * check the difference before keeping them.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { summaries } from "../src/CommandSummaries.ts"
import { connectorFor } from "../src/ConnectorCommand.ts"
import { placeholders } from "../src/output/Call.ts"
import { examples } from "../src/output/HelpExamples.ts"
import { words } from "./PrintedCommands.ts"
import { connector } from "./RunningConnector.ts"

const folder = join(import.meta.dirname, "help")
const isWritten = process.env["UPDATE_DOCS"] !== undefined

interface Tree {
  readonly name: string
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<object> }>
}

/** Returns all commands under this one by path, including groups. */
const paths = (command: Tree, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => [
  path,
  ...command.subcommands
    .flatMap(({ commands }) => commands as ReadonlyArray<Tree>)
    .flatMap((one) => paths(one, [...path, one.name]))
]

/** Command tree with all options. */
const whole = connectorFor(["--completions"])

const all = whole.pipe(
  Effect.map((connector) => paths(connector)),
  Effect.provide(NodeServices.layer)
)

const helpOf = (path: ReadonlyArray<string>) => Effect.map(connector([...path, "--help"]), ({ out }) => out)

/**
 * Runs an example of the help in an empty folder, without its files: the command only has to
 * understand the line.
 */
const understood = (line: string) =>
  Effect.gen(function* () {
    const cwd = mkdtempSync(join(tmpdir(), "examples-"))
    // The operator puts a reason of their own at its place.
    const args = yield* words(line.replace(/ > .*$/, "").replace(/<[^<>]*>/, "it is so"))
    const { err } = yield* connector(args, { cwd }).pipe(
      Effect.timeoutOrElse({ duration: "3 seconds", orElse: () => Effect.succeed({ code: 0, out: "", err: "" }) }),
      Effect.ensuring(Effect.sync(() => rmSync(cwd, { recursive: true, force: true })))
    )
    return /Unrecognized|Unknown subcommand|Missing required|Invalid value|Unexpected|Too many/.test(err) &&
      !/does not exist/.test(err)
      ? err
      : undefined
  })

const summaryFile = join(import.meta.dirname, "../src/CommandSummaries.ts")

/** Returns the text of the file with the summaries; `pnpm format` breaks its text lines. */
const summaryText = (entries: ReadonlyArray<readonly [name: string, text: string]>) => {
  const head = readFileSync(summaryFile, "utf8").split("{")[0]!
  return `${head}${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`
}

// slow: the command parses every example of every help text
describe("help texts", () => {
  it.live("list each command in the overview with its description", function* () {
    const { subcommands } = yield* Effect.provide(whole, NodeServices.layer)
    const said = subcommands.flatMap(({ commands }) =>
      commands.map((one) => [one.name, one.description ?? ""] as const)
    )
    if (isWritten) writeFileSync(summaryFile, summaryText(said))
    else assert.deepStrictEqual(Object.entries(summaries), said)
  })

  it.live("of all commands are identical to their golden files", function* () {
    const texts = new Map<string, string>()
    for (const path of yield* all) {
      const name = `${path[0] ?? "connector"}.txt`
      texts.set(name, `${texts.get(name) ?? ""}$ connector ${[...path, "--help"].join(" ")}\n${yield* helpOf(path)}\n`)
    }
    if (isWritten) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder)
      for (const [name, text] of texts) writeFileSync(join(folder, name), text)
    }
    assert.deepStrictEqual(readdirSync(folder).toSorted(), [...texts.keys()].toSorted())
    for (const [name, text] of texts) assert.strictEqual(readFileSync(join(folder, name), "utf8"), text, name)
  })

  it.live("use one placeholder per flag in all commands, and printed calls use the same placeholder", function* () {
    const words = new Map<string, Set<string>>()
    for (const path of yield* all) {
      const text = yield* helpOf(path)
      for (const [, name = "", word = ""] of text.matchAll(/^ {2}--([a-z-]+)(?:, -[a-z])? ([^\s]+)/gm)) {
        // A choice shows its possible values instead.
        if (word === "CHOICE" || /[a-z]/.test(word)) continue
        // `work --report` takes a folder, for a report of each day.
        if (path[0] === "work" && name === "report") continue
        words.set(name, (words.get(name) ?? new Set()).add(word))
      }
    }
    for (const [name, found] of words) {
      assert.strictEqual(found.size, 1, `--${name}: ${[...found].join(", ")}`)
      const own = placeholders[name]
      if (own !== undefined) assert.isTrue(found.has(own), `--${name} ${own}`)
    }
    for (const name of ["book", "because", "not-before", "account"]) assert.isTrue(words.has(name), name)
    for (const name of ["zone", "book", "because"]) assert.isFalse(words.get(name)!.has("TEXT"), name)
  })

  it.live("fit on eighty columns and contain examples for every command", function* () {
    for (const path of yield* all) {
      const text = yield* helpOf(path)
      const name = path.join(" ")
      assert.include(text, "\nEXAMPLES\n", name)
      for (const line of text.split("\n")) if (!line.startsWith("  connector ")) assert.isAtMost(line.length, 80, line)
    }
  })

  it.live("contain only examples that the command accepts, and only existing commands", function* () {
    const names = new Set((yield* all).map((path) => path.join(" ")))
    for (const [name, lines] of Object.entries(examples)) {
      assert.isTrue(names.has(name), name)
      for (const line of lines) {
        assert.isTrue(
          line.startsWith(name === "" ? "connector " : `connector ${name} `) || line === `connector ${name}`,
          line
        )
        assert.strictEqual(yield* understood(line), undefined, line)
      }
    }
  })

  it.live("are printed for `help COMMAND`; a mistake prints the help command to run, not a whole page", function* () {
    assert.deepStrictEqual(yield* connector(["help", "plan", "csv"]), yield* connector(["plan", "csv", "--help"]))
    assert.match((yield* connector(["version"])).out, /^connector v/)
    const { code, err, out } = yield* connector(["pdf", "--confg", "a.json"])
    assert.deepStrictEqual([code, out], [1, ""])
    assert.match(err, /^Unrecognized flag: --confg[^]*--config[^]*\n {2}connector pdf --help\n$/)
  })

  it.live("are offered after an empty or impossible argument, such as an unset shell variable", function* () {
    for (const [args, said] of [
      [["import", "csv", ""], "What follows csv is empty: is a variable of the shell not set? Nothing was done."],
      [["list", "--config", ""], "What follows --config is empty"],
      [["list", "--config="], "What follows --config= is empty"],
      [["import", "csv", "--", ""], "What follows -- is empty"],
      [[""], "The first argument is empty"],
      // The v would otherwise request the version.
      [
        ["import", "csv", "-v.csv"],
        "-v.csv is not an option. A file whose name begins with a hyphen is named by its folder, too: ./-v.csv"
      ],
      [["import", "csv", "--sandbox", "-v.csv"], "-v.csv is not an option."],
      [["resolve", "I-1", "--because", "-voided"], "would be read as flags: write --because=-voided"],
      // Only the operator knows these texts.
      [["resolve", "I-1", "--resend", "--because", "<why>"], "your own reason; a text in angle brackets only marks"],
      [
        ["resolve", "I-1", "--rejected", "<what the gateway says>", "--because", "seen"],
        "Expected: the text of the error; a text in angle brackets only marks its place"
      ],
      [["ui", "--port", "70000"], 'Invalid value for flag --port: "70000". Expected a port, 0 to 65535'],
      [["list", "-c", "a.json", "--config=b.json"], "--config is given 2 times; give it once"],
      [["import", "csv", "x.csv", "--original", "=x"], 'Invalid value for flag --original: "=x". Expected KEY=VALUE'],
      [["z-reports", "-c", "a.json", "--day", "1.5"], "Expected a whole number"],
      [["z".repeat(5000)], `Unknown subcommand "${"z".repeat(80)}`],
      [
        [
          "init",
          "--station",
          "Żółć",
          "--base-url",
          "http://a.example",
          "--application",
          "a",
          "--key-file",
          "k",
          "--zone",
          "UTC"
        ],
        "Nothing was written: --station 'Żółć' is not 1 to 200 letters, figures and signs of ASCII."
      ]
    ] as const) {
      const { code, err, out } = yield* connector(args)
      assert.deepStrictEqual([code, out], [1, ""])
      assert.include(err, said)
    }
  })

  it.live("of an unknown command are an error that names the unknown word and a similar command", function* () {
    for (const [path, near] of [
      [["nonsense"], ""],
      [["helth"], "health"],
      [["config", "chekc"], "check"],
      [["config", "nonsense"], ""],
      [["gateway", "statsu"], "status"],
      [["import", "nonsense"], ""]
    ] as const) {
      const mistaken = yield* connector(path)
      assert.deepStrictEqual([mistaken.code, mistaken.out], [1, ""])
      assert.include(mistaken.err, `Unknown subcommand "${path.at(-1)}"`)
      assert.include(mistaken.err, near)
      const before = path.slice(0, -1).map((name) => ` ${name}`)
      assert.include(mistaken.err, `\n  connector${before.join("")} --help`)
      assert.deepStrictEqual(yield* connector(["help", ...path]), mistaken)
      assert.deepStrictEqual(yield* connector([...path, "--help"]), mistaken)
      assert.deepStrictEqual(yield* connector(["--log-level", "debug", ...path, "-h"]), mistaken)
    }
    const { code, err } = yield* connector(["help", "pdf", "nonsense"])
    assert.deepStrictEqual(
      [code, err],
      [1, "connector pdf has no command nonsense under it.\n  connector pdf --help\n"]
    )
    assert.strictEqual((yield* connector(["pdf", "INV-1", "--help"])).code, 0)
  })
})
