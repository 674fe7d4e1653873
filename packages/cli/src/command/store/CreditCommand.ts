/**
 * Command `connector credit`: shows the credit note that is prepared for an invoice that no longer
 * holds, and sends it with a reason.
 */
import * as AccountFacts from "@fiscal-connector/core/unstable/account/AccountFacts"
import type { Balance, CreditFigures } from "@fiscal-connector/core/unstable/credit/Prepared"
import * as CivilDate from "@fiscal-connector/core/document/CivilDate"
import { DocumentNumber } from "@fiscal-connector/core/document/Identifiers"
import { formatAmount } from "@fiscal-connector/core/document/Money"
import { reasonPlaceholder } from "@fiscal-connector/core/submission/OperatorRecord"
import type { Submission } from "@fiscal-connector/core/submission/Submission"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import * as Credit from "@fiscal-connector/core/unstable/session/Credit"
import * as LateBy from "@fiscal-connector/core/unstable/session/LateBy"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { accountFlags } from "../../account/AccountFlags.ts"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import { optionalReason } from "../../account/DecidedBy.ts"
import * as Engine from "../../account/Engine.ts"
import * as Opening from "../../account/Opening.ts"
import { findOne, onPlace } from "../../account/StoreFlags.ts"
import { Call, type CallShape } from "../../output/Call.ts"
import { ExitError } from "../../output/ExitError.ts"
import { report } from "../../output/FindingReport.ts"
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
  full: Flag.Boolean("full").pipe(
    Flag.withDescription("credit everything that is left, whatever the source states"),
    Flag.withDefault(false)
  ),
  number: Flag.String("number").pipe(
    Flag.withDescription("the note's number; default the invoice's with -C1, -C2 and so on"),
    Flag.optional
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
      number: Option.getOrUndefined(Option.map(given.number, (number) => DocumentNumber.make(number)))
    }
    const invoice = findOne({
      id: given.id.value,
      account: Option.some(settings.account),
      kind: Option.some("invoice")
    })
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
    yield* Effect.provide(sending, Engine.layer(place))
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription("Prepare and send the credit note of an invoice that was fiscalised and no longer holds")
)

const keyOf = ({ account, id, kind }: Submission) => ({ account, kind, id })

const missing = new ExitError({ code: 1, text: "The store does not have the invoice any more." })

const list = (account: string) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const invoices = yield* store.getMany(yield* store.noticed([account]))
    const text =
      invoices.length === 0
        ? `The source states every fiscalised invoice of the account ${account} as it was sent.`
        : [
            "The source states these fiscalised invoices otherwise now:",
            table(columnsIn(yield* Times.zoneOfStore), invoices, yield* Screen),
            `What is left to credit of one:\n  ${NextStep.callFor({ do: "credit" }, yield* Call, invoices[0])}`
          ].join("\n\n")
    yield* Output.answer("creditable", { invoices: invoices.map(record) }, printable(text))
  })

interface CreditFiguresRow {
  readonly what: string
  readonly figures: CreditFigures | null
  readonly about: string
}

const amount = (figures: CreditFigures | null, of: keyof CreditFigures): string =>
  figures === null ? "not known" : formatAmount(figures[of])

const columnsOf = (currency: string): ReadonlyArray<Column<CreditFiguresRow>> => [
  { title: currency, value: ({ what }) => what, keep: "always" },
  ...(["net", "tax", "total"] as const).map((of): Column<CreditFiguresRow> => ({
    title: of,
    align: "right",
    keep: "always",
    value: ({ figures }) => amount(figures, of)
  })),
  { title: "", value: ({ about }) => about }
]

const statedNow = {
  AsSent: "as it was sent",
  Nothing: "void",
  Changed: "changed",
  NotKept: "changed; the figures were not kept"
} as const

const forms = {
  mirror: "the lines of the invoice",
  lines: "lines that fell",
  sums: "one line for each tax, with tax"
} as const

const rowsOf = ({ notes, result, stated }: Credit.Preview, balance: Balance): ReadonlyArray<CreditFiguresRow> => [
  { what: "Fiscalised", figures: balance.fiscalised, about: "" },
  {
    what: "Credited",
    figures: balance.credited,
    about: notes
      .flatMap(({ number, standing, state }) => (standing === "ended" ? [] : [`${number} (${state})`]))
      .join(", ")
  },
  { what: "In the source now", figures: balance.stated, about: statedNow[stated] },
  ...(result._tag === "Ready"
    ? [
        {
          what: "To credit",
          figures: result.prepared.figures,
          about: `${result.prepared.of === "everything" ? "all that is left" : "the difference"}: ${forms[result.prepared.form]}`
        }
      ]
    : [])
]

