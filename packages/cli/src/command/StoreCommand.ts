/** `connector store`: the file that remembers what was sent. */
import * as StoreFile from "@fiscal-connector/core/node/StoreFile"
import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Deed from "../account/Deed.ts"
import { onStore, storeFlags, storeOf } from "../account/StoreFlags.ts"
import { acceptOlder } from "./AcceptOlderCommand.ts"

const backup = Command.make(
  "backup",
  {
    ...storeFlags,
    file: Argument.Path("file").pipe(Argument.withDescription("the file to write; there must be none of this name"))
  },
  ({ file, ...given }) =>
    Effect.gen(function* () {
      const store = yield* storeOf(given)
      // what is no store is refused before anything is copied
      yield* onStore(store, Effect.void)
      const { bytes, submissions } = yield* StoreFile.copy(store, file)
      yield* Deed.changed
      yield* Console.log(`${file}: ${bytes} bytes, ${submissions} documents`)
    })
).pipe(
  Command.withDescription(
    "Copy the store as it stands at this moment, while others go on writing to it; the copy is checked, and for its owner only"
  )
)

export const store = Command.make("store").pipe(
  Command.withDescription("The store: what was sent, and what became of it"),
  Command.withSubcommands([backup, acceptOlder])
)
