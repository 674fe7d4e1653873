/**
 * Faults that leave work for an operator, each made as in a shop: through the real command, against
 * our own gateway.
 */
import { Effect, type Scope } from "effect"
import { copyFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { crashing } from "../../packages/cli/test/InjectedCrash.ts"
import { proveFirst } from "../../packages/cli/test/LateProof.ts"
import {
  connector,
  type Ended,
  examples,
  folderWith,
  gatewayFor,
  type Signaled
} from "../../packages/cli/test/RunningConnector.ts"
import { takeNumber } from "../../packages/cli/test/TakenNumber.ts"

const header =
  "Kind,InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,OriginalInvoice,Reason"
const config = ["--config", "account.json"]
const minute = 60_000
export const hour = 60 * minute
const otherKey = "7f6f7d8a-7b1d-4f5e-9a1c-5d6f7d8a7b1d"

/** Shop with gateway, folder and store. */
export interface Shop {
  readonly cwd: string
  /** Number of accounts in the configuration. */
  readonly accounts: 1 | 2
  readonly sandbox: Effect.Success<ReturnType<typeof gatewayFor>>
  readonly run: (...args: ReadonlyArray<string>) => Effect.Effect<Ended>
  /**
   * Writes the export and imports it for the account `main`. Invoices are `NUMBER DATE [PRICE]
   * [STATUS]`, credit notes `credit NUMBER DATE ORIGINAL`.
   */
  readonly importing: (name: string, ...documents: ReadonlyArray<string>) => Effect.Effect<Ended>
  /** Imports with further flags; ends the import by Ctrl-C if it waits for outcomes. */
  readonly sending: (
    name: string,
    flags: ReadonlyArray<string>,
    ...documents: ReadonlyArray<string>
  ) => Effect.Effect<Ended>
  /** Runs `connector work` until attention has the code. */
  readonly working: (code: string) => Effect.Effect<Ended>
  /** Moves every time in the store a number of milliseconds into the past. */
  readonly age: (millis: number) => void
}

/** State of a shop that needs an operator. */
export interface FaultScenario {
  readonly name: string
  readonly device?: { readonly isLive: boolean }
  /** Makes the fault. The commands in its last output are checked as well. */
  readonly happens: (shop: Shop) => Effect.Effect<Ended, unknown, Scope.Scope>
  /** Code of the item that must be listed. */
  readonly listed: string
  /**
   * Part of a command after which the item may remain, for the reason that the item states: the
   * gateway has no answer, or the original has no receipt.
   */
  readonly mayStay?: string
  /** Solves the problem outside the connector, as the item instructs the operator. */
  readonly mend?: (shop: Shop, action: string) => Effect.Effect<unknown, unknown>
}

const rowOf = (document: string): string => {
  const [first = "", ...rest] = document.split(" ")
  if (first === "credit") {
    const [number, date, original, price = "10.00"] = rest
    return `credit-note,${number},${date},USD,inclusive,Lamp,1,${price},Standard,85131000,${original},Returned`
  }
  const [date, price = "10.00", status = ""] = rest
  return `invoice,${first},${date},USD,inclusive,Lamp,1,${price},Standard,85131000,,${status === "" ? "" : `,${status}`}`
}

/** Moves every time in the store into the past. */
export const ageStore = (file: string, millis: number): void => {
  const database = new DatabaseSync(file)
  try {
    const tables = database
      .prepare("select name from sqlite_master where type = 'table' and name like 'fiscal_%'")
      .all()
    for (const { name } of tables) {
      if (name === "fiscal_decision") continue
      for (const { name: column, type } of database.prepare(`pragma table_info(${String(name)})`).all()) {
        if (!/int/i.test(String(type))) continue
        database.exec(
          `update ${String(name)} set ${String(column)} = ${String(column)} - ${millis} where ${String(column)} > 1600000000000`
        )
      }
    }
  } finally {
    database.close()
  }
}

const hasNotice = (file: string, code: string): boolean => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare("select 1 from fiscal_notice where code = ?").get(code) !== undefined
  } finally {
    database.close()
  }
}

