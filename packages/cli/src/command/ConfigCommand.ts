import { type AccountConfig, ConfigFile } from "@fiscal-connector/core/session"
import { AccountFinding, ConfigSecret, type ConfigStore, ConfigSurroundings } from "@fiscal-connector/core/host/account"
import { HostProcess, WritableByOthers } from "@fiscal-connector/core/host"
import { BookFiles, BookFinding } from "@fiscal-connector/core/host/import"
import { systemText } from "../output/SystemText.ts"
import { Finding } from "@fiscal-connector/core/adapter"
import { AssumptionSwitches } from "@fiscal-connector/core/gateway"
import { StorePlace } from "@fiscal-connector/core/store"
import { Duration, Effect, FileSystem, Path } from "effect"
import { Flag } from "effect/cli"
import { commandGroup, describedCommand } from "../output/Flags.ts"
import * as Answer from "../output/Answer.ts"
import { problemList } from "../output/ProblemList.ts"
import { printable } from "../output/Terminal.ts"
import * as SourceOfConfig from "../account/SourceOfConfig.ts"
import { notDone } from "../output/ExitError.ts"
import { config as configFlag } from "../account/AccountFlags.ts"
import * as Output from "../output/Output.ts"

const check = describedCommand(
  "check",
  "Check everything that can stop an import, without network: accounts, keys and secrets, store, mapping book. Exit code 1 if an import would stop",
  {
    config: configFlag,
    book: Flag.Path("book").pipe(
      Flag.withDescription("a mapping book to check; default every *.book.json beside the configuration"),
      Flag.atLeast(0)
    )
  },
  Effect.fnUntraced(function* ({ book: named, config }) {
    const { env } = yield* HostProcess.HostProcess
    const { accounts, file, findings, sources, store, surroundings } = yield* ConfigFile.read(config, env).pipe(
      Effect.flatMap((read) =>
        Effect.map(Effect.all([ConfigSurroundings.look(read, env), SourceOfConfig.problems(read)]), (found) => ({
          ...read,
          surroundings: found.flat()
        }))
      ),
      Effect.catchTag("ConfigFileError", ({ file, findings }) =>
        Effect.succeed({ file, findings, accounts: [], sources: [], store: none, surroundings: [] })
      )
    )
    const books = yield* Effect.forEach(named.length === 0 ? yield* booksBeside(file) : named, (book) =>
      Effect.map(ofBook(book), (findings) => ({ book, findings }))
    )
    const all = [
      ...findings,
      ...accounts.flatMap(({ findings }) => findings),
      ...sources.flatMap(({ findings }) => findings),
      ...surroundings,
      ...books.flatMap(({ findings }) => findings)
    ]
    const isUsable = !all.some(Finding.refuses)
    yield* Output.answer(
      "configuration",
      {
        file,
        store: storeJson(store),
        accounts: accounts.map(accountJson),
        books: books.map(({ book }) => book),
        findings: all
      },
      [
        ...accounts.map((account) => `${accountText(account)}\n`),
        ...(isUsable
          ? [`${printable(file)} is in order. Submissions are kept in ${storeText(store)}.\n${booksText(books)}`]
          : []),
        ...(isUsable && all.length > 0 ? [`\nTo look at:\n\n${problemList(all)}`] : [])
      ].join("\n")
    )
    if (!isUsable) {
      const { form } = yield* Output.Output
      return yield* notDone(form === "json" ? "" : `An import with ${file} would stop:\n\n${problemList(all)}`)
    }
  })
)

const booksBeside = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.dirname(file)
  const names = yield* Effect.orElseSucceed(fs.readDirectory(folder), (): ReadonlyArray<string> => [])
  return names
    .filter((name) => name.endsWith(".book.json"))
    .toSorted()
    .map((name) => path.join(folder, name))
})

const ofBook = (file: string) =>
  BookFiles.open(file).pipe(
    Effect.andThen(WritableByOthers.among([file])),
    Effect.map((writable): ReadonlyArray<Finding.Finding> =>
      writable.map(({ text: message }) =>
        Finding.make(AccountFinding.AccountFinding.CONFIG_WRITABLE, { message, at: { file } })
      )
    ),
    Effect.catchTags({
      BookError: ({ findings }) => Effect.succeed(findings),
      PlatformError: (error) =>
        Effect.succeed([
          Finding.make(BookFinding.BookFinding.BOOK_UNREADABLE, { message: systemText(error), at: { file } })
        ])
    })
  )

const booksText = (books: ReadonlyArray<{ readonly book: string }>): string =>
  books.length === 0
    ? "No mapping book lies beside it; an import needs one, and --book names one to check."
    : `The mapping book${books.length === 1 ? "" : "s"} ${books.map(({ book }) => printable(book)).join(", ")} can be read.`

const none: ConfigStore.StoreReading = { place: null, password: null, findings: [] }

const storeText = ({ password, place }: ConfigStore.StoreReading): string => {
  if (place === null) return "no place that can be used"
  const text = StorePlace.describe(place)
  return place._tag === "Postgres"
    ? `PostgreSQL at ${text} (${password === null ? "no password" : `password from ${ConfigSecret.describe(password)}`})`
    : text
}

const storeJson = ({ password, place }: ConfigStore.StoreReading) =>
  place?._tag === "Postgres"
    ? { postgres: StorePlace.describe(place), password }
    : place === null
      ? null
      : StorePlace.describe(place)

const accountText = ({ config, name, secrets }: AccountConfig.AccountReading): string => {
  const { apiKey, formerSecrets, secret } = secrets
  const switched = Object.entries(config?.settled.assumptions ?? {}).filter(
    ([id, value]) => value !== AssumptionSwitches.defaults[id as keyof typeof AssumptionSwitches.defaults]
  )
  const title = `${printable(name)}${config === null ? ": cannot be used" : ""}`
  return `${title}\n${Answer.toText({
    ...(config && settingsOf(config)),
    key: originText(apiKey),
    secret: originText(secret),
    ...(formerSecrets.length > 0 && { formerSecrets: formerSecrets.map(originText).join(", ") }),
    ...(switched.length > 0 && { assumptions: switched.map(([id, value]) => `${id} = ${value}`).join(", ") })
  }).replace(/^/gm, "  ")}`
}

const settingsOf = ({ policy, settled }: NonNullable<AccountConfig.AccountReading["config"]>) => ({
  baseUrl: settled.baseUrl,
  application: settled.application,
  station: settled.station,
  version: settled.version,
  unknown: policy.unknown ?? "hold",
  credentials: policy.credentials ?? "shared",
  ...(policy.pace !== undefined && { pace: Duration.format(Duration.fromInputUnsafe(policy.pace)) }),
  ...(policy.notBefore !== undefined && { notBefore: policy.notBefore }),
  ...(policy.creditNumbers !== undefined && { creditNumbers: policy.creditNumbers })
})

const originText = (secret: ConfigSecret.ConfigSecret | null): string =>
  secret === null ? "none" : `from ${ConfigSecret.describe(secret.origin)}`

const accountJson = ({ config, name, secrets }: AccountConfig.AccountReading) => ({
  name,
  usable: config === null ? "no" : "yes",
  ...(config && { ...settingsOf(config), assumptions: config.settled.assumptions }),
  key: secrets.apiKey?.origin ?? null,
  secret: secrets.secret?.origin ?? null,
  formerSecrets: secrets.formerSecrets.map(({ origin }) => origin)
})

export const config = commandGroup("config", "Check the configuration file", [check])
