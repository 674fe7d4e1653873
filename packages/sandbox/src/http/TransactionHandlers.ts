import type * as ExactJson from "../wire/ExactJson.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Intake from "../gateway/Intake.ts"
import * as Processing from "../gateway/Processing.ts"
import { currentOutcome } from "../gateway/Submission.ts"
import * as Status from "../gateway/Status.ts"
import { World } from "../gateway/World.ts"
import { CreditNote, type Document, fromCreditNote, fromInvoice, Invoice } from "../wire/Document.ts"
import { deviceOf } from "./AccountHandlers.ts"
import * as Answer from "./Answer.ts"
import * as Body from "./Body.ts"
import { Caller } from "./Gate.ts"
import { GatewayApi } from "./GatewayApi.ts"
import * as Leniency from "./Leniency.ts"
import { Webhooks } from "../webhook/Webhooks.ts"

const decodeInvoice = Body.decoder(Invoice)
const decodeCreditNote = Body.decoder(CreditNote)
const decodeIds = Body.decoder(Schema.Array(Schema.String))

const look = Effect.gen(function* () {
  const world = yield* World
  const now = yield* world.clock.now
  Processing.workOff(world, now)
  return { world, now }
})

/** An account without a device is refused later, whatever its dates. */
const leniency = Effect.gen(function* () {
  const { config } = yield* World
  const { account } = yield* Caller
  if (account.device === undefined) return undefined
  const dated = Leniency.dated(config, account.device.config.zone)
  const addressed = Leniency.addressed(config)
  return (json: ExactJson.ExactJson) => addressed(dated(json))
})

const submit = Effect.fnUntraced(function* (document: Document) {
  const { account, decided, promptness } = yield* Caller
  const device = yield* deviceOf(account)
  const { now, world } = yield* look
  if (world.config.repeats === "decline" && Intake.isRepeated(world, account, document))
    return yield* new Answer.Declined({ status: 400, message: "Duplicate invoice number" })
  const requestId = Intake.accept(world, now, account, device, document, decided)
  if (promptness === "early") yield* (yield* Webhooks).hurry(requestId)
  return Answer.text(requestId)
})

export const layer = HttpApiBuilder.group(GatewayApi, "transactions", (handlers) =>
  handlers
    .handleRaw("submitInvoice", () =>
      Effect.gen(function* () {
        const { body, contentType } = yield* Caller
        return yield* submit(fromInvoice(yield* decodeInvoice(body, contentType, yield* leniency)))
      }).pipe(Answer.respond)
    )
    .handleRaw("submitCreditNote", () =>
      Effect.gen(function* () {
        const { body, contentType } = yield* Caller
        return yield* submit(fromCreditNote(yield* decodeCreditNote(body, contentType, yield* leniency)))
      }).pipe(Answer.respond)
    )
    .handleRaw("status", () =>
      Effect.gen(function* () {
        const { account, body, contentType } = yield* Caller
        const ids = yield* decodeIds(body, contentType)
        const { now, world } = yield* look
        return Answer.json(
          Status.answer(world, now, account, ids, { ids: world.unknownIds, item: world.config.unknownItem })
        )
      }).pipe(Answer.respond)
    )
    .handle(
      "downloadPdf",
      Effect.fnUntraced(function* ({ params }) {
        const { account } = yield* Caller
        const { world } = yield* look
        const submission = world.submissions.get(params.file.replace(/\.pdf$/, ""))
        const outcome = submission === undefined ? undefined : currentOutcome(world, submission)
        if (
          submission?.account !== account.name ||
          outcome?._tag !== "Fiscalised" ||
          outcome.receipt.pdf !== params.file
        ) {
          return yield* new Answer.Declined({ status: 404, message: "the account has no PDF of that name" })
        }
        const InvoicePdf = yield* Effect.promise(() => import("../pdf/InvoicePdf.ts"))
        return Answer.pdf(yield* InvoicePdf.render(submission.document, outcome.receipt))
      }, Answer.respond)
    )
)
