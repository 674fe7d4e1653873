import { AccountFacts } from "@fiscal-connector/core/host/account"
import { Prepared } from "@fiscal-connector/core/host/import"
import { CivilDate, Identifiers, Money } from "@fiscal-connector/core/adapter"
import { OperatorRecord } from "@fiscal-connector/core/decisions"
import { type Submission, SubmissionStore } from "@fiscal-connector/core/store"
import { Credit } from "@fiscal-connector/core/session"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { accountFlags } from "../../account/AccountFlags.ts"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import { optionalReason } from "../../account/DecidedBy.ts"
import * as RunEffect from "../../account/RunEffect.ts"
import * as Engine from "../../account/Engine.ts"
import * as Opening from "../../account/Opening.ts"
import { changingPlace, findOne, onPlace } from "../../account/StoreFlags.ts"
import { Call, type CallShape } from "../../output/Call.ts"
import { ExitError, notDone } from "../../output/ExitError.ts"
import { report } from "../../output/FindingReport.ts"
import { isSet, optionalText } from "../../output/Flags.ts"
import * as NextStep from "../../output/NextStep.ts"
import * as Output from "../../output/Output.ts"
import { Screen } from "../../output/Screen.ts"
import { columnsIn, record, why } from "../../output/SubmissionTable.ts"
import { type Column, table } from "../../output/Table.ts"
import { printable } from "../../output/Terminal.ts"
import * as Times from "../../output/Times.ts"

const flags = {
  id: Argument.String("id").pipe(
    Argument.withDescription("the invoice's number or identifier; without it, list what the source states otherwise"),
    Argument.optional
  ),
  ...accountFlags,
  because: optionalReason,
  full: isSet("full", "credit everything that is left, whatever the source states"),
  number: Flag.String("number").pipe(
    Flag.filter(
      (text) => OperatorRecord.reasonProblem(text) === null,
      () => "the note's number; a text in angle brackets only marks its place"
    ),
    Flag.withDescription("the note's number; default by creditNumbers of the account, INV-2-C1 without it"),
    Flag.optional
  ),
  receipt: optionalText("receipt", "credit this one of the invoice's several receipts: its number, or its code"),
  seenInPortal: isSet("seen-in-portal", "with --receipt: you have seen the receipt in the gateway's portal; recorded"),
  credited: optionalText(
    "credited",
    "with --because: record that the gateway's portal shows this receipt of the invoice as credited"
  ),
  ...Opening.openingFlags
}

