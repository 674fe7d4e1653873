import { StoreBackups, StoreFile } from "@fiscal-connector/core/host/account"
import { Effect, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import * as RunEffect from "../../account/RunEffect.ts"
import { chosen, onPlace, storeFlags } from "../../account/StoreFlags.ts"
import { notDone } from "../../output/ExitError.ts"
import { acceptOlder } from "./AcceptOlderCommand.ts"
import { copy } from "./CopyCommand.ts"
import * as Output from "../../output/Output.ts"
import { commandGroup, describedCommand, optional } from "../../output/Flags.ts"

const keepFlag = optional(
  Flag.Int("keep"),
  "the argument is a folder: name the backup after the time, and keep only this many of the newest"
)

const inPostgres =
  "A store in PostgreSQL is backed up as its database is: pg_dump, or better its log without a gap (connector docs run#backup)."

const keptText = (kept: number, removed: number): string =>
  `${kept} backup${kept === 1 ? "" : "s"} kept${removed === 0 ? "" : `, ${removed} older one${removed === 1 ? "" : "s"} deleted`}`

const backup = describedCommand(
  "backup",
  "Back up the store while other processes use it; the copy is checked, and only its owner can read it",
  {
    ...storeFlags,
    keep: keepFlag,
    file: Argument.Path("file").pipe(Argument.withDescription("the new file to write; with --keep the folder"))
  },
  Effect.fnUntraced(function* ({ file, keep, ...which }) {
    const place = yield* chosen(which)
    if (place._tag !== "File") return yield* notDone(inPostgres)
    if (Option.isSome(keep) && keep.value < 1)
      return yield* notDone("--keep is to be 1 or more. Nothing was written or deleted.")
    // a file other than a store is rejected before anything is copied
    yield* onPlace(place, Effect.void)
    if (Option.isNone(keep)) {
      const { bytes, submissions } = yield* StoreFile.copy(place.file, file)
      yield* RunEffect.changed
      return yield* Output.answer(
        "store-backup",
        { file, bytes, submissions },
        `${file}: ${bytes} bytes, ${submissions} documents`
      )
    }
    const made = yield* StoreBackups.make(place.file, file, keep.value)
    yield* RunEffect.changed
    const { bytes, kept, removed, submissions } = made
    yield* Output.answer(
      "store-backup",
      made,
      `${made.file}: ${bytes} bytes, ${submissions} documents\n${keptText(kept, removed.length)}`
    )
  })
)

export const store = commandGroup("store", "Back up, copy or accept a store", [backup, copy, acceptOlder])
