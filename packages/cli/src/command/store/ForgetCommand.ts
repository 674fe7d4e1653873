import { StorePlace, SubmissionStore } from "@fiscal-connector/core/store"
import { CivilDate } from "@fiscal-connector/core/adapter"
import { StoreOpening } from "@fiscal-connector/core/node"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { as, decidedBy, optionalReason } from "../../account/DecidedBy.ts"
import * as RunEffect from "../../account/RunEffect.ts"
import { changingPlace, chosen, missing, storeFlags } from "../../account/StoreFlags.ts"
import { Call } from "../../output/Call.ts"
import * as Output from "../../output/Output.ts"
import { notDone } from "../../output/ExitError.ts"
import { printable } from "../../output/Terminal.ts"
import { describedCommand, isSet } from "../../output/Flags.ts"

const documents = (count: number) => `${count} document${count === 1 ? "" : "s"}`

const also = (joined: string, imports: number): string =>
  imports === 0
    ? ""
    : `, ${joined} what ${imports} import${imports === 1 ? " has" : "s have"} of rows, findings and names`

const elsewhere =
  "Backups, copies of the store, exports and files of refused documents are not touched: they keep what they have."

export const forget = describedCommand(
  "forget",
  "Erase buyers, descriptions and response texts of old settled documents; amounts and proofs are kept",
  {
    ...storeFlags,
    before: Flag.String("before").pipe(
      Flag.withDescription("documents and receipts of this day and later are kept as they are; YYYY-MM-DD")
    ),
    doIt: isSet("do-it", "erase; without this flag only a preview is printed"),
    because: optionalReason,
    as
  },
  Effect.fnUntraced(function* ({ as, because: reason, before, doIt, ...which }) {
    if (!CivilDate.isCivilDate(before)) {
      return yield* notDone(`--before is to be a day as YYYY-MM-DD, and not ${printable(before)}.`)
    }
    const place = yield* chosen(which)
    if (!(yield* StoreOpening.isThere(place))) return yield* missing(place)
    const found = yield* doIt ? StoreOpening.forget(place, before) : StoreOpening.lookToForget(place, before)
    if (doIt && found.documents + found.imports > 0) {
      yield* RunEffect.changed
      const what = `${documents(found.documents)} and ${found.imports} imports lose buyers and texts`
      const because = Option.getOrNull(reason)
      const decision = { act: "forget", account: null, subject: `before ${before}`, what, because } as const
      yield* decidedBy(
        as,
        changingPlace(
          place,
          SubmissionStore.SubmissionStore.use((store) => store.recordDecision(decision, "each"))
        )
      )
    }
    if (found.open.length > 0) {
      const lines = found.open.map(({ account, kind, number, text }) =>
        printable(`  ${kind} ${number} of account ${account}: ${text}`)
      )
      return yield* notDone(
        [
          `Nothing ${doIt ? "more is" : "would be"} forgotten: settle these first, or say an earlier day.`,
          ...lines
        ].join("\n")
      )
    }
    const name = StorePlace.describe(place)
    yield* Output.answer(
      "forgetting",
      { store: name, before, documents: found.documents, imports: found.imports, is: doIt ? "done" : "looked" },
      doIt
        ? `Forgotten in ${name}: buyers and texts of ${documents(found.documents)} from before ${before}${also("and", found.imports)}.\n${elsewhere}`
        : `${documents(found.documents)} from before ${before} in ${name} would lose buyers and texts${also("so would", found.imports)}; figures, numbers and receipts stay. Nothing was changed.\n${elsewhere}\nThis does it, and cannot be undone:\n  ${(yield* Call).again("--do-it")}`
    )
  })
)
