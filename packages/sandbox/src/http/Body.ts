/** Content type, UTF-8, exact JSON, schema. Every refusal is a Declined. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ExactJson from "../wire/ExactJson.ts"
import * as Problems from "../wire/Problems.ts"
import { Declined } from "./Answer.ts"

const isJson = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^application\/json\s*(;|$)/i.test(contentType.trim())

const text = (bytes: Uint8Array) =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => new Declined({ status: 400, message: "the body is not UTF-8" })
  })

/**
 * Returns a decoder of request bodies; `prepare` changes the JSON before decoding. Fails with 415
 * for another content type, and with 400 and all problems at once otherwise.
 */
export const decoder = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return Effect.fnUntraced(function* (
    bytes: Uint8Array,
    contentType: string | undefined,
    prepare: (json: ExactJson.ExactJson) => ExactJson.ExactJson = (json) => json
  ) {
    if (!isJson(contentType)) {
      return yield* new Declined({ status: 415, message: "Content-Type must be application/json" })
    }
    const json = yield* Effect.fromResult(ExactJson.parse(yield* text(bytes))).pipe(
      Effect.mapError((message) => new Declined({ status: 400, message }))
    )
    return yield* Effect.mapError(
      decode(prepare(json)),
      (error) =>
        new Declined({
          status: 400,
          message: "the body is malformed or lacks mandatory data",
          errors: Problems.of(error)
        })
    )
  })
}
