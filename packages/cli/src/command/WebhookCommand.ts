import { AccountConfig } from "@fiscal-connector/core/session"
import { WebhookCheck } from "@fiscal-connector/core/host/account"
import { UndiciHttpClient } from "@fiscal-connector/core/node"
import { Effect } from "effect"
import { Argument } from "effect/cli"
import { commandGroup, describedCommand } from "../output/Flags.ts"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import { printable } from "../output/Terminal.ts"
import { notDone } from "../output/ExitError.ts"
import { accountFlags } from "../account/AccountFlags.ts"
import * as Output from "../output/Output.ts"

const check = describedCommand(
  "check",
  "Send two empty deliveries, one with a valid and one with an invalid signature, and check the responses",
  {
    url: Argument.String("url").pipe(Argument.withDescription("the address that the gateway will use")),
    ...accountFlags
  },
  Effect.fnUntraced(function* ({ account, config, url }) {
    const entry = yield* ConfigAccount.configured(config, account)
    const deliveries = yield* WebhookCheck.check(url, AccountConfig.webhookOf(entry)).pipe(
      Effect.provide(UndiciHttpClient.layer())
    )
    const isReady = deliveries.every(({ problems }) => problems.length === 0)
    yield* Output.answer(
      "webhook-check",
      { url, account: entry.name, deliveries },
      [
        ...deliveries.flatMap(({ answer, problems, sent }) => [
          `an empty delivery, ${sent}: ${answer === "none" ? "no answer" : answer}`,
          ...problems.map((problem) => `  ${problem}`)
        ]),
        ...(isReady ? [`${url} is ready for the account ${entry.name}.`] : [])
      ]
        .map(printable)
        .join("\n")
    )
    if (!isReady) return yield* notDone("")
  })
)

export const webhook = commandGroup("webhook", "Check a webhook address", [check])
