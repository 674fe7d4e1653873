/** Opens the user's files. Each may be read more than once. */
import { SpecialFile } from "@fiscal-connector/core/host"
import { Adapter } from "@fiscal-connector/core/adapter"
import { Console, Effect, FileSystem, Path, Stdio, Stream } from "effect"
import { Call } from "../output/Call.ts"
import { systemText } from "../output/SystemText.ts"
import { ExitError } from "../output/ExitError.ts"
import type { Along } from "./Progress.ts"

/** An adapter reads its input more than once. */
const standardInput = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { stdin } = yield* Stdio.Stdio
  const file = yield* fs.makeTempFileScoped({ prefix: "connector-" })
  yield* Stream.run(stdin, fs.sink(file, { mode: 0o600 }))
  return file
})

const own = /(^|\.)(book|refused|mappings-plan|answers|questions)\.[^.]+$/i

const shown = 10

const sayUnread = (folder: string, unread: ReadonlyArray<string>) => {
  if (unread.length === 0) return Effect.void
  const more = unread.length > shown ? ` and ${unread.length - shown} more` : ""
  return Console.error(
    `Not read in the folder ${folder}: ${unread.slice(0, shown).join(", ")}${more}. Name a file or a sub-folder to have it read.`
  )
}

export interface OpenInput extends Adapter.Input {
  readonly along: Along
}

const counting = (sizes: ReadonlyArray<number>) => {
  const passed = sizes.map(() => 0)
  const along: Along = {
    total: sizes.reduce((sum, size) => sum + size, 0),
    passed: () => passed.reduce((sum, bytes) => sum + bytes, 0)
  }
  const counted = (i: number, bytes: Adapter.InputFile["bytes"]): Adapter.InputFile["bytes"] =>
    Stream.suspend(() => {
      passed.fill(0, i)
      return Stream.map(bytes, (chunk) => {
        passed[i] = passed[i]! + chunk.length
        return chunk
      })
    })
  return { along, counted }
}

/**
 * Opens the named files. `-` is standard input. A folder means its files with a matching
 * extension, sorted by name, without mapping books and refused rows.
 */
export const open = (adapter: string, names: ReadonlyArray<string>, extensions: RegExp) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const spooled = names.includes("-") ? yield* standardInput : undefined
    const files = yield* Effect.forEach(names, (name) =>
      Effect.gen(function* () {
        if (name === "-") return [name]
        const { type } = yield* fs
          .stat(name)
          .pipe(Effect.mapError((error) => new ExitError({ code: 1, text: systemText(error, "read") })))
        if (type === "File") return [name]
        if (type !== "Directory") {
          const text = `${name} ${SpecialFile.problemText}, and an export is read more than once. What comes from another program is read from standard input, named "-":\n  … | ${(yield* Call).like({ files: { these: [name], now: "-" } })}`
          return yield* new ExitError({ code: 1, text })
        }
        const all = (yield* fs.readDirectory(name)).toSorted()
        const isExport = yield* Effect.forEach(all, (file) =>
          extensions.test(file) && !own.test(file)
            ? Effect.map(fs.stat(path.join(name, file)), ({ type }) => type !== "Directory")
            : Effect.succeed(false)
        )
        const inside = all.filter((_, i) => isExport[i])
        yield* sayUnread(
          name,
          all.filter((_, i) => !isExport[i])
        )
        if (inside.length === 0)
          return yield* new ExitError({ code: 1, text: `There is no export in the folder ${name}.` })
        return inside.map((file) => path.join(name, file))
      })
    )
    const places = files.flat().map((name) => ({ name, place: name === "-" ? (spooled ?? name) : name }))
    const sizes = yield* Effect.forEach(places, ({ place }) =>
      Effect.match(fs.stat(place), { onFailure: () => 0, onSuccess: ({ size }) => Number(size) })
    )
    const { along, counted } = counting(sizes)
    const input: OpenInput = {
      along,
      files: places.map(({ name, place }, i): Adapter.InputFile => ({
        name,
        bytes: counted(
          i,
          fs.stream(place, { chunkSize: 256 * 1024 }).pipe(
            Stream.mapError(
              (error) =>
                new Adapter.AdapterError({
                  adapter,
                  reason: new Adapter.InputFailed({ file: name, problem: systemText(error, "read") })
                })
            )
          )
        )
      }))
    }
    return input
  })
