import * as Schema from "effect/Schema"
import type { SandboxAccount } from "../gateway/World.ts"

export const Profile = Schema.Struct({
  Id: Schema.Int,
  FullName: Schema.String,
  Username: Schema.String,
  Email: Schema.String,
  FiscalProvider: Schema.String
}).annotate({ identifier: "Profile" })

export const of = ({ config, userId }: SandboxAccount): typeof Profile.Type => ({
  Id: userId,
  FullName: config.fullName,
  Username: config.username,
  Email: config.email,
  FiscalProvider: config.fiscalProvider
})
