/** The whole command line. Each command is loaded only when it is called. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { summaries } from "./CommandSummaries.ts"
import * as FormatWord from "./command/start/FormatWord.ts"
import * as AdapterModule from "./adapter/AdapterModule.ts"
import type { Format } from "./adapter/Format.ts"
import { formats, names, type FormatRow } from "./format/Formats.ts"
import { shellText, plainFlags, quoted } from "./output/Call.ts"
import * as Help from "./output/Help.ts"
import * as Output from "./output/Output.ts"
import { notDone } from "./output/ExitError.ts"
import { version } from "./Version.ts"

type Loads<C> = Readonly<Record<string, () => Promise<C>>>

type LoadedCommand<L extends Loads<unknown>> = Awaited<ReturnType<L[keyof L]>>

/**
 * Without a known name all commands are loaded, so that help, completions and the report of a
 * mistyped name can list them.
 */
const called = async <C>(commands: Loads<C>, args: ReadonlyArray<string>): Promise<ReadonlyArray<C>> => {
  const named = args.some((arg) => arg.startsWith("--completions")) ? undefined : args[0]
  const loads = named !== undefined && Object.hasOwn(commands, named) ? [commands[named]!] : Object.values(commands)
  return Promise.all(loads.map((load) => load()))
}

const formatOf = async (row: FormatRow) => (await import("./adapter/Format.ts")).of(row)

interface CommandGroup<Input, E, R> {
  readonly rows: ReadonlyArray<FormatRow>
  readonly args: ReadonlyArray<string>
  load(row: FormatRow): Promise<Command.Command<string, Input, object, E, R>>
  summary(row: FormatRow): string
}

const group = async <Input, E, R>(
  name: string,
  description: string,
  { args, load, rows, summary }: CommandGroup<Input, E, R>
) => {
  const loads = rows.map(
    (row) => [row.name, async () => Command.withDescription(await load(row), summary(row))] as const
  )
  return Command.make(name).pipe(
    Command.withDescription(description),
    Command.withSubcommands(
      isOverview(args)
        ? summarized(rows.map((row) => [row.name, summary(row)]))
        : await called(Object.fromEntries(loads), args)
    )
  )
}

const commandsOf = (args: ReadonlyArray<string>, own: Format | undefined) => {
  // completions list the flags of every format
  const after = args[0]?.startsWith("-") ? args : args.slice(1)
  const importing = async (mode: "import" | "plan", description: string, summary: (exports: string) => string) => {
    const loading = () => import("./command/import/ImportCommand.ts")
    if (own !== undefined)
      return Command.withDescription((await loading()).command(mode, own, mode), summary(own.exports))
    return group(mode, description, {
      rows: formats,
      args: after,
      load: async (row) => (await loading()).command(mode, await formatOf(row)),
      summary: ({ exports }) => summary(exports)
    })
  }
  return {
    start: async () => (await import("./command/start/StartCommand.ts")).start,
    init: async () => (await import("./command/InitCommand.ts")).init,
    import: () =>
      importing(
        "import",
        "Send the documents of an export, each once",
        (exports) => `Fiscalise the invoices and credit notes of ${exports}`
      ),
    plan: () =>
      importing(
        "plan",
        "Show what an import would send, hold and refuse; send nothing",
        (exports) => `Read, translate and check ${exports}, up to the exact request bodies; send nothing`
      ),
    columns: () =>
      group("columns", "Propose the meaning of each column of an export", {
        rows: formats.filter(({ columns }) => columns !== undefined),
        args: after,
        load: async (row) => (await import("./command/ColumnsCommand.ts")).command(row, await formatOf(row)),
        summary: ({ columns }) => `Propose a column map for ${columns?.of}, with its evidence, to be reviewed`
      }),
    source: async () => (await import("./command/sync/SourceCommand.ts")).source,
    sync: async () => (await import("./command/sync/SyncCommand.ts")).sync,
    resume: async () => (await import("./command/store/ResumeCommand.ts")).resume,
    list: async () => (await import("./command/store/ListCommand.ts")).list,
    explain: async () => (await import("./command/store/ExplainCommand.ts")).explain,
    imports: async () => (await import("./command/store/ImportsCommand.ts")).imports,
    forget: async () => (await import("./command/store/ForgetCommand.ts")).forget,
    resolve: async () => (await import("./command/store/ResolveCommand.ts")).resolve,
    withdraw: async () => (await import("./command/store/ResolveCommand.ts")).withdraw,
    originals: async () => (await import("./command/OriginalsCommand.ts")).originalsWith(own),
    credit: async () => (await import("./command/store/CreditCommand.ts")).credit,
    pdf: async () => (await import("./command/store/PdfCommand.ts")).pdf,
    audit: async () => (await import("./command/AuditCommand.ts")).audit,
    health: async () => (await import("./command/store/HealthCommand.ts")).health,
    store: async () => (await import("./command/store/StoreCommand.ts")).store,
    book: async () =>
      (await import("./command/BookCommand.ts")).bookWith(
        await (await import("./command/BookDraftCommand.ts")).bookDraft(own)
      ),
    adapter: async () => (await import("./command/AdapterCommand.ts")).adapterWith(own),
    mappings: async () => (await import("./command/MappingsCommand.ts")).mappings,
    doctor: async () => (await import("./command/DoctorCommand.ts")).doctor,
    "support-bundle": async () => (await import("./command/SupportBundleCommand.ts")).supportBundleOf(version),
    reconcile: async () => {
      const { ofFormat, reconcileWith } = await import("./command/import/ReconcileCommand.ts")
      if (own !== undefined) return reconcileWith([ofFormat(own, version)], version)
      const loads = formats.map((row) => [row.name, async () => ofFormat(await formatOf(row), version)] as const)
      return reconcileWith(names.has(after[0] ?? "") ? await called(Object.fromEntries(loads), after) : [], version)
    },
    "z-reports": async () => (await import("./command/ZReportsCommand.ts")).zReports,
    device: async () => (await import("./command/DeviceCommand.ts")).device,
    why: async () => (await import("./command/WhyCommand.ts")).why,
    docs: async () => (await import("./command/DocsCommand.ts")).docs,
    gateway: async () => (await import("./command/gateway/GatewayCommand.ts")).gateway,
    account: async () => (await import("./command/AccountCommand.ts")).account,
    config: async () => (await import("./command/ConfigCommand.ts")).config,
    assumptions: async () => (await import("./command/AssumptionsCommand.ts")).assumptions,
    work: async () => (await import("./command/WorkCommand.ts")).work,
    serve: async () => (await import("./command/ServeCommand.ts")).serve,
    ui: async () => (await import("./command/UiCommand.ts")).ui,
    webhook: async () => (await import("./command/WebhookCommand.ts")).webhook,
    sandbox: async () => (await import("./command/SandboxCommand.ts")).sandbox
  }
}

