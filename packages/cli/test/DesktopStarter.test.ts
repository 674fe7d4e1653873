import { assert, describe, it } from "../../core/test/It.ts"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as DesktopStarter from "../src/command/DesktopStarter.ts"
import { connector, folderWith, gatewayFor } from "./RunningConnector.ts"

describe("a desktop starter", () => {
  it("escapes characters that have a meaning in a desktop entry", () => {
    assert.include(
      DesktopStarter.entry(["/usr/bin/node", 'a "b" $c', "50%"]),
      'Exec="/usr/bin/node" "a \\\\"b\\\\" \\\\$c" "50%%"'
    )
  })

  it.live("opens the page with this configuration, and is not overwritten", function* () {
    const cwd = yield* folderWith()
    yield* gatewayFor(cwd)
    const flags = ["ui", "--config", "account.json", "--starter", "Fiscal connector"]
    const { code, err, out } = yield* connector(flags, { cwd })
    assert.strictEqual(code, 0, err)
    assert.include(out, "Written: Fiscal connector.desktop")
    const file = join(cwd, "Fiscal connector.desktop")
    assert.include(readFileSync(file, "utf8"), `"ui" "--open" "--config" "${join(cwd, "account.json")}"`)
    assert.strictEqual(statSync(file).mode & 0o777, 0o755)
    const again = yield* connector(flags, { cwd })
    assert.strictEqual(again.code, 1)
    assert.include(again.err, "Nothing was written")
  })
})