export const credit = Command.make("credit", flags, (given) =>
  Effect.gen(function* () {
    const chosen = yield* ConfigAccount.choose(given.config, given.account)
    const { settings, store: place } = chosen
    if (Option.isNone(given.id)) return yield* onPlace(place, list(settings.account))
    const order = {
      amount: given.full ? ("everything" as const) : ("difference" as const),
      number: Option.getOrUndefined(Option.map(given.number, (number) => Identifiers.DocumentNumber.make(number))),
      receipt: Option.getOrUndefined(
        Option.map(given.receipt, (name) => ({ name, seen: given.seenInPortal ? "portal" : "here" }) as const)
      )
    }
    const invoice = findOne({
      id: given.id.value,
      account: Option.some(settings.account),
      kind: Option.some("invoice")
    })
    if (given.seenInPortal && Option.isNone(given.receipt)) return yield* notDone("--seen-in-portal needs --receipt.")
    if (Option.isSome(given.credited)) {
      const [receipt, because] = [given.credited.value, given.because]
      if (Option.isNone(because) || Option.isSome(given.receipt))
        return yield* notDone("--credited needs --because, and no --receipt.")
      const stating = Effect.flatMap(invoice, (found) => stated(found, receipt, because.value))
      return yield* changingPlace(place, stating)
    }
    if (Option.isNone(given.because)) {
      const showing = Effect.gen(function* () {
        const facts = yield* AccountFacts.read(settings, null)
        return yield* show(yield* Credit.prepare(facts, { ...order, key: keyOf(yield* invoice) }), given.id)
      })
      return yield* onPlace(place, showing)
    }
    const [because, id] = [given.because.value, given.id.value]
    const sending = Effect.gen(function* () {
      const key = keyOf(yield* invoice)
      const options = Opening.optionsOf(given, chosen.witness)
      const opened = yield* Opening.open(settings, yield* Opening.now(options))
      const sent = yield* Effect.catchTag(Credit.send(opened, { ...order, key, because }), "CreditRefused", (error) =>
        refused(error, id)
      )
      yield* Option.isNone(sent) ? missing : told(sent.value)
    })
    yield* Effect.provide(RunEffect.watched(sending), Engine.layer(place))
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription("Prepare and send the credit note of an invoice that was fiscalised and no longer holds")
)

const keyOf = ({ account, id, kind }: Submission.Submission) => ({ account, kind, id })

const stated = (invoice: Submission.Submission, receipt: string, because: string) =>
  Effect.gen(function* () {
    const { account, id, kind, number, state } = invoice
    yield* Effect.catchTag(Credit.stateCredited(keyOf(invoice), receipt, because), "CreditRefused", (error) =>
      refused(error, number)
    )
    yield* RunEffect.changed
    const text = `Recorded: the gateway's portal shows receipt ${receipt} of ${number} as credited.`
    const next = NextStep.callFor({ do: "credit" }, yield* Call, invoice)
    yield* Output.answer(
      "decision",
      { account, kind, id, number, from: state, to: state },
      `${printable(text)}\nWhat is left to credit:\n  ${next}`
    )
  })

const missing = new ExitError({ code: 1, text: "The store does not have the invoice any more." })

const source: Column<Submission.Submission> = {
  title: "In the source now",
  value: ({ cancelled }) => Credit.statedNow[cancelled === null ? "Changed" : "Nothing"],
  keep: "always"
}

const list = (account: string) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore.SubmissionStore
    const invoices = yield* store.getMany(yield* store.noticed([account]))
    const columns = columnsIn(yield* Times.zoneOfStore)
    const text =
      invoices.length === 0
        ? `The source states every fiscalised invoice of the account ${account} as it was sent.`
        : [
            "The source states these fiscalised invoices otherwise now:",
            table([...columns.filter(({ title }) => title !== "Why"), source], invoices, yield* Screen),
            `What is left to credit of one:\n  ${NextStep.callFor({ do: "credit" }, yield* Call, invoices[0])}`
          ].join("\n\n")
    yield* Output.answer("creditable", { invoices: invoices.map(record) }, text)
  })

const names = {
  fiscalised: "Fiscalised",
  credited: "Credited",
  stated: "In the source now",
  "to-credit": "To credit"
} as const

const columnsOf = (currency: string): ReadonlyArray<Column<Credit.BalanceRow>> => [
  { title: currency, value: ({ of }) => names[of], keep: "always" },
  ...(["net", "tax", "total"] as const).map((of): Column<Credit.BalanceRow> => ({
    title: of,
    align: "right",
    keep: "always",
    value: ({ figures }) => (figures === null ? "not known" : Money.formatAmount(figures[of]))
  })),
  { title: "", value: ({ about }) => about }
]

const wayOut = ({ fix, number, step }: Credit.Explained, call: CallShape, invoice: string): ReadonlyArray<string> => {
  const next = step === undefined ? null : NextStep.callFor(step, call, { number: number ?? invoice })
  return [...(fix === "" ? [] : [printable(fix)]), ...(next === null ? [] : [`  ${next}`])]
}

const endOf = (preview: Credit.Preview, call: CallShape): ReadonlyArray<string> => {
  const { invoice, result } = preview
  switch (result._tag) {
    case "NothingToCredit":
      return [
        result.cause === "nothing-left" ? "Nothing is left to credit." : "The same figures: there is nothing to credit."
      ]
    case "Hindered": {
      const explained = Credit.explain(result.by)
      return [
        printable(`No credit note is prepared for ${invoice.number}: ${explained.text}.`),
        ...wayOut(explained, call, invoice.number)
      ]
    }
    case "Ready": {
      const { findings, number } = result
      const lines = [printable(`Credit note ${number}, dated when it is sent.`), ...Credit.remarksOf(preview)]
      if (findings.length > 0)
        lines.push(
          report(
            findings.map((finding) => ({ finding, subject: number })),
            call
          )
        )
      return lines
    }
  }
}

