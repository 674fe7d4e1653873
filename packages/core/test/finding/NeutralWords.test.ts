import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const packages = join(import.meta.dirname, "../../..")

/** Packages whose texts belong to no program: only the command states how something is typed. */
const neutral = ["core", ...readdirSync(packages).filter((name) => name.startsWith("adapter-"))]

const helpOf = join(packages, "cli/test/help")
const help = readdirSync(helpOf).map((file) => readFileSync(join(helpOf, file), "utf8"))

const named = (pattern: RegExp): ReadonlyArray<string> => [
  ...new Set(help.flatMap((text) => Array.from(text.matchAll(pattern), ([, name]) => name!)))
]

const commands = named(/^\$ connector (?:[a-z-]+ )*?([a-z-]+) --help$/gm)
/** Flags that the help states, without those of the engine, which are not words of ours. */
const engine = new Set(["help", "version", "wizard", "completions", "log-level"])
const flags = named(/--([a-z][a-z-]+)/g).filter((name) => !engine.has(name))

/** Flags and calls of a command outside comments. */
const words = new RegExp(`--(?:${flags.join("|")})\\b|\\bconnector (?=(?:${commands.join("|")})\\b)`, "g")

const spoken = (source: string): ReadonlyArray<string> =>
  source.split("\n").flatMap((line) => (/^\s*(\/\*|\*|\/\/|import )/.test(line) ? [] : (line.match(words) ?? [])))

describe("the check for commands and flags in texts of core and adapters", () => {
  it("knows the commands and their flags", () => {
    assert.includeMembers([...commands], ["import", "doctor", "resolve", "why", "repin"])
    assert.includeMembers([...flags], ["config", "dates", "historical", "send-rest", "base-url"])
  })

  it("finds flags and command calls", () => {
    assert.deepStrictEqual(spoken('fix: "Say --dates dmy, or run `connector columns csv`."'), ["--dates", "connector "])
    assert.deepStrictEqual(spoken('import { a } from "@fiscal-connector/core"\n// say --dates'), [])
  })

  for (const room of neutral) {
    it(`finds no flag and no command in ${room}`, () => {
      const files = readdirSync(join(packages, room, "src"), { recursive: true, encoding: "utf8" })
      const found = files
        .filter((file) => file.endsWith(".ts"))
        .flatMap((file) =>
          spoken(readFileSync(join(packages, room, "src", file), "utf8")).map((word) => `${file}: ${word}`)
        )
      assert.deepStrictEqual(found, [])
    })
  }
})
