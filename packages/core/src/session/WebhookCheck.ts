/**
 * Tests a webhook address like the gateway: a signed, empty delivery, then one with a wrong
 * signature. Neither contains a key or can change anything at the receiver.
 */
import { Array as Arr, Clock, Context, Effect, Option, Redacted } from "effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { isLoopback } from "../gateway/contract/Loopback.ts"
import * as AnswerText from "../gateway/exchange/AnswerText.ts"
import * as Transmission from "../gateway/exchange/Transmission.ts"
import { type SignedBody, signedBody, switchesOf, type WebhookAccount } from "../sending/WebhookDelivery.ts"

export interface CheckedDelivery {
  readonly sent: "signed" | "badly signed" | "unsigned"
  readonly answer: string
  readonly problems: ReadonlyArray<string>
}

interface CheckResponse {
  readonly status: number
  readonly text: string
  readonly cookies: "none" | "some"
  readonly millis: number
}

const empty = new TextEncoder().encode("[]")

const requestContext = Context.empty().pipe(
  Context.add(HttpClient.TracerDisabledWhen, () => true),
  Context.add(FetchHttpClient.RequestInit, { redirect: "manual" })
)

const addressProblems = (url: string): ReadonlyArray<string> => {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    return ["expected an address such as https://host/webhooks/shop"]
  if (parsed.username !== "" || parsed.password !== "") return ["expected no user name and no password in the address"]
  return parsed.protocol === "http:" && !isLoopback(parsed.hostname)
    ? ["it is http: others on the network can read the outcomes. Give the gateway an https address"]
    : []
}

const unreachable = {
  "name-not-resolved": "the name is not known to this machine's resolver",
  "not-connected": "nothing listens there, or a firewall is in between",
  "tls-failure": "its certificate is not trusted, and the gateway will not trust it either",
  "aborted-before-sending": "the connection was given up"
} as const

/** Sends one POST. Fails with the reason for the missing answer. */
const post = (url: string, signed: SignedBody, seconds: number) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const began = yield* Clock.currentTimeMillis
    const request = HttpClientRequest.post(url, {
      headers: signed.headers,
      body: HttpBody.uint8Array(signed.body, signed.headers["content-type"])
    })
    const response = yield* client.execute(request)
    const text = yield* response.text
    const cookies = response.headers["set-cookie"] === undefined ? "none" : "some"
    const millis = (yield* Clock.currentTimeMillis) - began
    return { status: response.status, text, cookies, millis } satisfies CheckResponse
  }).pipe(
    Effect.provideContext(Context.add(requestContext, Transmission.Transmission, Transmission.make())),
    Effect.mapError(
      ({ reason: { cause } }) => `${unreachable[Transmission.whyNotSent(cause)]} (${Transmission.codeOf(cause)})`
    ),
    Effect.timeoutOrElse({
      duration: `${seconds} seconds`,
      orElse: () => Effect.fail(`no answer within ${seconds} seconds, which is all the time there is (HOOK-4)`)
    })
  )

const statusProblem = ({ status, text }: CheckResponse, header: string): string | null => {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400)
    return `it redirects (${status}), which the gateway does not follow: register the address it leads to`
  if (status === 401 || status === 403) {
    return `it refuses the signature (${status}): it has another secret than this account, or something on the way changes the body or drops ${header}`
  }
  if (status === 404 || status === 405)
    return `there is no receiver at this path (${status}); the connector's own receiver has one at /webhooks/ACCOUNT`
  return `it answers ${status}: ${AnswerText.oneLine(AnswerText.fromErrorBody(text), 400) || "without a text"}`
}

const deliver = (
  url: string,
  sent: CheckedDelivery["sent"],
  signed: SignedBody,
  seconds: number,
  judge: (answered: CheckResponse) => ReadonlyArray<string>
) =>
  Effect.match(post(url, signed, seconds), {
    onFailure: (problem): CheckedDelivery => ({ sent, answer: "none", problems: [problem] }),
    onSuccess: (answered): CheckedDelivery => ({ sent, answer: String(answered.status), problems: judge(answered) })
  })

/**
 * Tests the address of an account's webhook. Deliveries for an account without a secret are nudges,
 * so the test delivery is unsigned.
 */
export const check = (
  url: string,
  account: WebhookAccount
): Effect.Effect<ReadonlyArray<CheckedDelivery>, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const switches = switchesOf(account)
    const header = switches["HOOK-3"]
    const wrong = addressProblems(url)
    const secret = Arr.head(account.secrets)
    const sent = Option.isSome(secret) ? "signed" : "unsigned"
    if (URL.parse(url) === null || !/^https?:/.test(url)) return [{ sent, answer: "none", problems: wrong }]
    const first = yield* deliver(url, sent, signedBody(empty, account), switches["HOOK-4"], (answered) => {
      const status = statusProblem(answered, header)
      const cookies =
        answered.cookies === "some" ? ["it sets a cookie, for which gateways refuse a receiver (HOOK-4)"] : []
      const nudge =
        Option.isSome(secret) && answered.status === 204
          ? ["it takes deliveries as nudges only (204): it has no secret for this account, and believes none of them"]
          : []
      return [...wrong, ...(status === null ? [] : [status]), ...cookies, ...nudge]
    })
    if (Option.isNone(secret) || first.answer === "none" || first.problems.some((text) => !wrong.includes(text)))
      return [first]
    const stranger = { ...account, secrets: [Redacted.make("not the secret of this account")] }
    const second = yield* deliver(url, "badly signed", signedBody(empty, stranger), switches["HOOK-4"], ({ status }) =>
      status === 401
        ? []
        : status >= 200 && status < 300
          ? [
              "it accepts deliveries that are not signed with the secret: everyone who knows the address can invent outcomes"
            ]
          : [`it answers ${status} to a bad signature, where gateways expect 401 (HOOK-4)`]
    )
    return [first, second]
  })
