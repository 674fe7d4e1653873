/** `connector pdf ID`: the fiscal PDF of a document. */
import { Console, Effect, FileSystem } from "effect"
import { Command, Flag } from "effect/cli"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import { findOne, idArgument, onPlace } from "../../account/StoreFlags.ts"
import { Quit } from "../../output/Quit.ts"

export const pdf = Command.make(
  "pdf",
  {
    id: idArgument,
    config: Flag.File("config", { mustExist: true }).pipe(Flag.withDescription("the configuration with the account")),
    account: Flag.String("account").pipe(Flag.withDescription("which account of the configuration"), Flag.optional),
    // the gateway's file name is never a local path: the person names the file
    out: Flag.Path("out").pipe(Flag.withDescription("the file to write"))
  },
  ({ account, config, id, out }) =>
    Effect.gen(function* () {
      const { config: entry, operations } = yield* ConfigAccount.gateway(config, account)
      const { proof, state } = yield* onPlace(entry.store, findOne(id))
      if (proof === null || proof.fiscalInvoicePdf === null) {
        return yield* new Quit({
          code: 1,
          text: `${id} is ${state}; there is no PDF of it${proof === null ? " yet" : ""}.`
        })
      }
      const bytes = yield* operations.downloadPdf(proof.fiscalInvoicePdf)
      const fs = yield* FileSystem.FileSystem
      yield* fs.writeFile(out, bytes, { mode: 0o600 })
      yield* Console.log(`${out}, ${bytes.length} bytes`)
    }).pipe(Effect.scoped)
).pipe(Command.withDescription("Download the fiscal PDF of a document"))
