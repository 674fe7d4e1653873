import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import * as Call from "../src/output/Call.ts"
import * as NextStep from "../src/output/NextStep.ts"

/** Returns the words of a line as a shell splits them. */
const words = (line: string): ReadonlyArray<string> =>
  execFileSync("bash", ["-c", `connector() { printf '%s\\0' "$@"; }; ${line}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1)

const hostile = [
  "My Shop (2026)/sales of Q1.csv",
  "it's",
  "$HOME",
  "`id`",
  'a "b" \\ c',
  "*",
  "~",
  "",
  "a;b|c&d",
  "ä ö"
]

describe("a printed command", () => {
  it("is read by a shell as intended, with any arguments", () => {
    for (const text of hostile)
      assert.deepStrictEqual(words(Call.shellText(["plan", "csv", text])), ["plan", "csv", text])
  })

  it("doubles quotes for PowerShell, where a backslash does not escape", () => {
    assert.strictEqual(Call.shellText(["why", "it's (here)"], "powershell"), "connector why 'it''s (here)'")
  })

  it("works wherever the command that printed it works", () => {
    const call = Call.make(["import", "csv", "a b.csv", "-c", "my shop.json", "--account=till 1", "--live"])
    assert.strictEqual(
      NextStep.callFor({ do: "explain" }, call, { number: "INV 1" }),
      "connector explain 'INV 1' --config 'my shop.json' --account 'till 1'"
    )
  })

  it("separates a number that begins with a hyphen from the flags", () => {
    const call = Call.make(["list", "--store", "a.db"])
    assert.strictEqual(
      NextStep.callFor({ do: "explain" }, call, { number: "-5" }),
      "connector explain --store a.db -- -5"
    )
  })

  it("repeats the call with an answer added or replaced", () => {
    const call = Call.make(["plan", "csv", "a.csv", "--dates", "dmy", "--sandbox"])
    assert.strictEqual(call.again("--currency", "USD"), "connector plan csv a.csv --dates dmy --sandbox --currency USD")
    assert.strictEqual(call.again("--dates", "mdy"), "connector plan csv a.csv --sandbox --dates mdy")
    assert.strictEqual(call.again("--sandbox"), "connector plan csv a.csv --dates dmy --sandbox")
  })

  it("repeats the call with another command or another file, and leaves values of flags alone", () => {
    const call = Call.make(["plan", "csv", "--layout", "a.csv", "--sandbox", "a.csv", "b.csv", "--dry-run"])
    assert.strictEqual(
      call.like({ command: "import", leavesOut: (flag) => flag === "--dry-run" }),
      "connector import csv --layout a.csv --sandbox a.csv b.csv"
    )
    assert.strictEqual(
      call.like({ files: { these: ["a.csv", "b.csv"], now: "a.refused.csv" }, flags: ["--book", "a.book.json"] }),
      "connector plan csv --layout a.csv --sandbox a.refused.csv --dry-run --book a.book.json"
    )
  })

  it("omits flags that do not apply to the other file", () => {
    const call = Call.make([
      "import",
      "csv",
      "a.csv",
      "--report",
      "out.html",
      "--original",
      "C1=I1",
      "--original=C2=I2"
    ])
    assert.strictEqual(
      call.like({
        files: { these: ["a.csv"], now: "a.refused.csv" },
        leavesOut: (flag, value) => flag === "--report" || (flag === "--original" && value === "C1=I1")
      }),
      "connector import csv a.refused.csv --original=C2=I2"
    )
  })

  it("has placeholders for required values that the call does not state", () => {
    const call = Call.make(["list", "--store", "a.db"])
    assert.strictEqual(NextStep.callFor({ do: "resume" }, call), "connector resume --config FILE")
    assert.strictEqual(
      NextStep.callFor({ do: "compare-mappings" }, Call.make(["z-reports", "-c", "a.json"])),
      "connector mappings plan --config a.json --book BOOK"
    )
    assert.strictEqual(
      NextStep.callFor({ do: "import-again", timing: "historical" }, call),
      "connector import csv FILE --config FILE --historical"
    )
  })

  it("is absent if the store of the call no longer exists", () => {
    const call = { ...Call.make(["import"]), place: "gone" } as const
    assert.isNull(NextStep.callFor({ do: "resume" }, call))
    assert.strictEqual(NextStep.callFor({ do: "why", code: "RCPT025" }, call), "connector why RCPT025")
    assert.isNull(NextStep.callFor({ do: "explain" }, { ...call, place: "planned" }))
  })
})
