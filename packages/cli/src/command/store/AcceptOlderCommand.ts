/** `connector store accept-older`: a person's word that an older copy is the store from now on. */
import * as OlderStore from "@fiscal-connector/core/connector/OlderStore"
import * as StorePlace from "@fiscal-connector/core/submission/StorePlace"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import { changingPlace } from "../../account/StoreFlags.ts"

export const acceptOlder = Command.make(
  "accept-older",
  {
    config: Flag.File("config", { mustExist: true }).pipe(
      Flag.withDescription("the configuration that names the store")
    ),
    because: Flag.String("because").pipe(
      Flag.withDescription("the reason; it is kept with every document that is held by it")
    )
  },
  ({ because, config }) =>
    Effect.gen(function* () {
      const { store, witness } = yield* ConfigAccount.chooseAll(config, Option.none())
      const held = yield* changingPlace(store, OlderStore.accept(witness, because))
      yield* Console.log(
        `The store ${StorePlace.describe(store)} is taken as it is. ${held} ${held === 1 ? "document is" : "documents are"} held: look each up in the gateway's portal, then connector resolve or connector withdraw.`
      )
    }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Go on with an older copy of the store, where there is no newer one: what is still planned is held for a person"
  )
)
