/** Conversion of a finding to a problem. */
import { docUrl } from "@fiscal-connector/core/unstable/codes/DocUrl"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import type { Choice, Problem } from "../Problem.ts"

export const problemOf = (
  { code, detail, fix, message, path, severity, statements }: Finding,
  choices: ReadonlyArray<Choice> = []
): Problem => ({
  code,
  severity,
  message,
  detail: detail ?? null,
  fix,
  path,
  docUrl: docUrl(code),
  ...(statements && { statements }),
  ...(choices.length > 0 && { choices })
})
