/** Key and secret are typed hidden, each kept in a separate file. */
import { EscapedText } from "@fiscal-connector/core/host"
import { Effect, FileSystem, Option, Path, Redacted } from "effect"
import { Prompt } from "effect/cli"
import * as RunEffect from "../../account/RunEffect.ts"
import * as Conversation from "../../import/Conversation.ts"
import { Call } from "../../output/Call.ts"
import { ExitError } from "../../output/ExitError.ts"
import { answerFlags, configText, problemOf, sayings } from "./InitAnswers.ts"

const { zone: _, ...asked } = answerFlags

export const flags = asked

type GatewaySettings = { readonly [Name in keyof typeof asked]: Option.Option<string> }

const answer = (name: "baseUrl" | "application" | "station") =>
  Effect.gen(function* () {
    for (;;) {
      const text = yield* Conversation.readAnswer(`${sayings[name]}:`)
      const problem = yield* problemOf(name, text)
      if (problem === undefined) return text
      yield* Conversation.readAnswer(`That ${problem}. Enter asks again:`)
    }
  })

const hidden = (what: string, file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const text = Redacted.value(yield* Prompt.run(Prompt.Password({ message: what }))).trim()
    if (text === "") return undefined
    yield* fs.writeFileString(file, text, { mode: 0o600 })
    return file
  })

/**
 * Writes the configuration. Fails with ExitError if an answer is missing and no terminal is
 * available.
 */
export const write = (target: string, given: GatewaySettings, isAsked: boolean) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const missing = (["baseUrl", "application", "station", "keyFile"] as const).filter((name) =>
      Option.isNone(given[name])
    )
    if (missing.length > 0 && !isAsked) {
      const text = `Nothing was written: say --sandbox for a gateway of our own, --config FILE for an account, or where the gateway is (${missing.map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`).join(", ")}).\n  ${(yield* Call).again("--sandbox")}`
      return yield* new ExitError({ code: 1, text })
    }
    for (const name of ["baseUrl", "application", "station", "keyFile", "secretFile"] as const) {
      const text = Option.getOrUndefined(given[name])
      const problem = text === undefined ? undefined : yield* problemOf(name, text)
      if (problem !== undefined)
        return yield* new ExitError({ code: 1, text: `Nothing was written: ${sayings[name]} ${problem}.` })
    }
    const of = (name: "baseUrl" | "application" | "station") =>
      Option.match(given[name], { onNone: () => answer(name), onSome: Effect.succeed })
    const [baseUrl, application, station] = [yield* of("baseUrl"), yield* of("application"), yield* of("station")]
    const folder = path.dirname(target)
    const keyFile = Option.isSome(given.keyFile)
      ? given.keyFile.value
      : yield* hidden("The key (it is not shown)", path.join(folder, "main.key"))
    if (keyFile === undefined) return yield* new ExitError({ code: 1, text: "Nothing was written: a key is needed." })
    const secretFile = Option.isSome(given.secretFile)
      ? given.secretFile.value
      : isAsked
        ? yield* hidden(
            "The secret (it is not shown); Enter where requests are not signed",
            path.join(folder, "main.secret")
          )
        : undefined
    const fromFolder = (file: string) => path.relative(path.resolve(folder), path.resolve(file)).replaceAll("\\", "/")
    const text = configText(
      "main",
      { baseUrl, application, station, keyFile, secretFile: secretFile ?? "" },
      fromFolder
    )
    yield* fs.writeFileString(target, EscapedText.escaped(text), { flag: "wx", mode: 0o600 })
    yield* RunEffect.changed
  })
