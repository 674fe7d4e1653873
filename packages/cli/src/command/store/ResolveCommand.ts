import { BulkDecision, Decision, OperatorRecord } from "@fiscal-connector/core/decisions"
import { Connector } from "@fiscal-connector/core/session"
import { LateBy, Submit } from "@fiscal-connector/core/host/account"
import { Identifiers } from "@fiscal-connector/core/adapter"
import { Submission, SubmissionStore } from "@fiscal-connector/core/store"
import { Console, Effect, Option, Stdio, Stream } from "effect"
import { Argument, type Command, Flag } from "effect/cli"
import { configOf } from "../../account/AccountFlags.ts"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import { as, decidedBy, ownText, reason } from "../../account/DecidedBy.ts"
import * as RunEffect from "../../account/RunEffect.ts"
import { changingStore, documentFlags, findOne, keyOf } from "../../account/StoreFlags.ts"
import { Call } from "../../output/Call.ts"
import * as NextStep from "../../output/NextStep.ts"
import { ExitError, notDone } from "../../output/ExitError.ts"
import { Screen } from "../../output/Screen.ts"
import { columnsIn, record } from "../../output/SubmissionTable.ts"
import * as Times from "../../output/Times.ts"
import * as UnprovenText from "./UnprovenText.ts"
import { table } from "../../output/Table.ts"
import { printable } from "../../output/Terminal.ts"
import * as Output from "../../output/Output.ts"
import { describedCommand, isSet, optional, optionalText } from "../../output/Flags.ts"
import { paragraphs } from "../../output/Paragraphs.ts"

const because = reason("the reason; recorded with the document")

const which = {
  ...documentFlags,
  ids: Argument.String("id").pipe(
    Argument.filter(
      (text) => OperatorRecord.reasonProblem(text) === null,
      () => "the numbers that you looked up; a text in angle brackets only marks their place"
    ),
    Argument.withDescription("the documents' numbers or identifiers; - reads numbers from standard input, one per row"),
    Argument.variadic()
  ),
  import: optional(Flag.Int("import"), "all documents of this import"),
  state: optional(Flag.Literals("state", Submission.states), "all documents in this state"),
  cause: optionalText(
    "cause",
    "only documents held for this cause (late, operator), or failed for it, as health shows it"
  ),
  conflict: optionalText("conflict", "with --state: only documents whose open conflicts all have this code"),
  confirm: optional(
    Flag.Int("confirm"),
    "confirms a decision about many documents: the number that the preview showed, or that you saw in the portal"
  )
}

type Which = Command.Command.Config.Infer<typeof which> & { readonly text: Option.Option<string> }

const text = optionalText(
  "text",
  "with --rejected or --resend: all Accepted documents of which the gateway says this text"
)

const goesOn: ReadonlySet<Submission.State> = new Set(["Planned", "Accepted"])

const althoughRecent = isSet(
  "although-recent",
  "decide now, although the last request may still arrive and create a second receipt; recorded with the document"
)

const unasked = "Nothing was changed: the gateway must be asked once more first. Name the configuration with --config."

const askBefore = Effect.fnUntraced(function* (
  decision: Decision.Decision,
  documents: ReadonlyArray<Submission.Submission>,
  config: Option.Option<string>
) {
  const accounts = Effect.flatMap(
    configOf(config),
    Option.match({
      onNone: () => Effect.fail(notDone(unasked)),
      onSome: (file) => Effect.map(ConfigAccount.chooseAll(file, Option.none()), ({ accounts }) => accounts)
    })
  )
  const problems = yield* Effect.scoped(BulkDecision.before(decision, documents, accounts))
  if (problems[0] !== undefined) {
    const text = `Nothing was changed: the gateway could not be asked once more: ${problems[0].text}`
    return yield* notDone(printable(text))
  }
})

const decide = Effect.fnUntraced(function* (
  {
    althoughRecent,
    ...named
  }: Parameters<typeof findOne>[0] & { readonly althoughRecent: boolean; readonly config: Option.Option<string> },
  decision: Decision.Decision,
  because: string
) {
  const submission = yield* findOne(named)
  yield* askBefore(decision, [submission], named.config)
  const although = althoughRecent ? "recent" : undefined
  const late = yield* LateBy.of([submission], decision._tag)
  const resolution = yield* Connector.resolve(keyOf(submission), decision, because, although)
  if (resolution._tag === "Refused") {
    const override =
      resolution.from === undefined
        ? ""
        : "\nIf you know that the request is not on its way any more, add --although-recent."
    return yield* notDone(`Nothing was changed: ${resolution.text}.${override}`)
  }
  yield* RunEffect.changed
  const { account, id, kind, number } = submission
  const { from, to } = resolution
  const next = goesOn.has(to) ? NextStep.callFor({ do: "resume" }, yield* Call, { account }) : null
  yield* Output.answer(
    "decision",
    { account, kind, id, number, from, to },
    [
      printable(`${kind} ${number}: ${from} → ${to}`),
      ...(late === null ? [] : [LateBy.inWords(late)]),
      ...(next === null ? [] : [`To continue:\n  ${next}`])
    ].join("\n")
  )
})

