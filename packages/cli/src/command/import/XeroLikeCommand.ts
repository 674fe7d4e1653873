/** Commands `import xero-like` and `plan xero-like`. */
import { XeroLikeOptions } from "@fiscal-connector/adapter-xero-like/XeroLikeOptions"
import { adapter } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Remembered from "../../import/Remembered.ts"
import * as ImportCommand from "./ImportCommand.ts"
import { importFlags } from "./ImportFlags.ts"
import { filesOf, optionsOf, xeroLikeFlags } from "./XeroLikeFlags.ts"
import { namesOf } from "./Given.ts"

export const xeroLike = {
  adapter,
  extensions: /\.(json|jsonl|ndjson)(\.gz)?$/i,
  ending: ".json",
  // the contacts file is listed among the files
  reading: namesOf(xeroLikeFlags).filter((name) => name !== "contacts"),
  remembering: Remembered.ofFormat(XeroLikeOptions)
}

const command = (mode: "plan" | "import", description: string) =>
  Command.make(
    "xero-like",
    { ...importFlags, ...xeroLikeFlags },
    Effect.fnUntraced(function* (flags) {
      const source = { ...xeroLike, options: yield* optionsOf(flags) }
      yield* ImportCommand.run(mode, source, { ...flags, files: filesOf(flags.files, flags) })
    })
  ).pipe(Command.withDescription(description))

export const planXeroLike = command(
  "plan",
  "Read, translate and check Xero-shaped JSON, up to the exact request bodies; send nothing"
)
export const importXeroLike = command("import", "Fiscalise the invoices and credit notes of Xero-shaped JSON")
