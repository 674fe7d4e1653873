/**
 * Runs every block of commands in docs/ as written, in order, in a folder prepared for the page.
 * Blocks that need another machine are marked in the page, and counted here. The README and
 * docs/start.md are followed with the packed command (scripts/consumers).
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { copyFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { type Block, blocksOf, follower, root } from "../../packages/cli/test/DocPage.ts"
import { syncingIn } from "../../packages/cli/test/SyncedSource.ts"
import { connector, examples, folderWith, gatewayFor, key, secret } from "../../packages/cli/test/RunningConnector.ts"

type Gateway = Effect.Success<ReturnType<typeof gatewayFor>>

/** State before a block. */
interface Scene {
  readonly prepare: (
    folder: string,
    run: Run
  ) => Effect.Effect<Gateway | void, unknown, Effect.Services<ReturnType<typeof folderWith>>>
  /** Exit codes other than 0, by text line. */
  readonly codes?: ReadonlyArray<readonly [line: RegExp, code: number]>
  /**
   * Replaces the placeholders of the page as the reader would; `printed` is the output of the text
   * line before.
   */
  readonly put?: (line: string, printed: string, gateway: Gateway | undefined) => Effect.Effect<string> | string
  /**
   * Runs in the root of this clone instead of a separate folder; the block writes nothing there.
   */
  readonly where?: "clone"
  /** Runs only one of the text lines at a time: each has the initial state. */
  readonly lines?: "alternatives"
}

type Run = (args: ReadonlyArray<string>) => ReturnType<typeof connector>

const header = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"

/** Writes an export and a mapping book, with an invoice for each `number date`. */
const export_ = (folder: string, name: string, ...invoices: ReadonlyArray<string>) => {
  const rows = invoices.map((invoice) => `${invoice.replace(" ", ",")},USD,inclusive,Lamp,1,10.00,Standard,85131000`)
  writeFileSync(join(folder, `${name}.csv`), [header, ...rows].join("\n"))
  copyFileSync(join(examples, "historical-invoices.book.json"), join(folder, `${name}.book.json`))
}

/** Creates a gateway and its `accounts.json`. */
const gateway = (folder: string, options: Parameters<typeof gatewayFor>[1] = {}, account = "main") =>
  Effect.map(gatewayFor(folder, options), (sandbox) => {
    const text = readFileSync(join(folder, "account.json"), "utf8")
    writeFileSync(join(folder, "account.json"), text)
    writeFileSync(join(folder, "accounts.json"), text.replace('"main"', JSON.stringify(account)))
    return sandbox
  })

const importing = ["import", "csv", "sales.csv", "--config", "accounts.json"] as const

/**
 * Moves the store's times back by ten minutes: looking a document up in the portal takes time, so
 * the quiet period is over.
 */
const tenMinutesOn = (folder: string) => {
  const db = new DatabaseSync(join(folder, "fiscal-connector.db"))
  db.exec(`update fiscal_attempt set begun_at = begun_at - 600000, finished_at = finished_at - 600000;
    update fiscal_store set accepted_at = accepted_at - 600000`)
  db.close()
}
let older = ""

/** Records a closed fiscal day that a comparison found to differ, like `work` does. */
const dayDiffers = (folder: string, day: number) => {
  const db = new DatabaseSync(join(folder, "fiscal-connector.db"))
  db.prepare(
    "insert into fiscal_notice values ('counters', 'test/1001', 'DAY_DIFFERS', ?, 'a receipt too many', 1, 1)"
  ).run(String(day))
  db.close()
}

/**
 * Scenes by name: a block is marked `scene:NAME`. A block without a mark continues in the state of
 * the block before.
 */
