/** Starts the page by a double click on Linux. */
import { HostProcess } from "@fiscal-connector/core/host"
import { Effect, FileSystem, Path } from "effect"
import { notDone } from "../output/ExitError.ts"

/**
 * Escapes reserved characters in quotes and doubles percent signs, per the Desktop Entry
 * Specification.
 */
const quoted = (argument: string): string =>
  `"${argument
    .replaceAll(/["`$\\]/g, "\\$&")
    .replaceAll("\\", "\\\\")
    .replaceAll("%", "%%")}"`

export const entry = (program: ReadonlyArray<string>): string =>
  [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Fiscal connector",
    "Comment=Import invoices, watch them being sent, and decide",
    `Exec=${program.map(quoted).join(" ")}`,
    "Terminal=false",
    "Categories=Office;Finance;",
    ""
  ].join("\n")

export const write = Effect.fnUntraced(function* (
  name: string,
  { book, config }: { readonly book: string | undefined; readonly config: string | undefined }
) {
  const fs = yield* FileSystem.FileSystem
  const { resolve } = yield* Path.Path
  const { cwd } = yield* HostProcess.HostProcess
  const file = name.endsWith(".desktop") ? name : `${name}.desktop`
  const program = [
    process.execPath,
    resolve(process.argv[1] ?? "connector"),
    "ui",
    "--open",
    ...(config === undefined ? [] : ["--config", resolve(cwd, config)]),
    ...(book === undefined ? [] : ["--book", resolve(cwd, book)])
  ]
  if (program.some((argument) => /[\r\n]/.test(argument)))
    return yield* notDone("A path with a line break cannot be written into a starter.")
  const text = entry(program)
  yield* Effect.mapError(fs.writeFileString(resolve(cwd, file), text, { flag: "wx", mode: 0o755 }), ({ message }) =>
    notDone(`Nothing was written: ${message}`)
  )
  return { file, bytes: Buffer.byteLength(text) }
})