const shown = 20

const aloneText = (each: ReadonlyArray<Submission.Submission>): string => {
  const names = each.slice(0, shown).map(({ number }) => printable(number))
  const more = each.length > shown ? ` and ${each.length - shown} more` : ""
  return `${names.join(", ")}${more} may have a receipt or wait for an operator. Look up each in the gateway's portal, then name its number; - reads the numbers that you looked up from standard input.`
}

const numbersFromInput = Effect.gen(function* () {
  const { stdin } = yield* Stdio.Stdio
  const text = yield* Stream.mkString(Stream.decodeText(stdin))
  return [...new Set(text.split(/\r?\n/).map((line) => line.trim()))].filter((line) => line !== "")
})

const said = Effect.fnUntraced(function* (documents: ReadonlyArray<Submission.Submission>) {
  const accepted = new Set(documents.filter(({ state }) => state === "Accepted").map(({ number }) => number as string))
  if (accepted.size === 0) return []
  const store = yield* SubmissionStore.SubmissionStore
  const zone = yield* Times.zoneOfStore
  const unproven = yield* store.unproven([...new Set(documents.map(({ account }) => account))])
  return unproven
    .filter(({ number }) => accepted.has(number))
    .slice(0, shown)
    .map(({ failure, number }) => printable([number, ...UnprovenText.lines(failure, zone)].join("\n  ")))
})

const decideMany = Effect.fnUntraced(function* (
  { althoughRecent, ...given }: Which & { readonly althoughRecent: boolean },
  numbers: ReadonlyArray<string> | undefined,
  decision: Decision.Decision,
  because: string
) {
  const call = yield* Call
  const { form } = yield* Output.Output
  const { confirmedBy, documents, each, late, others, unknown } = yield* BulkDecision.select(
    {
      numbers,
      import: Option.getOrUndefined(given.import),
      state: Option.getOrUndefined(Option.isSome(given.text) ? Option.some("Accepted" as const) : given.state),
      text: Option.getOrUndefined(given.text),
      cause: Option.getOrUndefined(given.cause),
      conflict: Option.getOrUndefined(given.conflict),
      account: Option.getOrUndefined(given.account)
    },
    decision._tag
  )
  if (unknown.length > 0) {
    return yield* notDone(
      `Nothing was changed: the store has no document ${unknown.slice(0, shown).map(printable).join(", ")}${unknown.length > shown ? " and others" : ""}.`
    )
  }
  const alone = each.length === 0 ? "" : aloneText(each)
  if (documents.length === 0) {
    if (alone !== "") return yield* notDone(`Nothing was changed: ${alone}`)
    const why = others === 0 ? "no document fits" : `the decision fits none of the ${others} documents as they are now`
    return yield* notDone(`Nothing was changed: ${why}.`)
  }
  if (!Option.contains(given.confirm, documents.length)) {
    if (form === "json") for (const one of documents) yield* Output.tell("submission", record(one))
    else {
      const more = documents.length > shown ? `\n… and ${documents.length - shown} more` : ""
      yield* Console.log(
        paragraphs([
          `${documents.length} document${documents.length === 1 ? "" : "s"} would be decided about (${decision._tag}), with the reason: ${printable(because)}`,
          `${table(columnsIn(yield* Times.zoneOfStore), documents.slice(0, shown), yield* Screen)}${more}`,
          alone,
          ...(yield* said(documents)),
          late === null ? "" : LateBy.inWords(late),
          others === 0 ? "" : `${others} more are left as they are: the decision does not fit them.`,
          confirmedBy === "look"
            ? `Nothing was changed yet, and these may still become receipts. Look up each in the gateway's portal, then name those that it shows as failed:\n  ${call.again(NextStep.lookedUp)}\nFor all of them, add --confirm and the number of documents that you saw there.`
            : `Nothing was changed yet. This does it:\n  ${call.again("--confirm", String(documents.length))}`
        ])
      )
    }
    const text = Option.match(given.confirm, {
      onNone: () => "",
      onSome: (count) =>
        `Nothing was changed: ${documents.length} documents are meant now, and ${count} were confirmed.`
    })
    return yield* new ExitError({ code: 3, text })
  }
  yield* askBefore(decision, documents, given.config)
  const results = yield* BulkDecision.decideAll(documents, decision, because, althoughRecent ? "recent" : undefined)
  if (results.some(({ resolution }) => resolution._tag === "Resolved")) yield* RunEffect.changed
  const lines = results.map(({ resolution, submission: { kind, number } }) =>
    printable(
      resolution._tag === "Resolved"
        ? `${kind} ${number}: ${resolution.from} → ${resolution.to}`
        : `${kind} ${number}: not changed: ${resolution.text}`
    )
  )
  if (form === "json") {
    for (const { resolution, submission } of results) {
      const { account, id, kind, number, state } = submission
      const { from, to } = resolution._tag === "Resolved" ? resolution : { from: state, to: state }
      const refused = resolution._tag === "Refused" ? { refused: resolution.text } : {}
      yield* Output.tell("decision", { account, kind, id, number, from, to, ...refused })
    }
  } else {
    const isGoingOn = results.some(({ resolution }) => resolution._tag === "Resolved" && goesOn.has(resolution.to))
    const next = isGoingOn ? [`They go on by:\n  ${NextStep.callFor({ do: "resume" }, call)}`] : []
    yield* Console.log([...lines, ...next].join("\n"))
  }
  const refused = results.filter(({ resolution }) => resolution._tag === "Refused").length
  if (refused > 0) return yield* notDone(`${refused} of ${results.length} were not changed.`)
})

