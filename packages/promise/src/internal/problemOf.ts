import { DocUrl } from "@fiscal-connector/core/host"
import type { Finding } from "@fiscal-connector/core/adapter"
import type { Choice, Problem } from "../Problem.ts"

export const problemOf = (
  { code, detail, fix, message, path, severity, statements }: Finding.Finding,
  choices: ReadonlyArray<Choice> = []
): Problem => ({
  code,
  severity,
  message,
  detail: detail ?? null,
  fix,
  path,
  docUrl: DocUrl.docUrl(code),
  ...(statements && { statements }),
  ...(choices.length > 0 && { choices })
})
