import { ConfigVariables } from "@fiscal-connector/core/host/account"
import { nameOf } from "@fiscal-connector/sandbox/AccountConfig"
import type * as SandboxConfig from "@fiscal-connector/sandbox/SandboxConfig"
import { Console, Effect, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { kinds } from "../format/Formats.ts"
import * as SandboxAccount from "../account/SandboxAccount.ts"
import * as BookOfExport from "../import/BookOfExport.ts"
import { exported, shellText } from "../output/Call.ts"
import * as Output from "../output/Output.ts"
import * as SandboxEvent from "./SandboxEvent.ts"
import * as SandboxSource from "./sync/SandboxSource.ts"
import { notDone } from "../output/ExitError.ts"
import { describedCommand, optional, optionalText } from "../output/Flags.ts"

export const sandbox = describedCommand(
  "sandbox",
  "Run a gateway simulator on this machine",
  {
    port: optional(Flag.Int("port"), "the port on the loopback interface; default 4010; 0 uses a free port"),
    state: optional(
      Flag.Path("state"),
      "the file that stores mappings, submissions, receipts and Z-reports between runs"
    ),
    book: optional(
      Flag.File("book", { mustExist: true }),
      "set up from this mapping book, as --sandbox of an import does"
    ),
    sources: optional(
      Flag.File("sources", { mustExist: true }),
      `an accounting system beside it for connector sync, with the documents of this JSON: ${kinds.map(({ name }) => name).join(", ")}`
    ),
    kind: optionalText(
      "kind",
      "the kind of --sources, as in a configuration: ./erp.mjs; default: by the lists in the file"
    ),
    config: optional(
      Flag.File("config", { mustExist: true }),
      "all settings as JSON with comments: accounts, devices, faults, clock (connector docs sandbox)"
    )
  },
  Effect.fnUntraced(function* ({ book, config, kind, port, sources, state }) {
    if (Option.isSome(kind) && Option.isNone(sources))
      return yield* notDone("--kind is the kind of --sources: name the file with the documents.")
    // loaded only when a sandbox is started, which saves every other command 0.15 s
    const Sandbox = yield* Effect.promise(() => import("@fiscal-connector/sandbox/Sandbox"))
    const SandboxFile = yield* Effect.promise(() => import("../account/SandboxFile.ts"))
    const ofFile: SandboxConfig.Input = Option.isNone(config) ? {} : yield* SandboxFile.load(config.value)
    const ofBook = Option.isNone(book)
      ? undefined
      : yield* SandboxAccount.configuration(yield* BookOfExport.load(book.value))
    if (ofBook !== undefined && (ofFile.accounts !== undefined || ofFile.devices !== undefined)) {
      return yield* notDone(
        "The book sets up an account and a device, and the configuration names its own: leave one of them out."
      )
    }
    const {
      config: running,
      url,
      watch
    } = yield* Sandbox.make({
      ...(ofBook ?? SandboxAccount.standard),
      port: 4010,
      ...ofFile,
      ...(Option.isSome(port) && { port: port.value }),
      ...(Option.isSome(state) && { stateFile: state.value })
    }).pipe(Effect.mapError(({ message }) => notDone(message)))
    const live = Option.isNone(sources) ? undefined : yield* SandboxSource.start(sources.value, kind)
    yield* Output.answer(
      "listening",
      { addresses: [url, ...(live === undefined ? [] : [live.url])] },
      `${howToReach(url, running)}${live === undefined ? "" : `\n\n${SandboxSource.howToReach(live, running.accounts.map(nameOf)[0]!)}`}`
    )
    const console = yield* Console.Console
    const { form, write } = yield* Output.Output
    const run = Effect.runSyncWith(yield* Effect.context<never>())
    yield* watch((observed) =>
      form === "json"
        ? run(write(Output.envelopeText("sandbox-event", observed)))
        : console.log(SandboxEvent.describe(observed))
    )
    return yield* Effect.never
  }, Effect.scoped)
)

const howToReach = (url: string, { accounts, stateFile }: SandboxConfig.SandboxConfig): string => {
  const names = accounts.map(nameOf)
  const entries = accounts.map(({ application, station }, i) => {
    // the sandbox is fast: the first look need not wait for the default six seconds
    const assumptions = { "STAT-7": 1 }
    const settings = { baseUrl: url, application: application ?? "any", station: station ?? "any", assumptions }
    return `    ${JSON.stringify(names[i])}: ${JSON.stringify(settings)}`
  })
  const lines = accounts.flatMap(({ key, secret }, i) => {
    const first = Redacted.isRedacted(secret) || secret === undefined ? secret : secret[0]
    const set = (setting: "apiKey" | "secret", value: Redacted.Redacted<string>) =>
      exported(ConfigVariables.variable(names[i]!, setting), Redacted.value(value))
    return [set("apiKey", key), ...(first === undefined ? [] : [set("secret", first)])]
  })
  const which = names.length === 1 ? [] : ["--account", names[0]!]
  const kept = stateFile === undefined ? "nothing is kept" : `its state is kept in ${stateFile}`
  return `The sandbox gateway listens at ${url}. Ctrl-C stops it; ${kept}.

A configuration for it, to copy into sandbox.json:

{
  "accounts": {
${entries.join(",\n")}
  }
}

Its credentials, which go into the environment of the other terminal:

${lines.join("\n")}

Then:

${shellText(["gateway", "profile", "--config", "sandbox.json", ...which])}

Operations and controls  ${url}/docs
What it was sent         curl ${url}/_control/accepted
A fault                  curl ${url}/_control/faults --json '{"kind": "drop", "stage": "after", "times": 1}'`
}
