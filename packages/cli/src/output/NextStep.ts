import { OperatorRecord } from "@fiscal-connector/core/decisions"
import type { Step } from "@fiscal-connector/core/host"
import * as AnswerFlag from "./AnswerFlag.ts"
import { type CallShape, type NextCall, placeholders } from "./Call.ts"

export interface StepSubject {
  readonly number: string | undefined
  readonly account: string | undefined
  readonly forAccount?: string | undefined
}

const document: ReadonlyArray<string> = ["config", "account", "store"]
const store: ReadonlyArray<string> = ["config", "store"]
const account: ReadonlyArray<string> = ["config", "account"]
const mappings: ReadonlyArray<string> = ["config", "account", "book"]

const seen = OperatorRecord.reasonPlaceholder("what you saw in the portal")
const why = OperatorRecord.reasonPlaceholder("why")
/** Place for the documents whose failure the operator saw: each may still become a receipt. */
export const lookedUp = OperatorRecord.reasonPlaceholder("numbers that the portal shows as failed")

const ofDocuments: ReadonlySet<Step.Step["do"]> = new Set(["explain", "resolve", "withdraw", "credit"])

export const isOfDocument = (step: Step.Step): boolean =>
  ofDocuments.has(step.do) && !("of" in step && step.do !== "list-mappings" && step.do !== "delete-mapping")

export const callFor = (step: Step.Step, call: CallShape, subject: Partial<StepSubject> = {}): string | null => {
  switch (step.do) {
    case "why":
      return call.next({ command: ["why"], operands: [step.code] })
    case "import-again":
      return again(
        "answer" in step ? AnswerFlag.argsOf(step.answer) : "timing" in step ? [`--${step.timing}`] : [],
        call,
        subject
      )
    default:
      return call.place === "gone" || (call.place === "planned" && isOfDocument(step))
        ? null
        : call.next(kept(step, call, subject))
  }
}

const again = (flags: ReadonlyArray<string>, call: CallShape, { forAccount }: Partial<StepSubject>): string =>
  call.command === "import" || call.command === "plan"
    ? call.again(...flags)
    : call.next({
        command: ["import", "csv"],
        operands: ["FILE"],
        as: forAccount === undefined ? account : ["config"],
        needs: call.configuration,
        flags: [...(forAccount === undefined ? [] : ["--account", forAccount]), ...flags]
      })

const codeFlags: ReadonlyArray<string> = ["--verification", OperatorRecord.reasonPlaceholder("code")]

const creditFlags = (step: Extract<Step.Step, { readonly do: "credit" }>): ReadonlyArray<string> =>
  "credited" in step
    ? ["--credited", step.credited, "--because", seen]
    : [
        ...(step.receipt === undefined ? [] : ["--receipt", step.receipt]),
        ...(step.seen === undefined ? [] : ["--seen-in-portal"]),
        ...(step.amount === undefined ? [] : ["--full"]),
        ...(step.number === undefined ? [] : ["--number", OperatorRecord.reasonPlaceholder("another number")])
      ]

type PrintedStep = Exclude<Step.Step, { readonly do: "why" | "import-again" }>