/**
 * Creates a shop in a separate folder. With two accounts, a second till has sent a document from
 * the same store.
 */
export const shop = (scenario: FaultScenario, accounts: 1 | 2) =>
  Effect.gen(function* () {
    const cwd = yield* folderWith()
    const two = accounts === 2
    const sandbox = yield* gatewayFor(cwd, {
      gateway: { processingDelayMillis: 1 },
      ...(scenario.device !== undefined && { device: scenario.device }),
      ...(two && { accounts: [{ key: otherKey, device: 2002 }] }),
      devices: [{ deviceId: 2002 }, { deviceId: 3003 }]
    })
    const store = join(cwd, "fiscal-connector.db")
    const run = (...args: ReadonlyArray<string>) => connector(args, { cwd })
    const write = (name: string, ...documents: ReadonlyArray<string>) => {
      writeFileSync(
        join(cwd, `${name}.csv`),
        [documents.some((one) => one.endsWith("Void")) ? `${header},Status` : header, ...documents.map(rowOf)].join(
          "\n"
        )
      )
      copyFileSync(join(examples, "historical-invoices.book.json"), join(cwd, `${name}.book.json`))
    }
    const send = (account: string, flags: ReadonlyArray<string>, name: string, documents: ReadonlyArray<string>) => {
      const args = ["import", "csv", `${name}.csv`, ...config, ...flags, ...(two ? ["--account", account] : [])]
      let timer: NodeJS.Timeout | undefined
      const watch = (printed: string, { interrupt }: Signaled) => {
        if (printed.includes(` of ${documents.length}`)) timer ??= setTimeout(interrupt, 500)
      }
      const run = Effect.suspend(() => {
        write(name, ...documents)
        return connector(args, { cwd, watch })
      })
      return Effect.ensuring(
        run,
        Effect.sync(() => clearTimeout(timer))
      )
    }
    if (two) {
      const main = {
        baseUrl: sandbox.url,
        application: "test",
        station: "test",
        keyFile: "key",
        secretFile: "secret",
        assumptions: { "STAT-7": 0.1 }
      }
      writeFileSync(join(cwd, "key2"), otherKey, { mode: 0o600 })
      const configured = { accounts: { main, till: { ...main, keyFile: "key2" } } }
      writeFileSync(join(cwd, "account.json"), JSON.stringify(configured), { mode: 0o600 })
      yield* send("till", [], "till", ["T-1 2026-03-01"])
    }
    const made: Shop = {
      cwd,
      accounts,
      sandbox,
      run,
      importing: (name, ...documents) => send("main", [], name, documents),
      sending: (name, flags, ...documents) => send("main", flags, name, documents),
      working: (code) => {
        let timer: NodeJS.Timeout | undefined
        const watch = (_: string, { interrupt }: Signaled) => {
          timer ??= setInterval(() => {
            if (hasNotice(store, code)) interrupt()
          }, 50)
        }
        return Effect.ensuring(
          connector(["work", ...config], { cwd, watch }),
          Effect.sync(() => clearInterval(timer))
        )
      },
      age: (millis) => ageStore(store, millis)
    }
    return made
  })

const submits = { operations: ["submitInvoice", "submitCreditNote"] } as const
const cut = { kind: "drop", stage: "before", times: 1, ...submits } as const
const three = ["INV-1 2026-03-02", "INV-2 2026-03-03", "INV-3 2026-03-04"] as const

/** Credits an invoice that the source has voided after its receipt. */
const credited = ({ accounts, importing, run }: Shop) =>
  Effect.gen(function* () {
    yield* importing("sales", ...three)
    yield* importing("sales", "INV-1 2026-03-02 10.00 Void")
    const named = accounts === 2 ? ["--account", "main"] : []
    return yield* run("credit", "INV-1", "--because", "sent back", ...named, ...config)
  })

