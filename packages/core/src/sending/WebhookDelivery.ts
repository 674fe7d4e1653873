/** The account of the delivery's address, the headers, and the exact bytes of the body. */
import { type DateTime, Redacted, Result } from "effect"
import * as Money from "../document/Money.ts"
import { docsPage } from "../finding/DocsPage.ts"
import { type AssumptionSwitches, defaults } from "../gateway/contract/AssumptionSwitches.ts"
import * as Redaction from "../gateway/exchange/Redaction.ts"
import * as Signature from "../gateway/exchange/Signature.ts"
import { decodeItems, type StatusItems } from "../gateway/operation/Status.ts"

type DeliverySwitches = Pick<
  AssumptionSwitches,
  "AUTH-2" | "HOOK-1" | "HOOK-3" | "HOOK-4" | "STAT-1" | "STAT-2" | "STAT-9" | "STAT-11"
>

/**
 * An account with the data for reading its deliveries. Always a value. Found by the address of the
 * delivery, because the body contains no account (HOOK-6).
 */
export interface WebhookAccount {
  readonly account: string
  /**
   * The current secret, and former secrets during a rotation (AUTH-6). An empty text does not count
   * as a secret. Without a secret, a delivery is only a nudge to look at /status, never an outcome.
   */
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
  /**
   * The account's key. Like the secrets, the key is removed from stored values in case the gateway
   * echoes it.
   */
  readonly apiKey?: Redacted.Redacted<string> | undefined
  /** Switches that are left out have their defaults. */
  readonly assumptions?: Partial<DeliverySwitches> | undefined
}

/**
 * Headers by name, in any case: `request.headers` of Node, or `Object.fromEntries(request.headers)`
 * of a web Request.
 */
export type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A request to the webhook's address. */
export interface Delivery {
  readonly account: WebhookAccount
  readonly headers: Headers
  /** The bytes as received, before any parser. The signature covers exactly these bytes. */
  readonly body: Uint8Array
  /** The answer is due within HOOK-4. Default: now. */
  readonly receivedAt?: DateTime.Utc | Date | undefined
}

/** Largest accepted body, in bytes: a hundred times the largest body seen from the gateway. */
export const maxBodySize = 1024 * 1024

/** Longest request id. A submission's answer gives an id of 1 to 200 characters. */
const longestId = 200

/** Returns the account's assumption switches, with defaults. */
export const switchesOf = ({ assumptions }: Pick<WebhookAccount, "assumptions">): DeliverySwitches => ({
  ...defaults,
  ...assumptions
})

const headerOf = (headers: Headers, name: string): string | undefined => {
  const wanted = name.toLowerCase()
  const [, value] = Object.entries(headers).find(([known]) => known.toLowerCase() === wanted) ?? []
  return typeof value === "object" ? value.join(", ") : value
}

const kindOf = (body: unknown): string => {
  if (body === null || body === undefined) return "nothing"
  return typeof body === "object" ? "an object" : `a ${typeof body}`
}

const mountFirst =
  "Give the receiver the bytes themselves: mount it before any body parser, or have the parser leave them alone " +
  '(Express: express.raw({ type: () => true }); Fastify: addContentTypeParser("*", { parseAs: "buffer" }, …); ' +
  `Next.js and the like: await request.arrayBuffer()). See ${docsPage("run.md#webhooks")}`

/**
 * Describes how the host altered the body before passing the delivery on. Null if the body is as
 * sent.
 */
export const bodyProblem = (body: unknown, headers: Headers): string | null => {
  if (!(body instanceof Uint8Array)) {
    return `The body of the delivery arrived as ${kindOf(body)}, not as bytes: something parsed it, and no signature fits what it made of it. ${mountFirst}`
  }
  const announced = Number(headerOf(headers, "content-length") ?? 0)
  return body.length === 0 && announced > 0
    ? `The body of the delivery is empty, but ${announced} bytes were announced: something read it before. ${mountFirst}`
    : null
}

/**
 * A body with the headers of its delivery. Signed as the gateway signs, if the account has a
 * secret.
 */
export interface SignedBody {
  readonly headers: Readonly<Record<string, string>> & { readonly "content-type": string }
  readonly body: Uint8Array
}

/** Signs a body as the gateway would, and returns the body with its headers. */
export const signedBody = (body: Uint8Array, account: Pick<WebhookAccount, "secrets" | "assumptions">): SignedBody => {
  const switches = switchesOf(account)
  const [secret] = secretsOf(account)
  const signature = secret && {
    [switches["HOOK-3"].toLowerCase()]: Signature.signing(secret, switches["AUTH-2"])(body)
  }
  return { headers: { "content-type": "application/json", ...signature }, body }
}

/** Anyone can sign with an empty key, which an unset variable may leave. */
const secretsOf = ({ secrets }: Pick<WebhookAccount, "secrets">): WebhookAccount["secrets"] =>
  secrets.filter((secret) => Redacted.value(secret) !== "")

/**
 * True if the account has a secret. Without a secret no delivery is accepted as an outcome.
 */
export const hasSecret = (account: Pick<WebhookAccount, "secrets">): boolean => secretsOf(account).length > 0

/** True if one of the account's secrets signed these bytes (HOOK-3). */
export const isSigned = ({ account, body, headers }: Delivery): boolean => {
  const switches = switchesOf(account)
  return Signature.verify(secretsOf(account), body, headerOf(headers, switches["HOOK-3"]), switches["AUTH-2"])
}

const masked = ({ apiKey, secrets }: WebhookAccount, wire: unknown): unknown =>
  Redaction.redacting(
    [...secrets, ...(apiKey === undefined ? [] : [apiKey])].map(Redacted.value).filter((secret) => secret !== "")
  ).value(wire)

const utf8 = new TextDecoder("utf-8", { fatal: true })

const text = (body: Uint8Array): Result.Result<string, string> =>
  Result.try({ try: () => utf8.decode(body), catch: () => "not UTF-8" })

/**
 * Reads the items of the body, each item separately (HOOK-5). Fails if the body is not an array. An
 * empty body counts as an empty array.
 */
export const itemsOf = ({ account, body }: Pick<Delivery, "account" | "body">): Result.Result<StatusItems, string> => {
  if (body.length === 0) return Result.succeed({ items: [], malformed: [] })
  const switches = switchesOf(account)
  return Result.flatMap(Result.flatMap(text(body), Money.parseJson), (wire) =>
    Result.map(
      decodeItems(
        masked(account, switches["HOOK-1"] === "array-or-item" && !Array.isArray(wire) ? [wire] : wire),
        switches
      ),
      ({ items, malformed }) => {
        const possible = items.filter(({ requestId }) => requestId.length <= longestId)
        const tooLong = Array.from({ length: items.length - possible.length }, () => "RequestId: longer than any")
        return { items: possible, malformed: [...malformed, ...tooLong] }
      }
    )
  )
}
