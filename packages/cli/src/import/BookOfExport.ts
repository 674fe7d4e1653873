/** Finds and loads the mapping book of an export: the one named, else `x.book.json` beside `x.csv`. */
import * as BookFiles from "@fiscal-connector/core/mapping/BookFiles"
import { Effect, FileSystem, Option, Path } from "effect"
import { problemList } from "../output/ProblemList.ts"
import { Quit } from "../output/Quit.ts"

/** Where the book of an export is looked for: `x.book.json` beside the file `x.csv` or the folder `x`. */
export const beside = (file: string) =>
  Effect.map(Path.Path, (path) => {
    const named = /(^|[/\\])\.{1,2}[/\\]?$/.test(file) ? path.resolve(file) : file
    return path.join(path.dirname(named), `${path.basename(named).replace(/\.[^.]*(\.gz)?$/, "")}.book.json`)
  })

export const load = Effect.fnUntraced(function* (files: ReadonlyArray<string>, named: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem
  const file = Option.isSome(named) ? named.value : yield* beside(files[0]!)
  if (!(yield* fs.exists(file))) {
    const text = Option.isSome(named) ? `There is no mapping book ${file}.` : howToWriteOne(file, files[0]!)
    return yield* new Quit({ code: 1, text })
  }
  return yield* BookFiles.open(file).pipe(
    Effect.mapError((error) => {
      if (error._tag === "PlatformError")
        return new Quit({ code: 1, text: `The mapping book ${file} cannot be read: ${error.message}` })
      return new Quit({ code: 1, text: `${error.message}:\n\n${problemList(error.findings)}` })
    })
  )
})

const howToWriteOne = (
  file: string,
  source: string
) => `${source} has no mapping book, and without one no tax or currency can be known.
Write ${file} (connector book draft does most of it), or name another with --book. A book says what each tax code and currency of the export means:

  {
    "version": 1,
    "zone": "+02:00",
    "taxes": [
      { "from": ["Standard"], "code": "VAT15", "device": 1, "percent": "15" },
      { "from": ["Exempt"], "code": "EXEMPT", "device": 3, "percent": null }
    ],
    "currencies": [{ "code": "USD", "device": "USD" }]
  }

"from" are the export's spellings, "device" is the device's tax id or currency (connector gateway fiscaldevice).
docs/mapping-book.md explains every field; examples/historical-invoices.book.json is a whole one.`
