import { AccountFacts, KeyOrigins } from "@fiscal-connector/core/host/account"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { DateTime, Effect, Option } from "effect"
import { Argument } from "effect/cli"
import { commandGroup, describedCommand } from "../output/Flags.ts"
import { AcceptedUnknown, HostProcess } from "@fiscal-connector/core/host"
import { StoreOpening } from "@fiscal-connector/core/node"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import { as, decidedBy, reason } from "../account/DecidedBy.ts"
import { changingPlace } from "../account/StoreFlags.ts"
import { printable } from "../output/Terminal.ts"
import { notDone } from "../output/ExitError.ts"
import { account as chosen, config } from "../account/AccountFlags.ts"
import { DeviceRules } from "@fiscal-connector/core/host/import"
import * as Output from "../output/Output.ts"

const repin = describedCommand(
  "repin",
  "Move an account and its unsent documents to its new device, after the device was replaced",
  {
    name: Argument.String("name").pipe(Argument.withDescription("the name of the account in the configuration")),
    config,
    because: reason("the reason; recorded with every moved document"),
    as
  },
  Effect.fnUntraced(function* ({ as, because, config, name }) {
    const { settings, store } = yield* ConfigAccount.choose(config, Option.some(name))
    const { destination, device } = yield* AccountFacts.read(settings, DateTime.zoneMakeOffset(0))
    yield* changingPlace(
      store,
      Effect.gen(function* () {
        const store = yield* SubmissionStore.SubmissionStore
        const pinned = Option.getOrNull(yield* store.pinOf(name))
        if (pinned === null)
          return yield* notDone(`The store never sent for the account ${name}; there is nothing to move.`)
        const repinned = yield* decidedBy(as, store.repin({ ...destination, serial: device.serialNo }, because))
        if (repinned._tag === "Refused") {
          return yield* notDone(`The account ${name} was not moved: ${repinned.text}.`)
        }
        const { moved, redated } = repinned
        const { lane } = destination
        const now =
          pinned.lane === lane
            ? `The account ${name} stays at device ${lane}${pinned.serial === device.serialNo ? ", which the gateway still names" : `, whose serial number is now ${device.serialNo ?? "not known"}`}. Nothing moves.`
            : `The account ${name} moves from device ${pinned.lane} to ${lane}, with ${moved} document${moved === 1 ? "" : "s"} that had not gone yet, ${redated} of them with another receipt date. A live device asks for consent and its first use again.`
        yield* Output.answer("repinned", { account: name, from: pinned.lane, to: lane, moved, redated }, printable(now))
      })
    )
  }, Effect.scoped)
)

const trustOrigin = describedCommand(
  "trust-origin",
  "Allow an account's key to be sent to another address, after the gateway moved",
  {
    name: Argument.String("name").pipe(Argument.withDescription("the name of the account in the configuration")),
    config,
    because: reason("the reason; recorded with the gateway's address"),
    as
  },
  Effect.fnUntraced(function* ({ as, because, config, name }) {
    const { accounts } = yield* ConfigAccount.read(config)
    const found = accounts.find((one) => one.name === name)
    if (found === undefined || because.trim() === "") {
      const text = found === undefined ? `${config} has no account ${name}.` : "Say why with --because."
      return yield* notDone(`Nothing was changed: ${printable(text)}`)
    }
    if (found.baseUrl === null) {
      return yield* notDone(`Nothing was changed: the account ${printable(name)} has no usable baseUrl.`)
    }
    const { env } = yield* HostProcess.HostProcess
    const origin = yield* KeyOrigins.trust(found, { file: config, environment: env }, found.baseUrl, because)
    const place = yield* ConfigAccount.storeOf(config)
    // an account may be trusted before its store exists
    if (yield* StoreOpening.isThere(place)) {
      yield* decidedBy(
        as,
        changingPlace(
          place,
          SubmissionStore.SubmissionStore.use((store) => store.trustOrigin(name, origin, because))
        )
      )
    }
    yield* Output.answer(
      "trusted-origin",
      { account: name, origin },
      printable(`The key of account ${name} may be sent to ${origin} from now on.`)
    )
  })
)

const acceptUnknown = describedCommand(
  "accept-unknown",
  "Send without a check whose fact the gateway does not state, until the gateway states it",
  {
    fact: Argument.Literals("fact", AcceptedUnknown.facts).pipe(
      Argument.withDescription("the missing fact, as named in the refusal")
    ),
    config,
    account: chosen,
    because: reason("the reason; shown until the gateway states the fact"),
    as
  },
  Effect.fnUntraced(function* ({ account, as, because, config, fact }) {
    const { settings, store } = yield* ConfigAccount.choose(config, account)
    if (because.trim() === "") {
      return yield* notDone("Nothing was changed: say why with --because.")
    }
    const name = settings.account
    yield* decidedBy(
      as,
      changingPlace(
        store,
        SubmissionStore.SubmissionStore.use((store) => store.acceptUnknown(name, fact, because))
      )
    )
    yield* Output.answer(
      "accepted-unknown",
      { account: name, fact, because },
      printable(
        `Documents of the account ${name} are sent although the gateway does not say ${DeviceRules.factNames[fact]}. Each plan warns of it until the gateway states it again.`
      )
    )
  }, Effect.scoped)
)

export const account = commandGroup(
  "account",
  "Decide about a whole account: replaced device, moved gateway, unknown fact",
  [repin, trustOrigin, acceptUnknown]
)