const scenes: Readonly<Record<string, Scene>> = {
  configuration: {
    prepare: (folder) =>
      Effect.map(
        Sandbox.make({ accounts: [{ key, secret, application: "my-application", station: "till-1", device: 1001 }] }),
        ({ url }) => {
          const shown = blocksOf("docs/configuration.md")[0]!.lines.join("\n")
          writeFileSync(join(folder, "accounts.json"), shown.replace("https://gateway.example/api", url))
          writeFileSync(join(folder, "main.key"), key, { mode: 0o600 })
          writeFileSync(join(folder, "main.secret"), secret, { mode: 0o600 })
        }
      )
  },
  day: {
    prepare: (folder, run) => {
      export_(folder, "sales", "INV-0042 2026-02-03")
      return Effect.tap(gateway(folder), () =>
        Effect.tap(run(["import", "csv", "sales.csv", "--config", "account.json"]), () =>
          Effect.sync(() => dayDiffers(folder, 12))
        )
      )
    }
  },
  embed: { prepare: () => Effect.void, where: "clone" },
  mappings: {
    prepare: (folder) => {
      export_(folder, "account", "INV-1 2026-02-03")
      return gateway(folder, { account: { taxMappings: [], currencyMappings: [] } })
    },
    codes: [[/mappings plan/, 3]]
  },
  sandbox: {
    prepare: (folder) =>
      Effect.sync(() => {
        export_(folder, "your", "INV-0001 2026-02-03")
        const configuration = blocksOf("docs/sandbox.md").find(({ language }) => language === "jsonc")
        writeFileSync(join(folder, "gateway.json"), configuration!.lines.join("\n"))
        const account = {
          baseUrl: "http://127.0.0.1:4010",
          application: "sandbox-application",
          station: "sandbox-station"
        }
        writeFileSync(join(folder, "sandbox.json"), JSON.stringify({ accounts: { sandbox: account } }))
      })
  },
  store: {
    prepare: (folder, run) => {
      export_(folder, "sales", "INV-0042 2026-02-03")
      return Effect.tap(gateway(folder), () => run(importing))
    }
  },
  imports: {
    prepare: (folder, run) => {
      export_(folder, "sales", "INV-0042 2026-02-03")
      return Effect.tap(gateway(folder), () => run(importing))
    }
  },
  // Older copy: two documents were planned at the time of the copy, and sent since.
  "older-copy": {
    prepare: (folder, run) =>
      Effect.gen(function* () {
        const sandbox = yield* gateway(folder)
        const store = join(folder, "fiscal-connector.db")
        export_(folder, "sales", "INV-0042 2026-02-03", "INV-0043 2026-02-03", "INV-0044 2026-02-03")
        writeFileSync(join(folder, "looked-up.txt"), "INV-0044\n")
        yield* sandbox.control.addFault({ kind: "error", status: 401, operations: ["submitInvoice"] })
        yield* run(importing)
        copyFileSync(store, join(folder, "older.db"))
        yield* sandbox.control.clearFaults
        // The lane pauses for a moment after the 401.
        while ((yield* run(["resume", "--config", "accounts.json"])).code !== 0);
        copyFileSync(join(folder, "older.db"), store)
        older = folder
        return sandbox
      }),
    put: (line) => {
      if (/--resend/.test(line)) tenMinutesOn(older)
      return line
    },
    // The list is only previewed, so its document is still open.
    codes: [
      [/looked-up/, 3],
      [/^connector resume/, 3]
    ]
  },
  "first-use": {
    prepare: (folder) => {
      export_(folder, "sales", "INV-0042 2026-02-03")
      return gateway(folder, { device: { isLive: true } })
    },
    codes: [[/--config accounts\.json( --live)? *(#.*)?$/, 1]],
    put: (line, printed) => line.replace("1001-7F3A", /--first-use (\S+)/.exec(printed)?.[1] ?? "")
  },
  forget: {
    prepare: (folder, run) => {
      export_(folder, "sales", "INV-0042 2025-02-03")
      return Effect.tap(gateway(folder), () => run(importing))
    }
  },
  repin: {
    prepare: (folder, run) =>
      Effect.gen(function* () {
        const options = { account: { name: "shop" }, devices: [{ deviceId: 1002 }] }
        const sandbox = yield* gateway(folder, options, "shop")
        export_(folder, "sales", "INV-0042 2026-02-03")
        yield* run(importing)
        yield* sandbox.control.changeAccount({ account: "shop", device: 1002 })
        return sandbox
      })
  },
  daily: {
    prepare: (folder, run) => {
      export_(folder, "sales", "INV-0042 2026-02-03")
      return Effect.tap(gateway(folder), () => run(["import", "csv", "sales.csv", "--config", "account.json"]))
    }
  },
  unknown: {
    prepare: (folder, run) =>
      Effect.gen(function* () {
        const sandbox = yield* gateway(folder)
        export_(folder, "sales", "INV-0042 2026-02-03")
        yield* sandbox.control.addFault({ kind: "drop", stage: "after", times: 1, operations: ["submitInvoice"] })
        yield* run(importing)
        tenMinutesOn(folder)
        return sandbox
      }),
    put: (line, _, sandbox) =>
      Effect.map(sandbox!.control.accepted, ([taken]) => line.replace("7f0c…", taken!.requestIds[0]!)),
    lines: "alternatives"
  },
  // The answer is lost, the operator says "not processed", and the next request is refused.
  contradicted: {
    prepare: (folder, run) =>
      Effect.gen(function* () {
        const sandbox = yield* gateway(folder)
        export_(folder, "sales", "INV-0042 2026-02-03")
        yield* sandbox.control.addFault({ kind: "drop", stage: "before", times: 1, operations: ["submitInvoice"] })
        yield* run(importing)
        tenMinutesOn(folder)
        yield* sandbox.control.addFault({ kind: "error", status: 400, operations: ["submitInvoice"] })
        yield* run(["resolve", "INV-0042", "--not-processed", "--because", "not there", "--config", "accounts.json"])
        yield* run(["resume", "--config", "accounts.json"])
        tenMinutesOn(folder)
        return sandbox
      }),
    lines: "alternatives"
  },
  // One document failed because of the device; a preview asks for its confirmation.
  causes: {
    prepare: (folder, run) =>
      Effect.gen(function* () {
        const sandbox = yield* gateway(folder)
        export_(folder, "sales", "INV-0042 2026-02-03")
        // takes each failure for a result, so that the import does not wait for the device
        const file = join(folder, "accounts.json")
        writeFileSync(file, readFileSync(file, "utf8").replace('"STAT-7"', '"STAT-9":"any","STAT-7"'))
        yield* sandbox.control.addFault({ kind: "reject", error: "DEV01: the device is off" })
        yield* run(importing)
        return sandbox
      }),
    codes: [[/--cause DEV01/, 3]]
  },
  // One document was declined, and is in the list of documents that were looked up.
  each: {
    prepare: (folder, run) =>
      Effect.gen(function* () {
        const sandbox = yield* gateway(folder)
        export_(folder, "sales", "INV-0042 2026-02-03")
        yield* sandbox.control.addFault({ kind: "error", status: 400, operations: ["submitInvoice"] })
        yield* run(importing)
        writeFileSync(join(folder, "looked-up.txt"), "INV-0042\n")
        return sandbox
      }),
    codes: [[/looked-up/, 3]]
  },
  // An export lost the zeros of its numbers.
  duplicates: {
    prepare: (folder, run) =>
      Effect.gen(function* () {
        const sandbox = yield* gateway(folder)
        export_(folder, "sales", "00005 2026-02-03")
        yield* run(importing)
        export_(folder, "sales", "5 2026-02-03")
        yield* run(importing)
        return sandbox
      }),
    lines: "alternatives",
    codes: [[/--cause duplicate/, 3]]
  },
  // Store of an earlier version.
  upgrade: {
    prepare: (folder) =>
      Effect.tap(gateway(folder, { account: { name: "main" } }), () =>
        Effect.sync(() => {
          copyFileSync(join(root, "fixtures/upgrade/bc82904f/store.sqlite"), join(folder, "fiscal-connector.db"))
        })
      ),
    codes: [[/^connector (health|resume)/, 3]]
  },
  webhooks: {
    prepare: (folder, run) => {
      export_(folder, "sales", "INV-0042 2026-02-03")
      return Effect.tap(gateway(folder, {}, "shop"), () => run(importing))
    },
    put: (line) => line.replace("https://shop.example", "http://127.0.0.1:4020")
  },
  sync: {
    prepare: (folder) => {
      copyFileSync(join(examples, "historical-invoices.book.json"), join(folder, "historical-invoices.book.json"))
      return Effect.map(syncingIn(folder), ({ sandbox }) => {
        copyFileSync(join(folder, "account.json"), join(folder, "accounts.json"))
        return sandbox
      })
    }
  },
  work: {
    prepare: (folder, run) => {
      export_(folder, "sales", "INV-0042 2026-02-03")
      return Effect.tap(gateway(folder), () => run(importing))
    }
  },
  formats: {
    prepare: (folder) => {
      cpSync(examples, join(folder, "examples"), { recursive: true })
      copyFileSync(join(examples, "historical-invoices.xlsx"), join(folder, "sales.xlsx"))
      return gateway(folder)
    }
  }
}

const isRun = ({ language, mark }: Block) => language === "sh" && !mark.startsWith("not-run")

const pages = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`)

/** Pages whose unmarked blocks scripts/consumers follows with the packed packages. */
const elsewhere: ReadonlySet<string> = new Set(["docs/adapters.md", "docs/start.md"])

/** Replaces the text that differs in every run. */
const lasting = (text: string) => text.replaceAll(/[0-9A-F]{4}(-[0-9A-F]{4}){3}/g, "CODE")

/** A marked block, with the blocks that continue in its state. */
interface Told {
  readonly name: string
  readonly blocks: Array<Block>
}

/** Returns what a page does in each scene, and the blocks before the first one. */
const toldBy = (page: string): readonly [before: ReadonlyArray<Block>, told: ReadonlyArray<Told>] => {
  const [before, told]: [Array<Block>, Array<Told>] = [[], []]
  for (const block of blocksOf(page)) {
    const [, name] = /^scene:(\S+)$/.exec(block.mark) ?? []
    if (name !== undefined) told.push({ name, blocks: [block] })
    else (told.at(-1)?.blocks ?? before).push(block)
  }
  return [before, told]
}

describe("a page of docs", () => {
  for (const page of pages) {
    const [before, told] = toldBy(page)
    it(`${page} has a scene for each block of commands`, () => {
      if (!elsewhere.has(page)) assert.deepStrictEqual(before.filter(isRun), [])
      for (const { name } of told) assert.property(scenes, name)
    })
    for (const { blocks, name } of told)
      it.live(`${page} can be followed as written: ${name}`, function* () {
        const scene = scenes[name]!
        const folder = scene.where === "clone" ? root : yield* folderWith()
        const follow = yield* follower(folder)
        const ran: Run = (args) => connector(args, { cwd: folder })
        const sandbox = (yield* Effect.orDie(scene.prepare(folder, ran))) ?? undefined
        const before = yield* folderWith()
        if (scene.lines === "alternatives") cpSync(folder, before, { recursive: true })
        let printed = ""
        for (const block of blocks) {
          if (block.language === "text") for (const line of block.lines) assert.include(lasting(printed), lasting(line))
          if (!isRun(block)) continue
          for (const shown of block.lines) {
            if (scene.lines === "alternatives") cpSync(before, folder, { recursive: true })
            const put = scene.put?.(shown, printed, sandbox) ?? shown
            const line = typeof put === "string" ? put : yield* put
            const ended = yield* follow(line)
            printed = `${ended.out}\n${ended.err}`
            const code = scene.codes?.find(([pattern]) => pattern.test(shown))?.[1] ?? 0
            assert.strictEqual(ended.code, code, `${line}\n${printed}`)
          }
        }
      })
  }

  it("is executed, except for exactly one marked block", () => {
    const marked = pages.flatMap((page) => blocksOf(page).filter(({ mark }) => mark.startsWith("not-run")))
    assert.lengthOf(marked, 1)
  })
})

describe("the command of a clone", () => {
  it("runs from any folder", () => {
    const out = execFileSync(join(root, "bin/connector"), ["--version"], { cwd: tmpdir(), encoding: "utf8" })
    assert.match(out, /^connector v\d+\.\d+\.\d+$/m)
  })
})