const show = (found: Option.Option<Credit.Preview>, id: Option.Option<string>) =>
  Effect.gen(function* () {
    if (Option.isNone(found)) return yield* missing
    const preview = found.value
    const { balance, invoice, receipt, result } = preview
    const call = yield* Call
    const number = receipt?.receiptNumber
    const head = [
      `${invoice.number}${invoice.buyer === null ? "" : `, ${invoice.buyer}`}, ${invoice.state}`,
      ...(invoice.receiptDate === null ? [] : [`dated ${CivilDate.of(invoice.receiptDate)}`]),
      ...(number == null ? [] : [`receipt ${number}`]),
      ...(invoice.proof?.verificationCode == null ? [] : [invoice.proof.verificationCode])
    ].join(", ")
    const isReady = Credit.isReady(preview)
    const text = [
      printable(head),
      ...(balance === null ? [] : [table(columnsOf(invoice.currency), Credit.rowsOf(preview), yield* Screen)]),
      endOf(preview, call).join("\n"),
      ...(isReady
        ? [`Nothing was sent. To send it:\n  ${call.again("--because", OperatorRecord.reasonPlaceholder("why"))}`]
        : [])
    ].join("\n\n")
    yield* Output.answer("prepared-credit", dataOf(preview), text)
    if (result._tag === "Hindered" || (result._tag === "Ready" && !isReady))
      return yield* new ExitError({
        code: 2,
        text: `Nothing was sent for ${Option.getOrElse(id, () => invoice.number)}.`
      })
  })

const dataOf = (preview: Credit.Preview) => {
  const { balance, invoice, result, stated } = preview
  return {
    invoice: record(invoice),
    stated,
    balance: balance && Credit.formatted(balance),
    credit:
      result._tag === "Ready"
        ? {
            number: result.number,
            form: result.prepared.form,
            of: result.prepared.of,
            afterwards: result.prepared.afterwards,
            ...Prepared.formatted(result.prepared.figures),
            findings: result.findings
          }
        : null,
    because:
      result._tag === "Hindered"
        ? Credit.explain(result.by).text
        : result._tag === "NothingToCredit"
          ? result.cause
          : null,
    fix: result._tag === "Hindered" ? Credit.explain(result.by).fix : null,
    remarks: Credit.remarksOf(preview)
  }
}

const refused = ({ message, reason }: Credit.CreditRefused, id: string) =>
  Effect.gen(function* () {
    const ways = reason._tag === "NotReady" ? wayOut(reason, yield* Call, id) : []
    return yield* new ExitError({ code: 2, text: [printable(message), ...ways].join("\n") })
  })

const codes: Partial<Record<Submission.Submission["state"], 0 | 2>> = { Fiscalised: 0, Rejected: 2, Declined: 2 }

const told = ({ note, preview: { invoice } }: Credit.Credited) =>
  Effect.gen(function* () {
    const call = yield* Call
    const code = codes[note.state] ?? 3
    const about = why(note)
    const text = [
      printable(
        `Credit note ${note.number} on ${invoice.number}, ${note.currency} ${Money.formatAmount(note.total)}: ${note.state}${about === "" ? "" : `, ${about}`}`
      ),
      ...(note.proof?.verificationCode == null ? [] : [printable(`Verification code ${note.proof.verificationCode}`)]),
      ...(code === 0 ? [] : [`More about it:\n  ${NextStep.callFor({ do: "explain" }, call, note)}`])
    ].join("\n")
    yield* Output.answer("credited", { invoice: invoice.number, note: record(note) }, text)
    if (code !== 0) return yield* new ExitError({ code, text: `The credit note is ${note.state}.` })
  })
