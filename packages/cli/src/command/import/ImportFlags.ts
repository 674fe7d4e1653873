/** Arguments and flags shared by `plan` and `import`, for every adapter. */
import { CivilDate } from "@fiscal-connector/core/document/CivilDate"
import { Argument, Flag } from "effect/cli"
import { openingFlags } from "../../account/Opening.ts"
import { account, optionalConfig } from "../../account/AccountFlags.ts"

export const importFlags = {
  files: Argument.String("file").pipe(
    Argument.withDescription("exported files, or folders of them, in the order in which they are to be read"),
    Argument.atLeast(1)
  ),
  book: Flag.String("book").pipe(
    Flag.withDescription("the mapping book; without it x.book.json beside x.csv"),
    Flag.optional
  ),
  sandbox: Flag.Boolean("sandbox").pipe(
    Flag.withDescription("run against a gateway of our own in this process, set up from the book"),
    Flag.withDefault(false)
  ),
  config: optionalConfig,
  account,
  original: Flag.KeyValuePair("original").pipe(
    Flag.withDescription("settles by hand what a credit note credits: its number, and the invoice's; may be repeated"),
    Flag.optional
  ),
  originals: Flag.File("originals", { mustExist: true }).pipe(
    Flag.withDescription("a file that settles it for many credit notes, CREDITNOTE=INVOICE on each line"),
    Flag.optional
  ),
  answers: Flag.File("answers", { mustExist: true }).pipe(
    Flag.withDescription("plan by the answers of this file to what is open (docs/questions.md); start writes them"),
    Flag.optional
  ),
  writeAnswers: Flag.String("write-answers").pipe(
    Flag.withDescription("write what is open to this file, with the proposals as answers"),
    Flag.optional
  ),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withDescription("the plan alone: show what would be sent, held and refused; send nothing"),
    Flag.withDefault(false)
  ),
  sendRest: Flag.Boolean("send-rest").pipe(
    Flag.withDescription("send although refused documents become late by it (implied by --sandbox)"),
    Flag.withDefault(false)
  ),
  ...openingFlags,
  notBefore: Flag.String("not-before").pipe(
    Flag.withDescription("documents of an earlier date (YYYY-MM-DD) are skipped and never sent"),
    Flag.withSchema(CivilDate),
    Flag.optional
  ),
  report: Flag.String("report").pipe(
    Flag.withDescription(
      "write a report to hand on: one HTML file with sums, QR codes, and what was refused; an existing file is replaced"
    ),
    Flag.optional
  ),
  historical: Flag.Boolean("historical").pipe(
    Flag.withDescription(
      "send documents from before the last close of a fiscal day; the next close is expected to fail"
    ),
    Flag.withDefault(false)
  )
}
