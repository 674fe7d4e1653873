/**
 * Proves with the real command that no output and no file contains the key, secret or signature,
 * even if the gateway echoes them everywhere.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as RecordingProxy from "./RecordingProxy.ts"
import { connector, folderWith, gatewayFor, key, secret } from "./RunningConnector.ts"

const echoed = (value: unknown, echo: string): unknown => {
  if (Array.isArray(value)) return value.map((each) => echoed(each, echo))
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).map(([name, each]) => [name, echoed(each, echo)])
  return { ...Object.fromEntries(fields), Echo: { [echo]: [echo] } }
}

const assertClean = (text: string, what: string) => {
  for (const planted of [key, secret, "planted"]) assert.notInclude(text, planted, what)
  assert.notMatch(text, /[A-Za-z0-9+/]{43}=/, what)
}

describe("secrets that a gateway echoes", () => {
  it.live("appear in no printed text and no written file; explain shows what is known about the request", function* () {
    const cwd = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
    const sandbox = yield* gatewayFor(cwd)
    let submitted = 0
    const { exchanges, url } = yield* RecordingProxy.before(sandbox.url, ({ answer, headers, status, url }) => {
      const echo = `${headers["x-api-key"]} ${secret} ${headers["x-api-signature"]}`
      if (/\/(invoice|creditnote)$/.test(url.pathname) && ++submitted === 3) {
        return { status: 500, answer: `<html><h1>Oops</h1>${echo}</html>` }
      }
      if (!/^[{[]/.test(answer)) return { status, answer }
      return { status, answer: JSON.stringify(echoed(JSON.parse(answer), echo)) }
    })
    const config = join(cwd, "account.json")
    writeFileSync(config, readFileSync(config, "utf8").replace(sandbox.url, url))
    const asked = ["--config", "account.json"]
    const run = (...args: ReadonlyArray<string>) => connector(args, { cwd })
    const imported = yield* run("import", "csv", "historical-invoices.csv", ...asked)
    assert.isAtLeast(exchanges.length, 5)
    const explained = yield* run("explain", "INV-0003")
    assert.match(
      explained.out,
      /Unknown: Submit Invoice: outcome unknown: 500, an HTML page: Oops .*\(answered 500 after \d+ ms\)/
    )
    const others = yield* Effect.forEach(
      [
        ["list", "--json"],
        ["explain", "INV-0001"],
        ["health"],
        ["doctor", ...asked],
        ["gateway", "profile", "--json", ...asked],
        ["gateway", "device", ...asked]
      ],
      (args) => run(...args)
    )
    for (const { err, out } of [imported, explained, ...others]) assertClean(out + err, out + err)
    assert.include(others.map(({ out }) => out).join(""), "<redacted>")
    const own = new Set(["key", "secret", "account.json"])
    for (const file of readdirSync(cwd).filter((name) => !own.has(name))) {
      assertClean(readFileSync(join(cwd, file), "latin1"), file)
    }
  })
})
