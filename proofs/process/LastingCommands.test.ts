/** Terminates real processes during their start, as a service manager may do. */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { inject } from "vitest"
import { isLasting } from "../../packages/cli/src/Lasting.ts"
import { folderWith, gatewayFor, key, secret } from "../../packages/cli/test/RunningConnector.ts"

const main = inject("command")

/**
 * Module loaded before the command: reports when the command's code listens for SIGTERM. Earlier,
 * Node itself is starting.
 */
const listening = `data:text/javascript,${encodeURIComponent(`
  const look = setInterval(() => {
    if (process.listenerCount("SIGTERM") === 0) return
    clearInterval(look)
    process.stderr.write("listening")
  }, 1)
  look.unref()`)}`

/**
 * Terminates the command a number of milliseconds after its code listens, or as soon as the command
 * prints.
 */
const terminated = (cwd: string, args: ReadonlyArray<string>, when: number | "printed") =>
  Effect.callback<number | string | null>((resume) => {
    const child = spawn(process.execPath, ["--import", listening, main, ...args], {
      cwd,
      env: {
        ...process.env,
        NO_COLOR: "1",
        FISCAL_CONNECTOR_MAIN_API_KEY: key,
        FISCAL_CONNECTOR_MAIN_API_SECRET: secret
      },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const end = () => void child.kill("SIGTERM")
    if (when === "printed") child.stdout.once("data", end)
    else child.stderr.once("data", () => setTimeout(end, when))
    child.stdout.resume()
    child.stderr.resume()
    child.on("close", (code, signal) => resume(Effect.succeed(code ?? signal)))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

// slow: starts a dozen processes, one after the other
describe("a command that runs until it is stopped", () => {
  for (const args of [
    ["work", "--config", "account.json"],
    ["ui", "--config", "account.json", "--no-open"]
  ]) {
    it.live(`exits normally when ${args[0]} is stopped at any moment of its start`, function* () {
      const folder = yield* folderWith()
      yield* gatewayFor(folder)
      for (const when of [0, 50, 150, 300, 600, "printed"] as const) {
        assert.strictEqual(yield* terminated(folder, args, when), 0, String(when))
      }
    })
  }

  it("is recognized by its name, wherever flags are", () => {
    assert.isTrue(isLasting(["work", "--config", "a.json"]))
    assert.isTrue(isLasting(["--log-level", "debug", "work"]))
    assert.isFalse(isLasting(["--log-level", "work", "import"]))
    assert.isFalse(isLasting(["explain", "work"]))
  })
})
