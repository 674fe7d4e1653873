/**
 * Kills the jobs of docs/embed.md as processes. The container job is tested in
 * examples/promise/test/postgres.
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { createServer, type AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { DatabaseSync } from "node:sqlite"
import { gateway, type Given, invoice, writeFiles } from "../../packages/promise/test/Gateway.ts"

// slow: processes are started, killed and started again

const start = (
  program: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"]
  })

const kill = async (child: ChildProcess, signal: "SIGKILL" | "SIGTERM") => {
  child.kill(signal)
  await once(child, "exit")
}

/** Waits until the condition holds; fails if the process that should fulfill it has ended. */
const until = async (child: ChildProcess, isSo: () => boolean | Promise<boolean>) => {
  while (!(await isSo())) {
    assert.isNull(child.exitCode, "the process has ended")
    await setTimeout(20)
  }
}

/** Waits for the first output. */
const ready = async (child: ChildProcess) => {
  const [ended] = await Promise.race([
    once(child.stdout!, "data").then(() => [null]),
    once(child, "exit").then(() => ["ended"])
  ])
  assert.isNull(ended, "the process has ended before it was ready")
}

/** Returns the gateway's controls as promises. */
const controls = ({ sandbox }: Given) => {
  const { control, webhooks } = sandbox
  return {
    receipts: () => Effect.runPromise(control.receipts),
    accepted: () => Effect.runPromise(control.accepted),
    deliveries: () => Effect.runPromise(webhooks.deliveries),
    process: (processingDelayMillis: number) => Effect.runPromise(control.change({ processingDelayMillis })),
    advance: (advanceMillis: number) => Effect.runPromise(control.moveClock({ advanceMillis })),
    register: (url: string) => Effect.runPromise(webhooks.register("account-1", { url, firstPauseMillis: 300 }))
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

describe("a job that is killed halfway", () => {
  it.live(
    "with a drop folder continues, sends nothing twice, and moves the file after all of it is fiscalised",
    function* () {
      const given = yield* gateway
      writeFiles(given)
      const { folder } = given
      const gatewayOf = controls(given)
      const header = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
      const numbers = Array.from({ length: 12 }, (_, n) => `S-${n + 1}`)
      const rows = numbers.map((number) => `${number},2026-03-02,USD,inclusive,Lamp,2,9.99,Standard,85131000`)
      mkdirSync(join(folder, "in"))
      writeFileSync(join(folder, "in/sales.csv"), [header, ...rows, ""].join("\n"))
      yield* Effect.promise(async () => {
        const program = "../../examples/promise/drop-folder/main.ts"
        const env = { SETTLED_SECONDS: "0", PAUSE_SECONDS: "0.1" }
        // Outcomes take longer than the documents, so that all documents are accepted and no
        // outcome is known.
        await gatewayOf.process(60_000)
        const first = start(program, [folder], env)
        await until(first, async () => (await gatewayOf.accepted()).length === numbers.length)
        await setTimeout(200)
        await kill(first, "SIGKILL")
        assert.deepStrictEqual(readdirSync(join(folder, "in")), ["sales.csv"])
        await gatewayOf.advance(60_000)
        const second = start(program, [folder], env)
        await until(second, () => readdirSync(join(folder, "done")).length > 0)
        await kill(second, "SIGTERM")
        assert.strictEqual(second.exitCode, 0)
        assert.deepStrictEqual(readdirSync(join(folder, "done")), ["sales.csv"])
        assert.deepStrictEqual(
          (await gatewayOf.receipts()).map(({ documentNumber }) => documentNumber),
          numbers
        )
      })
    }
  )

  it.live("with a webhook service has every outcome after the restart, from the gateway's retries", function* () {
    const given = yield* gateway
    writeFiles(given)
    const { folder } = given
    const gatewayOf = controls(given)
    const numbers = ["S-1", "S-2", "S-3", "S-4"]
    writeFileSync(join(folder, "sales.json"), JSON.stringify(numbers.map((number) => invoice(number))))
    yield* Effect.promise(async () => {
      await gatewayOf.process(4000)
      const port = await freePort()
      const service = (...mode: ReadonlyArray<string>) => start("WebhookService.ts", [folder, String(port), ...mode])
      const first = service("send")
      await ready(first)
      const url = `http://127.0.0.1:${port}/fiscal`
      await gatewayOf.register(url)
      // The first delivery of an outcome finds a dead service.
      await kill(first, "SIGKILL")
      await until(first, async () =>
        (await gatewayOf.deliveries()).some(({ answer, purpose }) => purpose === "outcomes" && answer === "unreachable")
      )
      const second = service()
      await ready(second)
      const states = () => {
        const db = new DatabaseSync(join(folder, "shop.db"), { readOnly: true })
        const rows = db.prepare("select number, state from fiscal_submission order by number").all()
        db.close()
        return rows.map(({ number, state }) => `${String(number)} ${String(state)}`)
      }
      await until(second, () => states().every((state) => state.endsWith("Fiscalised")))
      assert.deepStrictEqual(
        states(),
        numbers.map((number) => `${number} Fiscalised`)
      )
      assert.lengthOf(await gatewayOf.receipts(), numbers.length)
      await kill(second, "SIGKILL")
    })
  })
})
