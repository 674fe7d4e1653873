/** Why an export could not be read on: every open question with what settles it. */
import type { AdapterError } from "@fiscal-connector/core/source/Adapter"
import type { Answer } from "@fiscal-connector/core/finding/Answer"
import { docUrl } from "@fiscal-connector/core/unstable/codes/DocUrl"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { Choice, Problem } from "../Problem.ts"

type Options = Readonly<Record<string, unknown>>

/** What of an adapter is asked: how its options say an answer. */
export interface ReadBy {
  optionsOf?(answer: Answer): Options | undefined
}

export const exportError =
  (adapter: ReadBy) =>
  (error: AdapterError): FiscalConnectorError => {
    const { message, reason } = error
    return new FiscalConnectorError(
      reason._tag === "ReadingAmbiguous" ? "export_ambiguous" : "export_unreadable",
      message,
      { problems: problemsOf(reason, adapter), cause: error }
    )
  }

const problemsOf = (reason: AdapterError["reason"], adapter: ReadBy): ReadonlyArray<Problem> => {
  const problem = (message: string, file: string, fix: string, choices: ReadonlyArray<Choice> = []): Problem => ({
    code: reason._tag,
    severity: "error",
    message,
    detail: file,
    fix,
    path: [],
    docUrl: docUrl(reason._tag),
    choices
  })
  switch (reason._tag) {
    case "ReadingAmbiguous":
      return reason.questions.map(({ file, question, readings }) =>
        problem(
          question,
          file,
          "Say which of the choices is right: lay its options over those of the export",
          readings.map(({ answer, examples, reading }) => ({ reading, examples, ...settling(answer, adapter) }))
        )
      )
    case "ExportUnreadable":
      return [
        problem(
          reason.problem,
          reason.file,
          reason.fix,
          (reason.answers ?? []).map((answer) => ({ reading: null, examples: [], ...settling(answer, adapter) }))
        )
      ]
    case "InputFailed":
      return [problem(reason.problem, reason.file, "Check that the file is there, is complete and may be read")]
    case "AdapterBroke":
      return [problem(reason.problem, reason.file, "Mend the adapter, not the export")]
  }
}

const settling = (answer: Answer, adapter: ReadBy): Pick<Choice, "options" | "write"> => {
  const optionsOf = (given: Answer): Options | undefined =>
    adapter.optionsOf === undefined ? ("settings" in given ? given.settings : undefined) : adapter.optionsOf(given)
  const options = optionsOf(answer)
  if (options !== undefined) return { options, write: null }
  if ("ask" in answer) {
    const place = answer.ask === "columns" ? { columns: "…" } : optionsOf({ settings: { [answer.ask]: "…" } })
    return { options: null, write: JSON.stringify(place ?? { [answer.ask]: "…" }) }
  }
  const parts = "columns" in answer ? answer.columns : [answer]
  return { options: null, write: `${parts.map((part) => JSON.stringify(part)).join(", ")} in the column map` }
}
