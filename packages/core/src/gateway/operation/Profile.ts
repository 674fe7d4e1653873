/** The user whose key is used (docs/gateway.md#profile). */
import { Schema } from "effect"
import { nullable, record, WholeNumber } from "../exchange/AnswerRecord.ts"
import { type Calls, decoding, readJson } from "../exchange/Calls.ts"

export const Profile = record({
  id: WholeNumber,
  fullName: nullable(Schema.String),
  username: nullable(Schema.String),
  email: nullable(Schema.String),
  fiscalProvider: nullable(Schema.String)
})
export interface Profile extends Schema.Schema.Type<typeof Profile> {}

const answer = readJson(decoding(Profile))

export const operations = (calls: Calls) => ({ profile: calls.read({ operation: "profile" }, answer) })
