/** Commands `connector columns FORMAT FILE`: propose a column map for the exports of a format. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Format from "../adapter/Format.ts"
import type { Row } from "../format/Formats.ts"
import * as AdapterAnswer from "../import/AdapterAnswer.ts"
import * as InputFiles from "../import/InputFiles.ts"
import * as Output from "../output/Output.ts"

/** Returns the description of the command for one format. */
export const summary = ({ columns }: Row): string =>
  `Propose a column map for ${columns?.of}, with its evidence, to be reviewed`

/** Builds the command for one format. */
export const command = async (row: Row) => {
  const format = await Format.of(row)
  const { adapter, extensions } = format
  return Command.make(
    row.name,
    {
      file: Argument.String("file").pipe(Argument.withDescription(row.columns?.file ?? "")),
      ...format.flags
    },
    Effect.fnUntraced(function* ({ file, ...given }) {
      const { options } = yield* Format.sourceOf(format, given)
      const { files } = yield* InputFiles.open(adapter.name, [file], extensions)
      const proposal = yield* adapter.table!.propose(files[0]!, options).pipe(Effect.catch(AdapterAnswer.quit))
      yield* Output.answer("column-map", { file, text: proposal }, proposal)
    }, Effect.scoped)
  ).pipe(Command.withDescription(summary(row)))
}
