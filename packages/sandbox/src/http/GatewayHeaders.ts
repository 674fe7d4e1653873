/** Gate checks the headers before anything is decoded, so a missing header is 401, not 400. */
import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { ErrorBody } from "./Answer.ts"

export const Headers = {
  "x-application": Schema.String.annotate({ description: "Application id" }),
  "x-app-station": Schema.String.annotate({ description: "Station, one per till or operator" }),
  "x-app-version": Schema.optionalKey(
    Schema.String.annotate({ description: "Version of the caller; recorded, not enforced" })
  )
}

export const SignedHeaders = {
  ...Headers,
  "x-api-signature": Schema.optionalKey(
    Schema.String.annotate({
      description: "Base64(HMAC-SHA256(exact bytes of the body, secret)); mandatory when the account has a secret"
    })
  )
}

const refusal = (identifier: string, httpApiStatus: number, description: string) =>
  ErrorBody.annotate({ identifier, httpApiStatus, description })

export const Malformed = refusal("Malformed", 400, "The request is malformed or lacks mandatory data")
export const Unauthorised = refusal("Unauthorised", 401, "Key, application, station or signature is missing or wrong")
export const NotFound = refusal("NotFound", 404, "This account does not have it")

export const PdfBytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/pdf" }))
