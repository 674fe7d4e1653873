/**
 * Real processes that receive SIGHUP: during the start, during sending, and after their terminal
 * has closed.
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"
import { echoedSecret } from "../../packages/core/test/leak/Planted.ts"
import { connector, events, folderWith, gatewayFor, lines, secret } from "../../packages/cli/test/RunningConnector.ts"

const main = inject("command")
const files = ["historical-invoices.csv", "historical-invoices.book.json"]
const hasScript = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false

/**
 * Reports on standard error when the command's code listens for the signal. Earlier, Node itself is
 * starting.
 */
const listening = `data:text/javascript,${encodeURIComponent(`
  const look = setInterval(() => {
    if (process.listenerCount("SIGHUP") === 0) return
    clearInterval(look)
    process.stderr.write("listening")
  }, 1)
  look.unref()`)}`

/** The secrets are in the files. */
const env = () => {
  const { FISCAL_CONNECTOR_MAIN_API_KEY: _, FISCAL_CONNECTOR_MAIN_API_SECRET: __, ...others } = process.env
  return { ...others, NO_COLOR: "1", XDG_STATE_HOME: "/dev/null" }
}

interface Told {
  readonly kill: (signal: NodeJS.Signals) => void
}

/** Runs the command to its end; `watch` receives the output so far. */
const run = (cwd: string, args: ReadonlyArray<string>, watch: (text: string, child: Told) => void) =>
  Effect.callback<{ readonly code: number | string | null; readonly out: string }>((resume) => {
    const child = spawn(process.execPath, ["--import", listening, main, ...args], {
      cwd,
      env: env(),
      stdio: ["ignore", "pipe", "pipe"]
    })
    let [out, err] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text: string) => watch((out += text) + err, child))
    child.stderr.setEncoding("utf8").on("data", (text: string) => watch(out + (err += text), child))
    child.on("close", (code, signal) => resume(Effect.succeed({ code: code ?? signal, out })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Acts once, when the text first appears. */
const once = (said: string, act: (child: Told) => void) => {
  let isDone = false
  return (text: string, child: Told) => {
    if (isDone || !text.includes(said)) return
    isDone = true
    act(child)
  }
}

const inJson = ["--config", "account.json", "--log-format", "json"]

// slow: starts a process for each moment
describe("a process that gets SIGHUP", () => {
  for (const args of [["work"], ["serve", "--port", "0", "--status-port", "0"]]) {
    it.live(`continues if ${args[0]} gets it at any moment of its start`, function* () {
      const cwd = yield* folderWith()
      yield* gatewayFor(cwd)
      for (const after of [0, 200]) {
        const early = once("listening", (child) => setTimeout(() => child.kill("SIGHUP"), after))
        const ready = once('"started"', (child) => setTimeout(() => child.kill("SIGTERM"), 200))
        const { code, out } = yield* run(cwd, [...args, ...inJson], (text, child) => {
          early(text, child)
          ready(text, child)
        })
        assert.strictEqual(code, 0, `${after} ms: ${out}`)
      }
    })
  }

  it.live(
    "continues with a rotated secret, keeps the old configuration if the new one is broken, and sends nothing twice",
    function* () {
      const cwd = yield* folderWith(...files)
      const sandbox = yield* gatewayFor(cwd, { account: { secret: [secret, echoedSecret] } })
      yield* sandbox.control.addFault({ kind: "latency", millis: 60, operations: ["submitInvoice"] })
      const whole = readFileSync(join(cwd, "account.json"), "utf8")
      yield* run(
        cwd,
        ["import", "csv", files[0]!, "--config", "account.json"],
        once("of 46 documents have", (child) => child.kill("SIGINT"))
      )
      const opened = once("account-opened", (child) => {
        writeFileSync(join(cwd, "account.json"), whole.slice(0, -3))
        setTimeout(() => child.kill("SIGHUP"), 200)
      })
      const kept = once("configuration-kept", (child) => {
        writeFileSync(join(cwd, "account.json"), whole)
        writeFileSync(join(cwd, "secret"), echoedSecret)
        child.kill("SIGHUP")
      })
      const drained = once('"end":"drained"', (child) => child.kill("SIGTERM"))
      const { code, out } = yield* run(cwd, ["work", ...inJson], (text, child) => {
        opened(text, child)
        kept(text, child)
        drained(text, child)
      })
      assert.strictEqual(code, 0)
      const codes = events(out).map(({ code }) => code)
      assert.includeMembers(codes, ["configuration-kept", "configuration-reloaded", "stopped"])
      const accepted = yield* sandbox.control.accepted
      assert.lengthOf(accepted, 46)
      assert.isTrue(accepted.every(({ accepted }) => accepted === 1))
      const states = lines((yield* connector(["list", "--json"], { cwd })).out).map(({ state }) => state)
      assert.isFalse(
        states.some((state) => state === "Unknown" || state === "Sending"),
        String(states)
      )
    }
  )

  it.live.skipIf(!hasScript)("exits normally if its terminal is closed, instead of running on unseen", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith()
      yield* gatewayFor(cwd)
      const code = yield* Effect.callback<string>((resume) => {
        const work = `echo $$ > id; exec "${process.execPath}" "${main}" work --config account.json`
        const child = spawn("script", ["-qc", `sh -c '${work}'; echo $? > ended`, "/dev/null"], {
          cwd,
          env: { ...env(), TERM: "xterm", SHELL: "/bin/bash" }
        })
        child.stdout.on("data", (text: Buffer) => {
          if (!text.toString().includes("works for")) return
          // The system sends this signal to the foreground of a closed terminal.
          const found = spawnSync("pgrep", ["-f", `${main} work`], { encoding: "utf8" })
            .stdout.trim()
            .split("\n")
          for (const id of found) process.kill(Number(id), "SIGHUP")
        })
        child.on("close", () => resume(Effect.succeed(readFileSync(join(cwd, "ended"), "utf8"))))
        return Effect.sync(() => child.kill("SIGKILL"))
      })
      assert.strictEqual(code, "0\n")
    }).pipe(Effect.scoped)
  )
})
