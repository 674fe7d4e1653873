/**
 * Key and secret are typed hidden and written to files for their owner alone, so that neither
 * appears in the history of a shell.
 */
import { GatewayConfig } from "@fiscal-connector/core/gateway"
import { BookFile } from "@fiscal-connector/core/book"
import { TextFile } from "@fiscal-connector/core/host"
import { Console, Effect, FileSystem, Option, Path, Redacted, Schema } from "effect"
import { Flag, Prompt } from "effect/cli"
import * as RunEffect from "../../account/RunEffect.ts"
import { placeholders, quoted } from "../../output/Call.ts"
import { StandardStreams } from "../../output/StandardStreams.ts"
import { ExitError } from "../../output/ExitError.ts"
import { systemText } from "../../output/SystemText.ts"

interface InitQuestion {
  readonly flag: string
  readonly label: string
  readonly need: "needed" | "optional"
}

const questions = {
  baseUrl: { flag: "base-url", label: "the gateway's address", need: "needed" },
  application: { flag: "application", label: "the application (X-Application)", need: "needed" },
  station: { flag: "station", label: "the station (X-App-Station), one per till", need: "needed" },
  keyFile: { flag: "key-file", label: "a file that contains only the key", need: "needed" },
  secretFile: {
    flag: "secret-file",

    label: "a file that contains only the secret; leave out if requests are not signed",
    need: "optional"
  },
  zone: { flag: "zone", label: "the business time zone, for example +02:00 or Africa/Harare", need: "needed" }
} as const satisfies Readonly<Record<string, InitQuestion>>

type Name = keyof typeof questions

const names = Object.keys(questions) as ReadonlyArray<Name>

const flagOf = (name: Name) => {
  const { flag, label } = questions[name]
  return Flag.String(flag).pipe(Flag.withDescription(label), Flag.optional)
}

export const answerFlags = {
  baseUrl: flagOf("baseUrl"),
  application: flagOf("application"),
  station: flagOf("station"),
  keyFile: flagOf("keyFile"),
  secretFile: flagOf("secretFile"),
  zone: flagOf("zone")
}

export interface BesideConfig {
  readonly account: string
  readonly folder: string
}

export type Answers = Readonly<Record<Name, string>>

const isHeader = Schema.is(GatewayConfig.GatewaySettings.fields.application)
const isAddress = Schema.is(GatewayConfig.GatewaySettings.fields.baseUrl)

export const sayings: Readonly<Record<Name, string>> = Object.fromEntries(
  names.map((name) => [name, questions[name].label[0]!.toUpperCase() + questions[name].label.slice(1)])
) as Record<Name, string>

export const problemOf = (
  name: Name,
  text: string
): Effect.Effect<string | undefined, never, FileSystem.FileSystem> => {
  if (text === "") return Effect.succeed(questions[name].need === "needed" ? "is needed" : undefined)
  switch (name) {
    case "baseUrl":
      return Effect.succeed(
        isAddress(text)
          ? undefined
          : "is not an address such as https://gateway.example/api, without a user name, ? and #"
      )
    case "zone":
      return Effect.succeed(
        Option.isSome(BookFile.parseZone(text)) ? undefined : "is not a zone such as +02:00 or Africa/Harare"
      )
    case "keyFile":
    case "secretFile":
      // an unreadable key or secret file is reported before anything is written
      return Effect.match(TextFile.read(text), {
        onFailure: (error) => `cannot be read: ${systemText(error).replace(/^There/, "there")}`,
        onSuccess: () => undefined
      })
    default:
      return Effect.succeed(isHeader(text) ? undefined : "is not 1 to 200 letters, figures and signs of ASCII")
  }
}

const typed = {
  keyFile: "The key (typing is not shown)",
  secretFile: "The secret (typing is not shown; nothing where requests are not signed)"
} as const

const ending = { keyFile: "key", secretFile: "secret" } as const

type SecretName = keyof typeof typed

const isSecretName = (name: Name): name is SecretName => Object.hasOwn(typed, name)