/** Replaces the store by an older copy. */
const goBack = ({ cwd, importing, run }: Shop) =>
  Effect.gen(function* () {
    yield* importing("first", "INV-1 2026-03-02")
    yield* run("store", "backup", "older.db", ...config)
    yield* importing("second", "INV-2 2026-03-03")
    yield* run("store", "backup", "newest.db", ...config)
    yield* put("older.db", cwd)
  })

const put = (copy: string, cwd: string) =>
  Effect.sync(() => {
    for (const name of readdirSync(cwd)) if (name.startsWith("fiscal-connector.db")) rmSync(join(cwd, name))
    copyFileSync(join(cwd, copy), join(cwd, "fiscal-connector.db"))
  })

/** Puts the newest copy of the store back, as the item instructs. */
const newestBack = ({ cwd }: Shop) => put("newest.db", cwd)

/**
 * Numbers of the commits of an import into a new store; one fewer for an existing store. The next
 * commit begins the first attempt.
 */
const commits = { kept: 8, accepted: 9, handedOver: 10 }

/** Runs an import whose process is killed after the given commit. */
const killed = ({ accounts, cwd, importing }: Shop, after: keyof typeof commits, ...documents: ReadonlyArray<string>) =>
  Effect.map(
    crashing({ commit: commits[after] - (accounts - 1), when: "after", folder: cwd }, importing("sales", ...documents)),
    ({ value }) => value
  )

/**
 * Makes documents that were accepted long ago and remain pending: the import ended while it waited.
 */
const pending = ({ age, run, sandbox, sending }: Shop, millis: number) =>
  Effect.gen(function* () {
    yield* sandbox.control.addFault({ kind: "items-missing" })
    yield* sending("sales", [], "INV-1 2026-03-02")
    age(millis)
    return yield* run("list", ...config)
  })

/** Imports documents, then lets the gateway list the given days. */
const daysAs = (
  { importing, run, sandbox }: Shop,
  days: ReadonlyArray<{ readonly day: number; readonly isSuccess: boolean }>
) =>
  Effect.gen(function* () {
    yield* importing("sales", ...three)
    const Items = days.map(({ day, isSuccess }) => ({
      OpenedAt: `2026-02-0${day}T08:00:00`,
      ClosedAt: `2026-02-0${day}T20:00:00`,
      FiscalDayNumber: day,
      Summaries: [],
      Message: isSuccess ? "" : "RCPT030",
      IsSuccess: isSuccess
    }))
    const body = JSON.stringify({ Items, TotalItemCount: Items.length, Page: 1, PageSize: 20 })
    yield* sandbox.control.addFault({ kind: "answer", operations: ["zReports"], body })
    const [first] = Items
    const one = { ...first, DateOpenedAt: first?.OpenedAt }
    yield* sandbox.control.addFault({ kind: "answer", operations: ["zReport"], body: JSON.stringify(one) })
    return yield* run("resume", ...config)
  })

const whileFailing =
  (fault: Parameters<Shop["sandbox"]["control"]["addFault"]>[0]) =>
  ({ importing, sandbox }: Shop) =>
    Effect.andThen(sandbox.control.addFault(fault), importing("sales", ...three))

const withoutFaults = ({ sandbox }: Shop) => sandbox.control.clearFaults

/**
 * Moves to the next try that the item states; an operator at a terminal does not wait for that
 * time.
 */
const laterWithoutFaults = (shop: Shop) => Effect.tap(withoutFaults(shop), () => Effect.sync(() => shop.age(hour)))

