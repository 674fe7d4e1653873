/** A delivery of outcomes as a host hands it over: the account its address stands for, the headers, and the very bytes of the body. */
import { type DateTime, Redacted, Result } from "effect"
import * as Money from "../document/Money.ts"
import { docsPage } from "../finding/DocsPage.ts"
import { type AssumptionSwitches, defaults } from "../gateway/contract/AssumptionSwitches.ts"
import * as Redaction from "../gateway/exchange/Redaction.ts"
import * as Signature from "../gateway/exchange/Signature.ts"
import { decodeItems, type StatusItems } from "../gateway/operation/Status.ts"

type Switches = Pick<AssumptionSwitches, "AUTH-2" | "HOOK-1" | "HOOK-3" | "HOOK-4" | "STAT-1" | "STAT-2">

/** An account as its deliveries are read: always a value, and found by the address they came to, since the body names none (HOOK-6). */
export interface WebhookAccount {
  readonly account: string
  /**
   * The secret in use, and former ones while it is rotated (AUTH-6); an empty text is none. Without any, a delivery is a nudge to look at
   * /status, never an outcome.
   */
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
  /** The account's key: like its secrets it is taken out of what is kept, should the gateway echo it. */
  readonly apiKey?: Redacted.Redacted<string> | undefined
  /** What is left out has its default. */
  readonly assumptions?: Partial<Switches> | undefined
}

/** Headers by name, of any case; as `request.headers` of Node, or `Object.fromEntries(request.headers)` of a web Request. */
export type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A request that came to the webhook's address. */
export interface Delivery {
  readonly account: WebhookAccount
  readonly headers: Headers
  /** The bytes as they came, before any parser: the signature is over exactly these. */
  readonly body: Uint8Array
  /** When the request came in; its answer is due within HOOK-4 of it. Default: now. */
  readonly receivedAt?: DateTime.Utc | Date | undefined
}

/** The largest body taken, in bytes: a hundred times what the gateway has been seen to send. */
export const maxBodySize = 1024 * 1024

/** Request ids are 1 to 200 characters long (what a submission's answer may be). */
const longestId = 200

/** The account's assumption switches, with the defaults filled in. */
export const switchesOf = ({ assumptions }: Pick<WebhookAccount, "assumptions">): Switches => ({
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
  `Next.js and the like: await request.arrayBuffer()). See ${docsPage("webhooks")}`

/** What a host did to the body before it came here, as a sentence; null where it is as it was sent. */
export const bodyProblem = (body: unknown, headers: Headers): string | null => {
  if (!(body instanceof Uint8Array)) {
    return `The body of the delivery arrived as ${kindOf(body)}, not as bytes: something parsed it, and no signature fits what it made of it. ${mountFirst}`
  }
  const announced = Number(headerOf(headers, "content-length") ?? 0)
  return body.length === 0 && announced > 0
    ? `The body of the delivery is empty, but ${announced} bytes were announced: something read it before. ${mountFirst}`
    : null
}

/** A body with the headers that a delivery of it to the account has: signed as the gateway signs, where the account has a secret. */
export interface SignedBody {
  readonly headers: Readonly<Record<string, string>> & { readonly "content-type": string }
  readonly body: Uint8Array
}

/** A delivery's body with the headers that its sender signs it with. */
export const signedBody = (body: Uint8Array, account: Pick<WebhookAccount, "secrets" | "assumptions">): SignedBody => {
  const switches = switchesOf(account)
  const [secret] = secretsOf(account)
  const signature = secret && {
    [switches["HOOK-3"].toLowerCase()]: Signature.signing(secret, switches["AUTH-2"])(body)
  }
  return { headers: { "content-type": "application/json", ...signature }, body }
}

/** Anybody can sign with an empty key, such as a variable that is not set leaves behind. */
const secretsOf = ({ secrets }: Pick<WebhookAccount, "secrets">): WebhookAccount["secrets"] =>
  secrets.filter((secret) => Redacted.value(secret) !== "")

/** Whether deliveries to the account can be believed at all. */
export const hasSecret = (account: Pick<WebhookAccount, "secrets">): boolean => secretsOf(account).length > 0

/** Whether one of the account's secrets signed these bytes (HOOK-3). */
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

/** The items of the body, each read by itself (HOOK-5); fails where it is no array at all. An empty body is an empty array. */
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
