/** A failed call of the gateway as text: with its code and what to do about it, wherever a command meets it. */
import * as GatewayFailure from "@fiscal-connector/core/unstable/account/GatewayFailure"
import type { GatewayError } from "@fiscal-connector/core/gateway/contract/GatewayError"
import type { CallShape } from "../output/Call.ts"
import { report } from "../output/FindingReport.ts"
import { printable } from "../output/Terminal.ts"

/** Answers to this one question, which its own sentence explains: the gateway itself is well. */
const isAnswer = ({ reason }: GatewayError): boolean =>
  reason._tag === "Declined" ||
  reason._tag === "UnknownOutcome" ||
  (reason._tag === "NotFound" && reason.what !== "device" && reason.what !== "operation")

export const text = (error: GatewayError, call: CallShape): string =>
  isAnswer(error)
    ? printable(error.message)
    : report([{ finding: GatewayFailure.finding(error), subject: undefined }], call)
