import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Format from "../adapter/Format.ts"
import type { FormatRow } from "../format/Formats.ts"
import * as AdapterAnswer from "../import/AdapterAnswer.ts"
import * as InputFiles from "../import/InputFiles.ts"
import * as Output from "../output/Output.ts"

export const command = ({ columns, name }: FormatRow, format: Format.Format) => {
  const { adapter, extensions } = format
  return Command.make(
    name,
    {
      file: Argument.String("file").pipe(Argument.withDescription(columns?.file ?? "")),
      ...format.flags
    },
    Effect.fnUntraced(function* ({ file, ...given }) {
      const { options } = yield* Format.sourceOf(format, given)
      const { files } = yield* InputFiles.open(adapter.name, [file], extensions)
      const proposal = yield* adapter.table!.propose(files[0]!, options).pipe(Effect.catch(AdapterAnswer.quit))
      yield* Output.answer("column-map", { file, text: proposal }, proposal)
    }, Effect.scoped)
  )
}