const fileOf = (name: SecretName, { account, folder }: BesideConfig) =>
  Effect.map(Path.Path, (path) => path.join(folder, `${account.replaceAll(/[^\w.-]/g, "_")}.${ending[name]}`))

/** File mode 0600. Returns the file name, or an empty text if no secret was given. */
const askSecret = Effect.fnUntraced(function* (name: SecretName, beside: BesideConfig) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fileOf(name, beside)
  if (yield* fs.exists(file)) {
    yield* Console.log(`${file} was there; it is used as it is.`)
    return file
  }
  const given = yield* Prompt.run(
    Prompt.Hidden({
      message: typed[name],
      validate: (text) =>
        text.trim() === "" && questions[name].need === "needed"
          ? Effect.fail("this is needed")
          : Effect.succeed(text.trim())
    })
  )
  const text = Redacted.value(given)
  if (text === "") return ""
  yield* fs.writeFileString(file, `${text}\n`, { flag: "wx", mode: 0o600 })
  yield* RunEffect.changed
  yield* Console.log(`${file} written; only you may read it.`)
  return file
})

const ask = (name: Name) =>
  Effect.gen(function* () {
    const { label }: InitQuestion = questions[name]
    const files = yield* Effect.context<FileSystem.FileSystem>()
    return yield* Prompt.run(
      Prompt.String({
        message: label[0]!.toUpperCase() + label.slice(1),
        validate: (typed) => {
          const text = typed.trim()
          const looked = Effect.provideContext(problemOf(name, text), files)
          return Effect.flatMap(looked, (problem) =>
            problem === undefined ? Effect.succeed(text) : Effect.fail(`this ${problem}`)
          )
        }
      })
    )
  })

/**
 * Fails with ExitError if an answer is missing and no terminal is available, or if a flag's value
 * is invalid.
 */
export const answersOf = Effect.fnUntraced(
  function* (given: Readonly<Record<Name, Option.Option<string>>>, beside: BesideConfig) {
    const { inputIsTerminal, output } = yield* StandardStreams
    const isAsked = inputIsTerminal && output.isTerminal
    const missing = names.filter((name) => Option.isNone(given[name]) && questions[name].need === "needed")
    if (missing.length > 0 && !isAsked) {
      const flags = missing.map((name) => `--${questions[name].flag} ${placeholders[questions[name].flag]}`)
      const text = `Nothing was written. Say ${flags.join(", ")}; on a terminal all of it is asked for.`
      return yield* new ExitError({ code: 1, text })
    }
    for (const name of names) {
      const text = Option.getOrUndefined(given[name])
      const problem = text === undefined ? undefined : yield* problemOf(name, text.trim())
      if (problem !== undefined) {
        const mistake = `--${questions[name].flag} ${quoted(text ?? "")} ${problem.replace(/\.$/, "")}`
        return yield* new ExitError({ code: 1, text: `Nothing was written: ${mistake}.` })
      }
    }
    const answers: Record<string, string> = {}
    // secrets last: each is written to a file, and Ctrl-C at an earlier question must leave nothing
    // behind
    for (const name of names.toSorted((a, b) => Number(isSecretName(a)) - Number(isSecretName(b)))) {
      // optional answers are asked for only if required ones are missing
      const answer = given[name]
      answers[name] = Option.isSome(answer)
        ? answer.value.trim()
        : missing.length === 0
          ? ""
          : yield* isSecretName(name) ? askSecret(name, beside) : ask(name)
    }
    return answers as Answers
  },
  Effect.tapErrorTag("QuitError", () => Console.error("Nothing was written."))
)

export const configText = (
  account: string,
  { application, baseUrl, keyFile, secretFile, station }: Omit<Answers, "zone">,
  fromFolder: (file: string) => string
): string => {
  const entry = {
    baseUrl,
    application,
    station,
    keyFile: fromFolder(keyFile),
    ...(secretFile !== "" && { secretFile: fromFolder(secretFile) })
  }
  const config = { store: "./fiscal-connector.db", accounts: { [account]: entry } }
  return `// Every field: connector docs configuration\n${JSON.stringify(config, null, 2)}\n`
}
