/** Each kind of failure has its own code, text and next step. */
import * as Finding from "../finding/Finding.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import { operations } from "../gateway/contract/Operation.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import { AccountFinding } from "./AccountFinding.ts"

const clearText = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_TOO_SMALL|EPROTO|UNKNOWN_PROTOCOL|HTTP_REQUEST/

const ofNotSent = (cause: string, code: string): FindingCode => {
  if (cause === "name-not-resolved") return AccountFinding.GATEWAY_NAME_UNKNOWN
  if (code === "ECONNREFUSED") return AccountFinding.GATEWAY_REFUSES_CONNECTION
  if (cause !== "tls-failure") return AccountFinding.GATEWAY_UNREACHED
  if (code.includes("CERT_HAS_EXPIRED")) return AccountFinding.CERTIFICATE_EXPIRED
  return clearText.test(code) ? AccountFinding.GATEWAY_SPEAKS_HTTP : AccountFinding.CERTIFICATE_UNTRUSTED
}

const ofStatus = (status: number | undefined): FindingCode => {
  if (status === undefined) return AccountFinding.GATEWAY_UNREACHED
  if (status >= 300 && status < 400) return AccountFinding.GATEWAY_REDIRECTS
  return status >= 500 ? AccountFinding.GATEWAY_DOWN : AccountFinding.GATEWAY_UNREACHED
}

export const codeOf = ({ exchanged, operation, reason }: GatewayError): FindingCode => {
  switch (reason._tag) {
    case "CredentialsRefused":
      // Check Status is the only signed read. Callers use it after unsigned reads with the same key
      // have succeeded.
      return operation === operations.status.name ? AccountFinding.SECRET_REFUSED : AccountFinding.KEY_REFUSED
    case "NotSent":
      return ofNotSent(reason.cause, exchanged?.code ?? "")
    case "Unavailable":
      return ofStatus(reason.status)
    case "NotFound":
      return reason.what === "device" ? AccountFinding.DEVICE_MISSING : AccountFinding.NOT_A_GATEWAY
    case "Misdirected":
      return AccountFinding.NOT_A_GATEWAY
    case "MalformedAnswer":
      return reason.text.startsWith("not JSON") ? AccountFinding.NOT_A_GATEWAY : AccountFinding.ANSWER_MALFORMED
    case "Limited":
      return AccountFinding.GATEWAY_BUSY
    case "Declined":
    case "UnknownOutcome":
      return AccountFinding.GATEWAY_UNREACHED
  }
}

export const finding = (error: GatewayError): Finding.Finding => {
  const code = codeOf(error)
  const detail =
    error.reason._tag === "MalformedAnswer" && error.reason.excerpt !== "" ? error.reason.excerpt : undefined
  return Finding.make(code, {
    message: error.message,
    ...(code === AccountFinding.NOT_A_GATEWAY && detail !== undefined && { detail }),
    steps: [...(code.steps ?? []), { do: "why", code: error.reason._tag }]
  })
}
