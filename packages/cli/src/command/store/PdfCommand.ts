/** `connector pdf ID`: the fiscal PDF of a document. */
import { Effect, FileSystem, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import { documentFlags, findOne, idArgument, onPlace } from "../../account/StoreFlags.ts"
import { Quit } from "../../output/Quit.ts"
import { config } from "../../account/AccountFlags.ts"
import * as Output from "../../output/Output.ts"

export const pdf = Command.make(
  "pdf",
  {
    id: idArgument,
    config,
    account: documentFlags.account,
    kind: documentFlags.kind,
    // the gateway's file name is never a local path: the person names the file
    out: Flag.Path("out").pipe(Flag.withDescription("the file to write"))
  },
  (given) =>
    Effect.gen(function* () {
      const { config, id, out } = given
      const store = yield* ConfigAccount.storeOf(config)
      const { account, proof, state } = yield* onPlace(store, findOne(given))
      if (proof === null || proof.fiscalInvoicePdf === null) {
        return yield* new Quit({
          code: 1,
          text: `${id} is ${state}; there is no PDF of it${proof === null ? " yet" : ""}.`
        })
      }
      const { operations } = yield* ConfigAccount.gateway(config, Option.some(account))
      const bytes = yield* operations.downloadPdf(proof.fiscalInvoicePdf)
      const fs = yield* FileSystem.FileSystem
      yield* fs.writeFile(out, bytes, { mode: 0o600 })
      yield* Output.answer("file", { file: out, bytes: bytes.length }, `${out}, ${bytes.length} bytes`)
    }).pipe(Effect.scoped)
).pipe(Command.withDescription("Download the fiscal PDF of a document"))
