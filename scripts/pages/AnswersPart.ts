/** Table of all answers of the gateway in docs/gateway.md: each field with its law. */
import { type OperationId, operations } from "../../packages/core/src/gateway/contract/Operation.ts"
import type { FieldLaw, WhenAbsent, WhenUnreadable } from "../../packages/core/src/gateway/exchange/AnswerLaw.ts"
import type { AnswerRecord } from "../../packages/core/src/gateway/exchange/AnswerRecord.ts"
import * as AnswerTable from "../../packages/core/src/gateway/operation/AnswerTable.ts"
import { table } from "./MarkdownTable.ts"

/** Consequences of an absent field. Null and left out are the same. */
const whenAbsent: Readonly<Record<WhenAbsent, string>> = {
  null: "reads as null; nothing follows",
  "not-applied": "the guard does not apply; one warning",
  asked: "documents that need it are refused until `account accept-unknown`",
  answer: "the answer is refused as malformed",
  row: "its row is left out; a warning"
}

/**
 * Consequences of an unreadable field. If a decision depends on the field, a near miss of its name
 * counts as unreadable.
 */
const whenUnreadable: Readonly<Record<WhenUnreadable, string>> = {
  null: "reads as null, is kept in `unknownFields`; a warning",
  documents: "documents that need it are refused, no others",
  answer: "the answer is refused as malformed",
  row: "its row is left out; a warning"
}

/** Consequences of an absent or unreadable field beyond its own answer. */
const whatFollows: Readonly<Record<NonNullable<FieldLaw["beyond"]>, string>> = {
  documents: "documents that need it are refused, no others",
  waits: "its document waits, and is asked for again"
}

/** An answer that is not an object: its law as text. */
interface PlainAnswer {
  readonly form: string
  readonly otherwise: string
}

/** Form of an operation's answer: an object, a list of objects, or a plain answer. */
type AnswerShape =
  | { readonly is: "object" | "list"; readonly name: string; readonly of: Pick<AnswerRecord<never>, "spellings"> }
  | { readonly is: "plain"; readonly answer: PlainAnswer }

const object = (name: string, of: Pick<AnswerRecord<never>, "spellings">): AnswerShape => ({ is: "object", name, of })
const rows = (name: string, of: Pick<AnswerRecord<never>, "spellings">): AnswerShape => ({ is: "list", name, of })
const plain = (form: string, otherwise: string): AnswerShape => ({ is: "plain", answer: { form, otherwise } })

const requestId = plain("a request id as text (STAT-8)", "the outcome is unknown; never sent again without evidence")
const deletion = plain("any 2xx", "nothing is read of the body")
const update = plain("anything but `false` (OP-9)", "`false`: the update is declined")
const pdf = plain("bytes that begin as a PDF", "the answer is refused as malformed")

/** Form of the answer to every operation. */
export const answers: { readonly [Id in OperationId]: AnswerShape } = {
  profile: object("Profile", AnswerTable.Profile),
  fiscalDevice: object("FiscalDevice", AnswerTable.FiscalDevice),
  subscription: object("Subscription", AnswerTable.Subscription),
  submitInvoice: requestId,
  submitCreditNote: requestId,
  status: rows("StatusRequest", AnswerTable.StatusItem),
  downloadPdf: pdf,
  zReports: object("ZReportPage", AnswerTable.ZReportPage),
  zReport: object("ZReport", AnswerTable.ZReport),
  zReportPdf: pdf,
  taxMappings: rows("TaxMapping", AnswerTable.TaxMapping),
  taxMapping: object("TaxMapping", AnswerTable.TaxMapping),
  addTaxMapping: object("TaxMapping", AnswerTable.TaxMapping),
  updateTaxMapping: update,
  deleteTaxMapping: deletion,
  supportedCurrencies: plain(
    "a list of currency codes, or one text of them (SHAPE-1); a code that is not text is left out",
    "404: the guard does not apply, one warning (RCPT010). Empty: documents are refused until `account accept-unknown`. Anything else: documents are refused"
  ),
  currencyMappings: rows("CurrencyMapping", AnswerTable.CurrencyMapping),
  currencyMapping: object("CurrencyMapping", AnswerTable.CurrencyMapping),
  addCurrencyMapping: object("CurrencyMapping", AnswerTable.CurrencyMapping),
  updateCurrencyMapping: update,
  deleteCurrencyMapping: deletion,
  test: plain("any 2xx", "its text is shown, nothing decides by it")
}

