/**
 * Output of the command for each code of the adapters, with an export of a single fault.
 * UPDATE_GOLDEN=1 writes the output again.
 */
import { KitFinding } from "@fiscal-connector/adapter-kit/KitFinding"
import type { FindingCode } from "../../core/src/finding/FindingCode.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { systems } from "../src/format/Formats.ts"
import { allCodes } from "../src/why/AllCodes.ts"
import { again, companions, nothingRead, notWrittenBack, repaired } from "./findings/Exceptions.ts"
import * as Export from "./findings/Export.ts"
import { commandsIn, words } from "./PrintedCommands.ts"
import { connector, type Ended, folderWith } from "./RunningConnector.ts"

const catalogues: Readonly<Record<string, FindingCode>> = {
  ...Object.assign({}, ...(await Promise.all(systems.map(({ codes }) => codes?.load())))),
  ...KitFinding
}
const known = new Set((await allCodes()).map(({ code }) => code))

/** Returns the codes named in a text. */
const codesIn = (text: string): ReadonlyArray<string> => [
  ...new Set((text.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []).filter((code) => known.has(code)))
]

/**
 * Returns the codes of printed findings. A shown row may also contain earlier reasons, which are
 * ignored.
 */
const causesIn = ({ err, out }: Ended): ReadonlyArray<string> =>
  [...`${out}\n${err}`.matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, code]) => code!)

/** Returns all files named in an output. */
const filesIn = (out: string): ReadonlyArray<string> =>
  [...out.matchAll(/^(?:The refused rows, each with its reason|The report): (.+)$/gm)].map(([, file]) => file!)

const refusedIn = (out: string): string | undefined => filesIn(out).find((file) => file.includes(".refused."))

/** Replaces the parts that differ between runs, and shortens long text lines. */
const lasting = (text: string, folder: string): string =>
  text
    .replaceAll(folder, "FOLDER")
    .replaceAll(/\b[0-9A-F]{4}(?:-[0-9A-F]{4}){3}\b/g, "0000-0000-0000-0000")
    .replaceAll(/^.{2000,}$/gm, (line) => `${line.slice(0, 200)} … ${line.slice(-600)}`)

const goldenOf = (args: ReadonlyArray<string>, { code, err, out }: Ended, folder: string): string => {
  const refused = refusedIn(out)
  const rows = refused === undefined || refused.endsWith(".xlsx") ? "" : readFileSync(join(folder, refused), "utf8")
  return lasting(
    [
      `$ connector ${args.join(" ")}`,
      out.trimEnd(),
      ...(code === 1 ? [err.trimEnd()] : []),
      `exit code ${code}`,
      ...(rows === "" ? [] : ["", `$ cat ${refused}`, rows.replaceAll("\r\n", "\n").trimEnd()]),
      ""
    ].join("\n"),
    folder
  )
}

// slow: runs the command for every finding code of every adapter
describe("the example exports of findings", () => {
  it("cover every code of every adapter exactly once", () => {
    assert.deepStrictEqual(Export.exports.map(({ code }) => code).toSorted(), Object.keys(catalogues).toSorted())
  })

  it("have exceptions only for codes that exist", () => {
    const named = [companions, again, notWrittenBack, repaired].flatMap((list) => Object.keys(list))
    for (const code of [...named, ...nothingRead]) assert.property(catalogues, code)
  })
})

describe.each(Export.formats)("an export of $name", (format) => {
  for (const sample of Export.exports.filter((one) => one.format === format)) {
    const { code, golden } = sample
    const refuses = catalogues[code]?.severity === "error"

    it.live(`reports only ${code}${refuses ? ", and the files that it writes can be used" : ""}`, function* () {
      const cwd = yield* folderWith()
      const given = yield* Export.place(sample, cwd)
      const args = ["import", ...given, "--report", "report.html"]
      const ended = yield* connector(args, { cwd })
      const printed = goldenOf(args, ended, cwd)
      if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(golden, printed)
      assert.strictEqual(printed, readFileSync(golden, "utf8"))

      const expected = [code, ...(companions[code]?.codes ?? [])]
      assert.sameMembers([...new Set([...causesIn(ended), ...codesIn(ended.out + ended.err)])], expected)
      assert.strictEqual(ended.code, nothingRead.has(code) ? 1 : refuses ? 2 : 0, ended.err)
      const files = filesIn(ended.out)
      for (const file of files) assert.isAbove(statSync(join(cwd, file)).size, 0, file)
      if (!nothingRead.has(code)) assert.include(files, "report.html")

      const refused = refusedIn(ended.out)
      assert.strictEqual(refused !== undefined, refuses && !Object.hasOwn(notWrittenBack, code))
      if (refused === undefined) return
      const line = commandsIn(ended.out).find((command) => command.includes(refused)) ?? ""
      const twice = yield* connector(yield* words(line), { cwd })
      // Without a correction, refused documents remain refused.
      const stays = !Object.hasOwn(repaired, code)
      assert.strictEqual(twice.code, stays ? 2 : 0, twice.err)
      assert.strictEqual(/\bFiscalised\b/.test(twice.out), !stays)
      for (const found of causesIn(twice)) assert.include([...expected, ...(again[code]?.codes ?? [])], found)
    })
  }
})
