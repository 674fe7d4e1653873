/**
 * Conversion of an adapter's failure to an error, with the possible answers for every open
 * question.
 */
import type { AdapterError } from "@fiscal-connector/core/source/Adapter"
import { docUrl } from "@fiscal-connector/core/unstable/codes/DocUrl"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { Choice, Problem } from "../Problem.ts"
import { type ReadBy, settling } from "./choices.ts"

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
          readings.map(({ answer, examples, reading }) => settling(answer, adapter, { reading, examples }))
        )
      )
    case "ExportUnreadable":
      return [
        problem(
          reason.problem,
          reason.file,
          reason.fix,
          (reason.answers ?? []).map((answer) => settling(answer, adapter))
        )
      ]
    case "InputFailed":
      return [problem(reason.problem, reason.file, "Check that the file is there, is complete and may be read")]
    case "AdapterBroke":
      return [problem(reason.problem, reason.file, "Mend the adapter, not the export")]
  }
}
