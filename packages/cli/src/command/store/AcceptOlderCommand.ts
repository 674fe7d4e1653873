import { CodeEntry, KnownCodes, OlderStore } from "@fiscal-connector/core/host/account"
import { StorePlace } from "@fiscal-connector/core/store"
import { Effect, Option } from "effect"
import { describedCommand } from "../../output/Flags.ts"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import { as, decidedBy, reason } from "../../account/DecidedBy.ts"
import { changingPlace } from "../../account/StoreFlags.ts"
import { config } from "../../account/AccountFlags.ts"
import { Call } from "../../output/Call.ts"
import * as NextStep from "../../output/NextStep.ts"
import type { Step } from "@fiscal-connector/core/host"
import * as Output from "../../output/Output.ts"

const heldNow = (held: number): string =>
  held === 0
    ? "Nothing in it was waiting to be sent, so nothing is held now."
    : `${held} ${held === 1 ? "document that was waiting to be sent is" : "documents that were waiting to be sent are"} held now.`

export const acceptOlder = describedCommand(
  "accept-older",
  "Continue with an older copy of the store if no newer one exists; planned documents are held for an operator",
  {
    config,
    because: reason("the reason; recorded with every held document"),
    as
  },
  Effect.fnUntraced(function* ({ as, because, config }) {
    const { store, witness } = yield* ConfigAccount.chooseAll(config, Option.none())
    const held = yield* decidedBy(as, changingPlace(store, OlderStore.accept(witness, because)))
    const call = yield* Call
    const { fix = "", steps = [] } = CodeEntry.find(KnownCodes.coreCodes, "HELD_older-copy") ?? {}
    const next: ReadonlyArray<Step.Step> = [{ do: "list", state: "Held" }, ...steps]
    yield* Output.answer(
      "store-accepted",
      { store: StorePlace.describe(store), held },
      [
        `The store ${StorePlace.describe(store)} is taken as it is. ${heldNow(held)}`,
        "Documents planned after the copy was made are missing in it. When they are imported again, those dated up to the day after the last use of the lost store are held before sending.",
        ...(held === 0 ? [] : [fix, ...NextStep.callsFor(next, call).map((line) => `  ${line}`)])
      ].join("\n")
    )
  }, Effect.scoped)
)