/** All faults, each with the code that must be listed. */
export const scenarios: ReadonlyArray<FaultScenario> = [
  { name: "a request is cut before the gateway has it", listed: "UNKNOWN", happens: whileFailing(cut) },
  {
    name: "a request is cut after the gateway has it",
    listed: "UNKNOWN",
    happens: whileFailing({ ...cut, stage: "after" })
  },
  {
    name: "one document is rejected",
    listed: "FAILED_AT_GATEWAY",
    happens: whileFailing({ kind: "reject", times: 1, documents: ["INV-2"] })
  },
  {
    name: "all documents are rejected",
    listed: "FAILED_AT_GATEWAY",
    happens: whileFailing({ kind: "reject" }),
    // they are sent again once the cause is removed
    mend: withoutFaults
  },
  {
    name: "one document is declined",
    listed: "FAILED_AT_GATEWAY",
    happens: whileFailing({ kind: "error", status: 400, times: 1, ...submits })
  },
  {
    name: "one document is late",
    listed: "HELD",
    happens: ({ importing }) =>
      Effect.andThen(importing("first", "INV-8 2026-03-08"), importing("late", "INV-1 2026-03-02"))
  },
  {
    name: "three documents are late",
    listed: "HELD",
    happens: ({ importing }) => Effect.andThen(importing("first", "INV-8 2026-03-08"), importing("late", ...three))
  },
  {
    name: "the day is closed before documents are sent",
    listed: "HELD",
    happens: ({ age, importing, run, sandbox }) =>
      Effect.gen(function* () {
        yield* importing("first", "INV-8 2026-02-08")
        yield* sandbox.control.addFault({ kind: "error", status: 429, ...submits })
        yield* importing("sales", ...three)
        yield* sandbox.control.clearFaults
        yield* sandbox.control.closeDay()
        age(hour)
        return yield* run("resume", ...config)
      })
  },
  {
    name: "a credit note waits for a rejected original",
    listed: "HELD",
    happens: ({ age, importing, run, sandbox }) =>
      Effect.gen(function* () {
        yield* sandbox.control.addFault({ kind: "reject", documents: ["INV-1"] })
        yield* importing("sales", "INV-1 2026-03-02", "credit CN-1 2026-03-03 INV-1")
        // the note waits through the quiet period of the original, and is held after it
        age(hour)
        return yield* run("resume", ...config)
      }),
    mayStay: "connector resume",
    mend: withoutFaults
  },
  {
    name: "the key is refused when the account is opened",
    listed: "ACCOUNT_STOPPED",
    happens: ({ importing, run, sandbox }) =>
      Effect.gen(function* () {
        yield* sandbox.control.addFault({ kind: "error", status: 503, ...submits })
        yield* importing("sales", ...three)
        yield* sandbox.control.clearFaults
        yield* sandbox.control.addFault({ kind: "error", status: 401 })
        return yield* run("resume", ...config)
      }),
    mend: withoutFaults
  },
  {
    name: "the key is refused half-way",
    listed: "STOPPED",
    happens: whileFailing({ kind: "error", status: 401, skip: 1, ...submits }),
    mend: laterWithoutFaults
  },
  {
    name: "the gateway takes no more requests for now",
    listed: "STOPPED",
    happens: whileFailing({ kind: "error", status: 429, ...submits }),
    mend: laterWithoutFaults
  },
  {
    name: "the device is switched off",
    listed: "STOPPED",
    happens: ({ importing, run, sandbox }) =>
      Effect.gen(function* () {
        yield* sandbox.control.addFault({ kind: "error", status: 401, ...submits })
        yield* importing("sales", ...three)
        yield* sandbox.control.clearFaults
        yield* sandbox.control.changeDevice({ isSwitchedOn: false })
        return yield* run("resume", ...config)
      }),
    mend: ({ sandbox }) => sandbox.control.changeDevice({ isSwitchedOn: true })
  },
  {
    name: "the device is live, and no command says so",
    listed: "ACCOUNT_STOPPED",
    device: { isLive: true },
    happens: ({ importing }) => importing("sales", ...three)
  },
  {
    name: "a live device has become known, and a resume does not say so",
    listed: "ACCOUNT_STOPPED",
    device: { isLive: true },
    happens: ({ run, sandbox, sending }) =>
      Effect.gen(function* () {
        const asked = yield* sending("sales", ["--live"], ...three)
        const [, code = ""] = /--first-use ([A-Z0-9-]+)/.exec(asked.out + asked.err) ?? []
        yield* sandbox.control.addFault({ kind: "error", status: 503, ...submits })
        yield* sending("sales", ["--live", "--first-use", code], ...three)
        yield* sandbox.control.clearFaults
        return yield* run("resume", ...config)
      })
  },
  {
    name: "the device was replaced",
    listed: "STOPPED",
    happens: ({ importing, run, sandbox }) =>
      Effect.gen(function* () {
        yield* sandbox.control.addFault({ kind: "error", status: 429, ...submits })
        yield* importing("sales", ...three)
        yield* sandbox.control.clearFaults
        yield* sandbox.control.changeAccount({ account: "account-1", device: 3003 })
        return yield* run("resume", ...config)
      })
  },
  {
    name: "the store is an older copy",
    listed: "STOPPED",
    mend: (shop, action) => (action.includes("resume") ? newestBack(shop) : Effect.void),
    happens: (shop) => Effect.andThen(goBack(shop), shop.importing("third", "INV-3 2026-03-04"))
  },
  {
    name: "a document is changed after it was fiscalised",
    listed: "CONFLICT",
    happens: ({ importing }) =>
      Effect.andThen(importing("sales", ...three), importing("sales", "INV-1 2026-03-02 11.00"))
  },
  {
    name: "five documents are changed after they were fiscalised",
    listed: "CONFLICT",
    happens: ({ importing }) => {
      const five = [1, 2, 3, 4, 5].map((n) => `INV-${n} 2026-03-0${n}`)
      return Effect.andThen(importing("sales", ...five), importing("sales", ...five.map((one) => `${one} 11.00`)))
    }
  },
  {
    name: "a document is cancelled after it was fiscalised",
    listed: "CONFLICT",
    happens: ({ importing }) =>
      Effect.andThen(importing("sales", ...three), importing("sales", "INV-1 2026-03-02 10.00 Void"))
  },
  {
    name: "a credit note prepared here is rejected",
    listed: "CONFLICT",
    // the rejected note is a separate item
    mayStay: "connector resolve INV-1",
    happens: (shop) =>
      Effect.gen(function* () {
        yield* shop.sandbox.control.addFault({ kind: "reject", documents: ["INV-1-C1"], times: 1 })
        return yield* credited(shop)
      })
  },
  {
    name: "a credit note prepared here is refused, because the gateway knows another credit",
    listed: "FAILED_AT_GATEWAY",
    // the invoice, or the rejected note, is a separate item
    mayStay: "connector resolve INV-1",
    happens: (shop) =>
      Effect.gen(function* () {
        const error = "RCPT035: more than the original"
        yield* shop.sandbox.control.addFault({ kind: "reject", error, documents: ["INV-1-C1"], times: 1 })
        return yield* credited(shop)
      })
  },
  {
    name: "a late document is cancelled before it is sent",
    listed: "CONFLICT",
    happens: ({ importing }) =>
      Effect.gen(function* () {
        yield* importing("first", "INV-8 2026-03-08")
        yield* importing("late", "INV-1 2026-03-02")
        return yield* importing("late", "INV-1 2026-03-02 10.00 Void")
      })
  },
  {
    name: "the source brings a note after a credit note was prepared here",
    listed: "HELD",
    // the invoice is credited in full already
    mayStay: "connector resolve CN-1 --config account.json --resend",
    happens: (shop) => Effect.andThen(credited(shop), shop.importing("notes", "credit CN-1 2026-03-05 INV-1"))
  },
  {
    name: "an invoice has two receipts",
    listed: "CONFLICT",
    happens: ({ cwd, importing, run, sandbox }) =>
      Effect.gen(function* () {
        yield* sandbox.control.addFault({ kind: "drop", stage: "after", times: 1, ...submits })
        yield* importing("sales", ...three)
        const because = ["--although-recent", "--because", "the portal does not show it"]
        yield* run("resolve", "INV-1", "--not-processed", ...because, ...config)
        yield* run("resume", ...config)
        const receipts = yield* sandbox.control.receipts
        yield* proveFirst(
          cwd,
          "INV-1",
          receipts.find(({ documentNumber }) => documentNumber === "INV-1")!
        )
        return yield* run("health", ...config)
      })
  },
  {
    name: "an import is killed after it was accepted",
    listed: "IMPORT_WAITS",
    happens: (shop) => killed(shop, "accepted", ...three)
  },
  {
    name: "an import is killed before it was accepted",
    listed: "IMPORT_NOT_ACCEPTED",
    happens: (shop) => Effect.tap(killed(shop, "kept", ...three), () => Effect.sync(() => shop.age(hour)))
  },
  {
    name: "an import could not be planned as a whole",
    listed: "IMPORT_INCOMPLETE",
    happens: (shop) =>
      Effect.gen(function* () {
        yield* killed(shop, "accepted", ...three)
        yield* takeNumber(join(shop.cwd, "fiscal-connector.db"), "INV-2")
        return yield* shop.run("resume", ...config)
      })
  },
  {
    name: "documents are planned, and no process works",
    listed: "NOT_WORKED",
    happens: (shop) => Effect.tap(killed(shop, "handedOver", ...three), () => Effect.sync(() => shop.age(hour)))
  },
  {
    name: "an outcome has been pending for more than a day",
    listed: "STUCK",
    happens: (shop) => pending(shop, 30 * hour),
    mend: withoutFaults
  },
  {
    name: "an outcome can soon not be asked for",
    listed: "HORIZON_NEAR",
    happens: (shop) => pending(shop, 6 * 24 * hour),
    mend: withoutFaults
  },
  {
    name: "an outcome can no longer be asked for",
    listed: "EXPIRED",
    happens: ({ age, run, sandbox, sending }) =>
      Effect.gen(function* () {
        yield* sandbox.control.addFault({ kind: "items-missing" })
        yield* sending("sales", [], "INV-1 2026-03-02")
        age(8 * 24 * hour)
        return yield* run("resume", ...config)
      })
  },
  {
    name: "an operator gave a wrong request id",
    listed: "UNANSWERED",
    mayStay: "connector resume",
    happens: (shop) =>
      Effect.gen(function* () {
        yield* shop.sandbox.control.addFault({ ...cut, stage: "after" })
        yield* shop.sending("sales", [], "INV-1 2026-03-02")
        yield* shop.run("resolve", "INV-1", "--accepted", "wrong-1", "--because", "as the portal has it", ...config)
        shop.age(2 * hour)
        return yield* shop.run("list", ...config)
      })
  },
  {
    name: "a fiscal day cannot be closed",
    listed: "DAY_FAILED",
    happens: (shop) =>
      daysAs(shop, [
        { day: 2, isSuccess: false },
        { day: 1, isSuccess: true }
      ])
  },
  {
    name: "a fiscal day has no report",
    listed: "DAY_MISSING",
    happens: (shop) =>
      daysAs(shop, [
        { day: 3, isSuccess: true },
        { day: 1, isSuccess: true }
      ])
  },
  {
    name: "a document was withdrawn and is a receipt all the same",
    listed: "DAY_DIFFERS",
    happens: ({ importing, run, sandbox, working }) =>
      Effect.gen(function* () {
        yield* importing("sales", "INV-1 2026-03-02")
        yield* sandbox.control.addFault({ ...cut, stage: "after" })
        yield* importing("more", "INV-2 2026-03-03")
        yield* run("withdraw", "INV-2", "--although-recent", "--because", "not in the portal", ...config)
        yield* sandbox.control.closeDay()
        return yield* working("DAY_DIFFERS")
      })
  },
  {
    name: "the gateway does not state the taxes, and an operator accepts it",
    listed: "SENT_UNCHECKED",
    happens: ({ accounts, importing, run, sandbox }) =>
      Effect.gen(function* () {
        yield* sandbox.control.changeDevice({ taxes: [] })
        const which = accounts === 2 ? ["--account", "main"] : []
        yield* importing("sales", ...three)
        yield* run("account", "accept-unknown", "taxes", ...config, ...which, "--because", "the portal shows them")
        return yield* run("list", ...config)
      })
  }
]
