import type { Instant } from "../document/Instant.ts"
import * as WireCodec from "../document/WireCodec.ts"
import * as AuthorityCode from "../preflight/AuthorityCode.ts"
import { type ImportedDocument, stamped } from "./ImportedDocument.ts"

export const toJson = (row: ImportedDocument, now: Instant): object => {
  const { cause, findings, id, kind, number, replaces, requestId, source, state, text, verificationCode } = row
  const document = stamped(row, now)
  return {
    kind,
    id,
    number,
    payload: document === null ? null : WireCodec.toWire(document),
    findings: findings.map(({ _tag, ...finding }) => finding),
    source,
    state,
    requestId,
    verificationCode,
    said: text,
    cause,
    replaces,
    codes: AuthorityCode.inText(text ?? "")
  }
}