/** Objects inside other objects, by their path on the wire. */
const inside: Readonly<Record<string, Pick<AnswerRecord<never>, "spellings">>> = {
  "FiscalDevice.CurrentConfig": AnswerTable.DeviceConfig,
  "FiscalDevice.CurrentConfig.applicableTaxes": AnswerTable.ApplicableTax,
  "Subscription.SubscriptionItems": AnswerTable.SubscriptionItem,
  "StatusRequest.QrData": AnswerTable.QrData,
  "ZReportPage.Items": AnswerTable.ZReport,
  "ZReport.Summaries": AnswerTable.ZReportSummary
}

/** Returns all fields of all answers with their rules, one table per object. */
export const render = (): string => {
  const objects = new Map<
    string,
    { readonly asked: Array<string>; readonly of: Pick<AnswerRecord<never>, "spellings"> }
  >()
  const plainer: Array<ReadonlyArray<string>> = []
  for (const [id, shape] of Object.entries(answers)) {
    const { name } = operations[id as OperationId]
    if (shape.is === "plain") plainer.push([name, shape.answer.form, shape.answer.otherwise])
    else {
      const known = objects.get(shape.name)
      if (known === undefined) objects.set(shape.name, { asked: [name], of: shape.of })
      else known.asked.push(name)
    }
  }
  const nested = Object.entries(inside).map(([place, of]) => [`in \`${place}\``, of] as const)
  const answered = [...objects].map(([name, { asked, of }]) => [`\`${name}\`: ${asked.join(", ")}`, of] as const)
  return [
    ...[...answered, ...nested].map(([title, of]) => `**${title}**\n\n${lawTable(of)}`),
    `**Other answers**\n\n${table(["operation", "answer", "otherwise"], plainer)}`
  ].join("\n\n")
}

/** Returns the text in lines of at most so many characters. */
export const wrapped = (text: string, longest = 120): string =>
  text.split(" ").reduce((lines, word) => {
    const length = lines.length - lines.lastIndexOf("\n") - 1
    return lines === "" ? word : `${lines}${length + 1 + word.length > longest ? "\n" : " "}${word}`
  }, "")

const lawTable = ({ spellings }: Pick<AnswerRecord<never>, "spellings">): string => {
  const deciding = spellings.filter(({ law }) => law.by !== null)
  const others = spellings.flatMap(({ law, names }) => (law.by === null ? [`\`${names[0]}\``] : []))
  const rows = deciding.map(({ law, names }) => {
    const beyond = law.beyond === null ? "" : `; ${whatFollows[law.beyond]}`
    const absent =
      law.taken === null
        ? whenAbsent[law.absent]
        : `${law.taken}${law.absent === "null" ? "" : `; ${whenAbsent[law.absent]}`}`
    return [
      names.map((name) => `\`${name}\``).join(" or "),
      law.by!,
      `${absent}${beyond}`,
      `${whenUnreadable[law.unreadable]}${beyond}`,
      law.unknown ?? ""
    ]
  })
  const unused = others.length === 0 ? "" : wrapped(`Not used for any decision: ${others.join(", ")}.`)
  const decided =
    rows.length === 0 ? "" : table(["field", "what it decides", "absent", "unreadable", "unknown value"], rows)
  return [decided, unused].filter((part) => part !== "").join("\n\n")
}
