/** Texts of failed gateway calls, with their code and the action to take. Used by all commands. */
import * as GatewayFailure from "@fiscal-connector/core/unstable/account/GatewayFailure"
import * as AnswerMisfits from "@fiscal-connector/core/unstable/account/AnswerMisfits"
import type { GatewayOperations } from "@fiscal-connector/core/gateway/Gateway"
import type { GatewayError } from "@fiscal-connector/core/gateway/contract/GatewayError"
import { Console, Effect } from "effect"
import { Call, type CallShape } from "../output/Call.ts"
import { report } from "../output/FindingReport.ts"
import { printable } from "../output/Terminal.ts"

/**
 * Returns true if the error is an answer to this question only and its own sentence explains it.
 * The gateway itself works.
 */
const isAnswer = ({ reason }: GatewayError): boolean =>
  reason._tag === "Declined" ||
  reason._tag === "UnknownOutcome" ||
  (reason._tag === "NotFound" && reason.what !== "device" && reason.what !== "operation")

export const text = (error: GatewayError, call: CallShape): string =>
  isAnswer(error)
    ? printable(error.message)
    : report([{ finding: GatewayFailure.finding(error), subject: undefined }], call)

/**
 * Reports, when the scope closes, gateway answers that differ from the documented form. Without the
 * report, a table would silently lack a row.
 */
export const tellMisfits = ({ misfits }: Pick<GatewayOperations, "misfits">) =>
  Effect.flatMap(Call, (call) =>
    Effect.addFinalizer(() =>
      Effect.flatMap(misfits, (unfit) => {
        const findings = unfit.flatMap(({ misfits, operation }) => AnswerMisfits.findings(operation, misfits))
        if (findings.length === 0) return Effect.void
        return Console.error(
          report(
            findings.map((finding) => ({ finding, subject: undefined })),
            call
          )
        )
      })
    )
  )