const kept = (step: PrintedStep, { configuration }: CallShape, subject: Partial<StepSubject>): NextCall => {
  const { account: name = "NAME", forAccount, number = "NUMBER" } = subject
  const book = { ...configuration, book: placeholders["book"]! }
  const accountFlags = forAccount === undefined ? [] : ["--account", forAccount]
  const besides = (flags: ReadonlyArray<string>) =>
    forAccount === undefined ? flags : flags.filter((flag) => flag !== "account")
  const ofDocument = besides(document)
  const about = (
    command: string,
    selection: Step.StepSelection | undefined,
    flags: ReadonlyArray<string>,
    document = number
  ) => ({
    command: [command],
    operands: selection === undefined ? [document] : selection.state === "Accepted" ? [lookedUp] : [],
    as: ofDocument,
    flags: [...accountFlags, ...selected(selection), ...flags, "--because", seen]
  })
  switch (step.do) {
    case "doctor":
      return { command: ["doctor"], as: besides(mappings), needs: configuration, flags: accountFlags }
    case "resume":
      return {
        command: ["resume"],
        as: account,
        needs: configuration,
        flags: step.live === "allowed" ? ["--live"] : []
      }
    case "cancel-import":
      return { command: ["imports", "cancel"], operands: [String(step.id)], as: store }
    case "dismiss":
      return {
        command: ["imports", "dismiss"],
        as: store,
        flags: [...accountFlags, "--cause", step.cause, "--because", why]
      }
    case "compare-day":
      return {
        command: ["z-reports"],
        as: besides(account),
        needs: configuration,
        flags: [...accountFlags, "--day", String(step.day)]
      }
    case "reconcile":
      return {
        command: ["reconcile"],
        as: besides(account),
        needs: configuration,
        flags: [...accountFlags, "--from", step.from, "--to", step.to]
      }
    case "acknowledge-day":
      return {
        command: ["z-reports", "acknowledge"],
        operands: [String(step.day)],
        as: besides(account),
        needs: configuration,
        flags: [...accountFlags, "--because", seen]
      }
    case "other-programs":
      return {
        command: ["device", step.stated],
        as: besides(account),
        needs: configuration,
        flags: [
          ...accountFlags,
          "--because",
          OperatorRecord.reasonPlaceholder(step.stated === "others" ? "which till or program" : "how you know")
        ]
      }
    case "sync":
      return { command: ["sync"], operands: [step.source], as: ["config"], needs: configuration }
    case "source-login":
      return { command: ["source", "login"], operands: [step.source], as: ["config"], needs: configuration }
    case "forget-source":
      return {
        command: ["source", "forget"],
        operands: [step.source],
        as: ["config"],
        needs: configuration,
        flags: ["--because", why]
      }
    case "health":
      return { command: ["health"], as: store }
    case "imports":
      return { command: ["imports"], as: store }
    case "list":
      return {
        command: ["list"],
        as: document,
        flags: step.state === undefined ? [] : ["--state", step.state]
      }
    case "explain":
      return { command: ["explain"], operands: [number], as: ofDocument, flags: accountFlags }
    case "resolve": {
      const flags =
        step.as === "accepted"
          ? ["--accepted", "REQUEST_ID"]
          : step.as === "rejected"
            ? [
                "--rejected",
                step.of?.text ?? step.of?.cause ?? OperatorRecord.reasonPlaceholder("what the gateway says")
              ]
            : [`--${step.as}`, ...(step.code === undefined ? [] : codeFlags)]
      return about("resolve", step.of, flags)
    }
    case "credit":
      return {
        command: ["credit"],
        // without a number, the list of what could be credited
        operands: subject.number === undefined ? [] : [subject.number],
        as: besides(account),
        needs: configuration,
        flags: [...accountFlags, ...creditFlags(step)]
      }
    case "withdraw":
      return about("withdraw", step.of, [], step.document)
    case "repin":
    case "trust-origin":
      return {
        command: ["account", step.do],
        operands: [name],
        as: ["config"],
        needs: configuration,
        flags: ["--because", why]
      }
    case "accept-unknown":
      return {
        command: ["account", "accept-unknown"],
        operands: [step.fact ?? "taxes"],
        as: account,
        needs: configuration,
        flags: ["--because", why]
      }
    case "accept-older":
      return {
        command: ["store", "accept-older"],
        as: ["config"],
        needs: configuration,
        flags: ["--because", why]
      }
    case "compare-mappings":
      return {
        command: ["mappings", "plan"],
        as: mappings,
        needs: book,
        flags: step.extras === "delete" ? ["--delete"] : []
      }
    case "pull-mappings":
      return { command: ["mappings", "pull"], as: mappings, needs: book }
    case "list-mappings":
      return { command: ["gateway", `${step.of}-mappings`], as: account, needs: configuration }
    case "delete-mapping":
      return {
        command: ["gateway", `delete-${step.of}-mapping`],
        operands: [String(step.id)],
        as: account,
        needs: configuration
      }
    case "show-device":
      return { command: ["gateway", "fiscaldevice"], as: account, needs: configuration }
    case "show-currencies":
      return { command: ["gateway", "supported-currencies"], as: account, needs: configuration }
    case "back-up":
      return { command: ["store", "backup"], operands: ["FILE"], as: store }
  }
}

const selected = (selection: Step.StepSelection | undefined): ReadonlyArray<string> =>
  selection === undefined
    ? []
    : [
        "--state",
        selection.state,
        ...(selection.cause === undefined ? [] : ["--cause", selection.cause]),
        ...(selection.conflict === undefined ? [] : ["--conflict", selection.conflict]),
        ...(selection.text === undefined ? [] : ["--text", selection.text])
      ]

export const callsFor = (
  steps: ReadonlyArray<Step.Step> | undefined,
  call: CallShape,
  subject: Partial<StepSubject> = {}
): ReadonlyArray<string> => (steps ?? []).flatMap((step) => callFor(step, call, subject) ?? [])

export const afterwards = (call: CallShape): string => {
  const pdfs = call.next({ command: ["pdf"], as: account, flags: ["--all", "--out-dir", "pdf"] })
  return `Their PDFs, and the fiscal day once it is closed:\n  ${pdfs}\n  ${call.next({ command: ["z-reports"], as: account })}`
}

export const onTheirWay = (call: CallShape): string => {
  const next = callsFor([{ do: "health" }, { do: "resume" }], call)
  return ["Some documents may be on their way.", ...next.map((line) => `  ${line}`)].join("\n")
}
