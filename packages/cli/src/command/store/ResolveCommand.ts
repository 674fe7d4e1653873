/** `connector resolve` and `connector withdraw`: a person's word about a document, with the reason. */
import * as Connector from "@fiscal-connector/core/connector/Connector"
import { RequestId } from "@fiscal-connector/core/document/Identifiers"
import { requestId } from "@fiscal-connector/core/unstable/gateway/operation/Submit"
import type { Decision } from "@fiscal-connector/core/submission/Decision"
import type { State } from "@fiscal-connector/core/submission/Submission"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Deed from "../../account/Deed.ts"
import { changingStore, documentFlags, findOne, idArgument, keyOf } from "../../account/StoreFlags.ts"
import { Call } from "../../output/Call.ts"
import * as NextStep from "../../output/NextStep.ts"
import { Quit } from "../../output/Quit.ts"
import { printable } from "../../output/Terminal.ts"
import * as Output from "../../output/Output.ts"

const because = Flag.String("because").pipe(Flag.withDescription("the reason; it is kept with the document"))

const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** What is sent, or asked about, by whoever goes on next. */
const goesOn: ReadonlySet<State> = new Set(["Planned", "Accepted"])

const althoughRecent = flag(
  "although-recent",
  "decide at once, although the last request may still reach the gateway and make a second receipt; it is kept with the document"
)

const decide = Effect.fnUntraced(function* (
  { althoughRecent, ...named }: Parameters<typeof findOne>[0] & { readonly althoughRecent: boolean },
  decision: Decision,
  because: string
) {
  const submission = yield* findOne(named)
  const although = althoughRecent ? "recent" : undefined
  const resolution = yield* Connector.resolve(keyOf(submission), decision, because, although)
  if (resolution._tag === "Refused") {
    const override =
      resolution.from === undefined
        ? ""
        : "\nIf you know that the request is not on its way any more, add --although-recent."
    return yield* new Quit({ code: 1, text: `Nothing was changed: ${resolution.because}.${override}` })
  }
  yield* Deed.changed
  const { account, id, kind, number } = submission
  const { from, to } = resolution
  const next = goesOn.has(to) ? NextStep.word({ do: "resume" }, yield* Call, { account }) : null
  yield* Output.answer(
    "decision",
    { account, kind, id, number, from, to },
    [printable(`${kind} ${number}: ${from} → ${to}`), ...(next === null ? [] : [`It goes on by:\n  ${next}`])].join(
      "\n"
    )
  )
})

const decisions = {
  fiscalised: flag("fiscalised", "it was fiscalised (--verification says the code, where there is one)"),
  verification: Flag.String("verification").pipe(
    Flag.withDescription("with --fiscalised: the verification code"),
    Flag.optional
  ),
  rejected: Flag.String("rejected").pipe(
    Flag.withDescription("it was processed and failed: the error's text"),
    Flag.optional
  ),
  accepted: Flag.String("accepted").pipe(
    Flag.withDescription(
      "the gateway has it under this request id; another may be given until the gateway has answered for it"
    ),
    Flag.optional
  ),
  notProcessed: flag("not-processed", "it was not processed; it is sent again, marked as a retry"),
  resend: flag("resend", "send it again, or after all"),
  acknowledged: flag("acknowledged", "its conflicts have been dealt with")
}

export const resolve = Command.make(
  "resolve",
  { ...documentFlags, id: idArgument, ...decisions, althoughRecent, because },
  ({ accepted, acknowledged, because, fiscalised, notProcessed, rejected, resend, verification, ...named }) =>
    Effect.gen(function* () {
      const chosen: ReadonlyArray<Decision> = [
        ...(fiscalised
          ? [
              {
                _tag: "Fiscalised",
                proof: Option.match(verification, {
                  onNone: () => ({}),
                  onSome: (verificationCode) => ({ verificationCode })
                })
              } as const
            ]
          : []),
        ...Option.toArray(
          Option.map(rejected, (error) => ({ _tag: "Rejected", rejection: { error, nature: "correctable" } }) as const)
        ),
        ...Option.toArray(
          Option.map(accepted, (text) => ({ _tag: "Accepted", requestId: RequestId.make(text) }) as const)
        ),
        ...(notProcessed ? [{ _tag: "NotProcessed" } as const] : []),
        ...(resend ? [{ _tag: "Resend" } as const] : []),
        ...(acknowledged ? [{ _tag: "Acknowledged" } as const] : [])
      ]
      if (Option.isSome(accepted) && requestId(accepted.value, {}) === null) {
        const text = `Nothing was changed: ${JSON.stringify(accepted.value)} is no request id. It is 1 to 200 printable characters without white space, with a digit at least (STAT-8).`
        return yield* new Quit({ code: 1, text })
      }
      const [decision, ...others] = chosen
      if (decision === undefined || others.length > 0) {
        const text =
          "Say one of --fiscalised, --rejected TEXT, --accepted REQUEST_ID, --not-processed, --resend, --acknowledged."
        return yield* new Quit({ code: 1, text })
      }
      yield* changingStore(named, decide(named, decision, because))
    })
).pipe(Command.withDescription("Say what became of a document, or what is to become of it"))

export const withdraw = Command.make(
  "withdraw",
  { ...documentFlags, id: idArgument, althoughRecent, because },
  ({ because, ...named }) => changingStore(named, decide(named, { _tag: "Withdrawn" }, because))
).pipe(Command.withDescription("Never send a document, or wait for it no longer"))
