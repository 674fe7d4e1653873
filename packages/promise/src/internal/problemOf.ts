/** A finding as a problem. */
import { docUrl } from "@fiscal-connector/core/unstable/codes/DocUrl"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import type { Problem } from "../Problem.ts"

export const problemOf = ({ code, detail, fix, message, path, severity }: Finding): Problem => ({
  code,
  severity,
  message,
  detail: detail ?? null,
  fix,
  path,
  docUrl: docUrl(code)
})