const afterwardsOf = {
  done: [],
  "issue-anew": ["Afterwards: issue it again in the source under a new number."],
  "void-it": ["The source still has the invoice as issued: void it there, or bring its own note instead."]
} as const

const wayOut = ({ fix, number, step }: Credit.Explained, call: CallShape, invoice: string): ReadonlyArray<string> => {
  const next = step === undefined ? null : NextStep.callFor(step, call, { number: number ?? invoice })
  return [...(fix === "" ? [] : [fix]), ...(next === null ? [] : [`  ${next}`])]
}

const endOf = ({ invoice, late, result }: Credit.Preview, call: CallShape): ReadonlyArray<string> => {
  switch (result._tag) {
    case "NothingToCredit":
      return [
        result.because === "nothing-left"
          ? "Nothing is left to credit."
          : "The same figures: there is nothing to credit."
      ]
    case "Hindered": {
      const explained = Credit.explain(result.by)
      return [
        `No credit note is prepared for ${invoice.number}: ${explained.because}.`,
        ...wayOut(explained, call, invoice.number)
      ]
    }
    case "Ready": {
      const { findings, number, prepared } = result
      const lines = [
        `Credit note ${number}, dated when it is sent.`,
        ...(prepared.taxOff === null || formatAmount(prepared.taxOff) === "0.00"
          ? []
          : [
              `The tax of invoice and notes together will differ by ${formatAmount(prepared.taxOff)} from the source's.`
            ]),
        ...afterwardsOf[prepared.afterwards],
        ...(late === null ? [] : [LateBy.inWords(late)])
      ]
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
      head,
      ...(balance === null ? [] : [table(columnsOf(invoice.currency), rowsOf(preview, balance), yield* Screen)]),
      endOf(preview, call).join("\n"),
      ...(isReady ? [`Nothing was sent. To send it:\n  ${call.again("--because", reasonPlaceholder("why"))}`] : [])
    ].join("\n\n")
    yield* Output.answer("prepared-credit", dataOf(preview), printable(text))
    if (result._tag === "Hindered" || (result._tag === "Ready" && !isReady))
      return yield* new ExitError({
        code: 2,
        text: `Nothing was sent for ${Option.getOrElse(id, () => invoice.number)}.`
      })
  })

const dataOf = ({ balance, invoice, result, stated }: Credit.Preview) => ({
  invoice: record(invoice),
  stated,
  balance: balance && {
    fiscalised: Credit.formatted(balance.fiscalised),
    credited: Credit.formatted(balance.credited),
    stated: balance.stated && Credit.formatted(balance.stated)
  },
  credit:
    result._tag === "Ready"
      ? {
          number: result.number,
          form: result.prepared.form,
          of: result.prepared.of,
          afterwards: result.prepared.afterwards,
          ...Credit.formatted(result.prepared.figures),
          findings: result.findings
        }
      : null,
  because:
    result._tag === "Hindered"
      ? Credit.explain(result.by).because
      : result._tag === "NothingToCredit"
        ? result.because
        : null,
  fix: result._tag === "Hindered" ? Credit.explain(result.by).fix : null
})

const refused = ({ reason }: Credit.CreditRefused, id: string) =>
  Effect.gen(function* () {
    switch (reason._tag) {
      case "NotReady":
        return yield* new ExitError({
          code: 2,
          text: printable([`Nothing was sent: ${reason.because}.`, ...wayOut(reason, yield* Call, id)].join("\n"))
        })
      case "Differs":
        return yield* new ExitError({
          code: 2,
          text: `Nothing was sent: ${formatAmount(reason.is)} is left to credit now, not ${formatAmount(reason.seen)}.`
        })
      case "NotPlanned":
        return yield* new ExitError({ code: 2, text: `Nothing was sent: ${printable(reason.because)}.` })
    }
  })

const codes: Partial<Record<Submission["state"], 0 | 2>> = { Fiscalised: 0, Rejected: 2, Declined: 2 }

const told = ({ note, preview: { invoice } }: Credit.Credited) =>
  Effect.gen(function* () {
    const call = yield* Call
    const code = codes[note.state] ?? 3
    const about = why(note)
    const text = [
      `Credit note ${note.number} on ${invoice.number}, ${note.currency} ${formatAmount(note.total)}: ${note.state}${about === "" ? "" : `, ${about}`}`,
      ...(note.proof?.verificationCode == null ? [] : [`Verification code ${note.proof.verificationCode}`]),
      ...(code === 0 ? [] : [`More about it:\n  ${NextStep.callFor({ do: "explain" }, call, note)}`])
    ].join("\n")
    yield* Output.answer("credited", { invoice: invoice.number, note: record(note) }, printable(text))
    if (code !== 0) return yield* new ExitError({ code, text: `The credit note is ${note.state}.` })
  })
