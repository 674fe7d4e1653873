/** The user whose key is used (docs/gateway.md#profile). */
import type { RecordOf } from "../exchange/AnswerRecord.ts"
import { type Calls, readJson } from "../exchange/Calls.ts"
import * as AnswerTable from "./AnswerTable.ts"

export interface GatewayProfile extends RecordOf<(typeof AnswerTable.Profile)["table"]> {}

const answer = readJson(AnswerTable.Profile.decode)

export const operations = (calls: Calls) => ({ profile: calls.read({ operation: "profile" }, answer) })