const decideWhich = Effect.fnUntraced(function* (
  given: Which & { readonly althoughRecent: boolean },
  decision: Decision.Decision,
  because: string
) {
  if (Option.isSome(given.text) && !Decision.settlesFailures.has(decision._tag)) {
    return yield* notDone("--text selects documents for --rejected and --resend only.")
  }
  const isOfImport = Option.isSome(given.import)
  const isMany = isOfImport || [given.text, given.state, given.cause].some(Option.isSome)
  const [id, ...others] = given.ids
  if (isOfImport ? id !== undefined : id === undefined && !isMany) {
    return yield* notDone(
      "Name the documents: their numbers, - for numbers from standard input, or --import, --state and --cause for many."
    )
  }
  if (id !== undefined && id !== "-" && others.length === 0 && !isMany) {
    return yield* changingStore(given, decide({ ...given, id }, decision, because))
  }
  const numbers = id === "-" ? yield* numbersFromInput : id === undefined ? undefined : given.ids
  return yield* changingStore(given, decideMany(given, numbers, decision, because))
})

const decisions = {
  fiscalised: isSet("fiscalised", "the document was fiscalised; --verification gives the code, if there is one"),
  verification: optionalText("verification", "with --fiscalised: the verification code"),
  rejected: ownText(
    "rejected",
    "the text of the error",
    "the document was processed and rejected: the text of the error"
  ).pipe(Flag.optional),
  accepted: optionalText(
    "accepted",
    "the gateway's request id of the document; can be corrected until the gateway has answered for it"
  ),
  notProcessed: isSet("not-processed", "the document was not processed; it will be sent again, marked as a retry"),
  same: isSet("same", "the held document is the same sale as the known one, in another spelling; never sent"),
  resend: isSet("resend", "send the document again, or send it after all"),
  acknowledged: isSet("acknowledged", "the document's conflicts were settled")
}

export const resolve = describedCommand(
  "resolve",
  "Record what happened to documents, or decide what to do next",
  { ...which, text, ...decisions, althoughRecent, as, because },
  Effect.fnUntraced(function* ({
    accepted,
    acknowledged,
    as,
    because,
    fiscalised,
    notProcessed,
    rejected,
    resend,
    same,
    verification,
    ...given
  }) {
    const chosen: ReadonlyArray<Decision.Decision> = [
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
        Option.map(accepted, (text) => ({ _tag: "Accepted", requestId: Identifiers.RequestId.make(text) }) as const)
      ),
      ...(notProcessed ? [{ _tag: "NotProcessed" } as const] : []),
      ...(same ? [{ _tag: "Same" } as const] : []),
      ...(resend ? [{ _tag: "Resend" } as const] : []),
      ...(acknowledged ? [{ _tag: "Acknowledged" } as const] : [])
    ]
    if (Option.isSome(accepted) && Submit.requestId(accepted.value, {}) === null) {
      return yield* notDone(
        `Nothing was changed: ${JSON.stringify(accepted.value)} is not a request id. It is 1 to 200 printable characters without white space, with a digit at least (STAT-8).`
      )
    }
    const [decision, ...others] = chosen
    if (decision === undefined || others.length > 0) {
      return yield* notDone(
        "Say one of --fiscalised, --rejected TEXT, --accepted REQUEST_ID, --not-processed, --resend, --acknowledged."
      )
    }
    yield* decidedBy(as, decideWhich(given, decision, because))
  })
)

export const withdraw = describedCommand(
  "withdraw",
  "Withdraw documents: never send them, or stop waiting for them",
  { ...which, althoughRecent, as, because },
  ({ as, because, ...given }) =>
    decidedBy(as, decideWhich({ ...given, text: Option.none() }, { _tag: "Withdrawn" }, because))
)
