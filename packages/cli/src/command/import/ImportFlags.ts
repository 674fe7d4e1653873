import { CivilDate } from "@fiscal-connector/core/adapter"
import { Argument, Flag } from "effect/cli"
import { openingFlags } from "../../account/Opening.ts"
import { account, optionalConfig } from "../../account/AccountFlags.ts"

export const importFlags = {
  files: Argument.String("file").pipe(
    Argument.withDescription("exported files or folders, in reading order"),
    Argument.atLeast(1)
  ),
  book: Flag.String("book").pipe(
    Flag.withDescription("the mapping book; without it x.book.json beside x.csv"),
    Flag.optional
  ),
  sandbox: Flag.Boolean("sandbox").pipe(
    Flag.withDescription("use a sandbox gateway in this process, set up from the book"),
    Flag.withDefault(false)
  ),
  config: optionalConfig,
  account,
  original: Flag.KeyValuePair("original").pipe(
    Flag.withDescription("the invoice that a credit note credits: both numbers; can be repeated"),
    Flag.optional
  ),
  originals: Flag.File("originals", { mustExist: true }).pipe(
    Flag.withDescription("a file with CREDITNOTE=INVOICE on each row"),
    Flag.optional
  ),
  answers: Flag.File("answers", { mustExist: true }).pipe(
    Flag.withDescription(
      "answer the open questions from this file (docs/start.md#answers); connector start writes one"
    ),
    Flag.optional
  ),
  writeAnswers: Flag.String("write-answers").pipe(
    Flag.withDescription("write the open questions to this file, with the proposals as answers"),
    Flag.optional
  ),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withDescription("only show the plan; send nothing"),
    Flag.withDefault(false)
  ),
  sendRest: Flag.Boolean("send-rest").pipe(
    Flag.withDescription("send the rest now, however many refused documents will then be late (implied by --sandbox)"),
    Flag.withDefault(false)
  ),
  ...openingFlags,
  notBefore: Flag.String("not-before").pipe(
    Flag.withDescription("skip documents before this date (YYYY-MM-DD); they are never sent"),
    Flag.withSchema(CivilDate.CivilDate),
    Flag.optional
  ),
  report: Flag.String("report").pipe(
    Flag.withDescription(
      "write a report as one HTML file with sums, QR codes and refused documents; an existing file is replaced"
    ),
    Flag.optional
  ),
  receipts: Flag.String("receipts").pipe(
    Flag.withDescription(
      "write the export again with the receipt beside each document's first row; an existing file is replaced"
    ),
    Flag.optional
  ),
  historical: Flag.Boolean("historical").pipe(
    Flag.withDescription(
      "also send documents from before the last closed fiscal day; the next close is expected to fail"
    ),
    Flag.withDefault(false)
  )
}