const ownAdapter = Effect.fnUntraced(function* (named: string) {
  const Format = yield* Effect.promise(() => import("./adapter/Format.ts"))
  const { importFlags } = yield* Effect.promise(() => import("./command/import/ImportFlags.ts"))
  const { draftFlags } = yield* Effect.promise(() => import("./command/BookDraftCommand.ts"))
  return yield* Format.own(yield* AdapterModule.load(named), [importFlags, draftFlags])
})

const isOverview = (args: ReadonlyArray<string>): boolean => args.every((arg) => arg === "--help" || arg === "-h")

/** Loading all commands is half the cost of the overview. */
const summarized = (entries: ReadonlyArray<readonly [name: string, summary: string]>) =>
  entries.map(([name, summary]) => Command.make(name).pipe(Command.withDescription(summary)))

export const connectorFor = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const named = AdapterModule.namedIn(args)
  const commands = commandsOf(args, named === undefined ? undefined : yield* ownAdapter(named))
  const program = Command.make("connector").pipe(
    Command.withDescription(
      "Send invoices and credit notes to a fiscal invoicing gateway, each exactly once, and keep the proof"
    ),
    Command.withGlobalFlags([Output.json, Output.quiet, Output.verbose])
  )
  if (isOverview(args)) return program.pipe(Command.withSubcommands(summarized(Object.entries(summaries))))
  const subcommands = yield* Effect.promise(() => called<LoadedCommand<typeof commands>>(commands, args))
  return program.pipe(Command.withSubcommands(subcommands))
})

/**
 * A shell produces an empty argument from an unset variable, and each command would report the
 * mistake differently.
 */
const nothingEmpty = (given: ReadonlyArray<string>) => {
  const at = given.findIndex((arg) => arg === "" || /^--[^=]+=$/.test(arg))
  if (at === -1) return Effect.void
  const before = given[at] === "" ? given[at - 1] : given[at]
  const place = before === undefined ? "The first argument" : `What follows ${quoted(before)}`
  return Effect.fail(
    notDone(`${place} is empty: is a variable of the shell not set? Nothing was done.\n  ${shellText(["--help"])}`)
  )
}

/** Of `-x.csv` the parser would read each letter as a flag, and `v` asks for the version. */
const noWordAsFlags = (given: ReadonlyArray<string>) => {
  const end = given.indexOf("--")
  const before = end === -1 ? given : given.slice(0, end)
  const at = before.findIndex((arg) => /^-[^-\d][^=]/.test(arg))
  if (at === -1) return Effect.void
  const [word, flag = ""] = [before[at]!, before[at - 1]]
  const isValue = /^--[^=]+$/.test(flag) && !plainFlags.has(flag)
  const text = isValue
    ? `What follows ${flag} begins with a hyphen and would be read as flags: write ${quoted(`${flag}=${word}`)}`
    : `${quoted(word)} is not an option. A file whose name begins with a hyphen is named by its folder, too: ${quoted(`./${word}`)}`
  return Effect.fail(notDone(`${text}\n  ${shellText(["--help"])}`))
}

/** `-v` alone means the version, but many programs use it for more output. */
const noShortVersion = (given: ReadonlyArray<string>) => {
  const end = given.indexOf("--")
  const before = end === -1 ? given : given.slice(0, end)
  if (given.length === 1 || !before.includes("-v")) return Effect.void
  return Effect.fail(
    notDone("-v can mean two things: --verbose says what is done, --version which version this is. Nothing was done.")
  )
}

const notBoth = (given: ReadonlyArray<string>) =>
  Output.verbosityOf(given) === "contradictory"
    ? Effect.fail(notDone("--quiet says less and --verbose says more: one of them."))
    : Effect.void

export const run = Effect.fnUntraced(function* (given: ReadonlyArray<string>, named: string) {
  yield* nothingEmpty(given)
  yield* noWordAsFlags(given)
  yield* noShortVersion(given)
  yield* notBoth(given)
  const asked = Help.asFlags(given)
  const args = yield* FormatWord.found(asked)
  const connector = yield* connectorFor(args)
  yield* Command.runWith(connector, { version: named })(
    yield* Help.understood(connector, args === asked ? given : args)
  )
})
