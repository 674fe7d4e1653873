/** Texts of failed gateway calls, with their code and the action to take. Used by all commands. */
import { AnswerMisfits, GatewayFailure } from "@fiscal-connector/core/host"
import type { Gateway, GatewayError } from "@fiscal-connector/core/gateway"
import { Console, Effect } from "effect"
import { Call, type CallShape } from "../output/Call.ts"
import { report } from "../output/FindingReport.ts"
import { printable } from "../output/Terminal.ts"

/**
 * True if the error is an answer to this question only and its own sentence explains it.
 * The gateway itself works.
 */
const isAnswer = ({ reason }: GatewayError.GatewayError): boolean =>
  reason._tag === "Declined" ||
  reason._tag === "UnknownOutcome" ||
  (reason._tag === "NotFound" && reason.what !== "device" && reason.what !== "operation")

export const text = (error: GatewayError.GatewayError, call: CallShape): string =>
  isAnswer(error)
    ? printable(error.message)
    : report([{ finding: GatewayFailure.finding(error), subject: undefined }], call)

/**
 * Reports, when the scope closes, gateway answers that differ from the documented form. Without the
 * report, a table would silently lack a row.
 */
export const tellMisfits = ({ misfits }: Pick<Gateway.GatewayOperations, "misfits">) =>
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
