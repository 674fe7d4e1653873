/** The user whose key is used (interface.md, Profile). */
import { Schema } from "effect"
import { nullable, record, WholeNumber } from "./AnswerRecord.ts"
import { type Calls, decoding } from "./Calls.ts"

export const Profile = record({
  id: WholeNumber,
  fullName: nullable(Schema.String),
  username: nullable(Schema.String),
  email: nullable(Schema.String),
  fiscalProvider: nullable(Schema.String)
})
export interface Profile extends Schema.Schema.Type<typeof Profile> {}

const decode = decoding(Profile)

export const operations = (calls: Calls) => ({ profile: calls.read({ operation: "profile" }, decode) })
