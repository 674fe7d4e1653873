/** `connector store`: the file that remembers what was sent. */
import * as StoreFile from "@fiscal-connector/core/unstable/node/StoreFile"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Deed from "../../account/Deed.ts"
import { chosen, onPlace, storeFlags } from "../../account/StoreFlags.ts"
import { Quit } from "../../output/Quit.ts"
import { acceptOlder } from "./AcceptOlderCommand.ts"
import { copy } from "./CopyCommand.ts"
import * as Output from "../../output/Output.ts"

const backup = Command.make(
  "backup",
  {
    ...storeFlags,
    file: Argument.Path("file").pipe(Argument.withDescription("the file to write; there must be none of this name"))
  },
  ({ file, ...which }) =>
    Effect.gen(function* () {
      const place = yield* chosen(which)
      if (place._tag !== "File") {
        const text =
          "A store in PostgreSQL is backed up as its database is: pg_dump, or better its log without a gap (connector docs store)."
        return yield* new Quit({ code: 1, text })
      }
      // what is no store is refused before anything is copied
      yield* onPlace(place, Effect.void)
      const { bytes, submissions } = yield* StoreFile.copy(place.file, file)
      yield* Deed.changed
      yield* Output.answer(
        "store-backup",
        { file, bytes, submissions },
        `${file}: ${bytes} bytes, ${submissions} documents`
      )
    })
).pipe(
  Command.withDescription(
    "Copy the store as it stands at this moment, while others go on writing to it; the copy is checked, and for its owner only"
  )
)

export const store = Command.make("store").pipe(
  Command.withDescription("The store: what was sent, and what became of it"),
  Command.withSubcommands([backup, copy, acceptOlder])
)
