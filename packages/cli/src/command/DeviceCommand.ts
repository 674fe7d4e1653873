import { type SubmissionQuery, SubmissionStore } from "@fiscal-connector/core/store"
import { Effect } from "effect"
import { commandGroup, describedCommand } from "../output/Flags.ts"
import { accountFlags } from "../account/AccountFlags.ts"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import { as, decidedBy, reason } from "../account/DecidedBy.ts"
import * as DeviceOfAccounts from "../account/DeviceOfAccounts.ts"
import * as RunEffect from "../account/RunEffect.ts"
import { changingPlace } from "../account/StoreFlags.ts"
import { notDone } from "../output/ExitError.ts"
import * as Output from "../output/Output.ts"
import { printable } from "../output/Terminal.ts"

const consequences: Readonly<Record<SubmissionQuery.OtherPrograms["stated"], string>> = {
  others:
    "Receipts that exceed those of this store are shown as receipts of other programs, as long as they can be theirs.",
  alone: "A receipt that this store does not know is a difference."
}

const stating = (stated: SubmissionQuery.OtherPrograms["stated"], description: string) =>
  describedCommand(
    stated,
    description,
    { ...accountFlags, because: reason("the reason; recorded in the list of decisions"), as },
    Effect.fnUntraced(function* ({ account, as, because, config }) {
      const { accounts, store } = yield* ConfigAccount.chooseAll(config, account)
      const names = accounts.map(({ account }) => account)
      const recorded = changingPlace(
        store,
        Effect.gen(function* () {
          const store = yield* SubmissionStore.SubmissionStore
          const device = yield* DeviceOfAccounts.find(names)
          return { problem: yield* store.stateOtherPrograms(device, stated, because), device }
        })
      )
      const { device, problem } = yield* decidedBy(as, recorded)
      if (problem !== null) return yield* notDone(`Nothing was changed: ${printable(problem)}.`)
      yield* RunEffect.changed
      yield* Output.answer(
        "other-programs",
        { account: names.join(", "), device, stated },
        `Device ${printable(device)}: recorded. ${consequences[stated]}`
      )
    }, Effect.scoped)
  )

export const device = commandGroup("device", "State if other tills or programs make receipts on a fiscal device", [
  stating("others", "State that other tills or programs make receipts on the device"),
  stating("alone", "State that only this store makes receipts on the device")
])
