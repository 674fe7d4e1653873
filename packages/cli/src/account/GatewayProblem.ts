/** Failed gateway calls as text, with code and next action. */
import { AnswerMisfits, GatewayFailure } from "@fiscal-connector/core/host"
import type { Gateway, GatewayError } from "@fiscal-connector/core/gateway"
import { Console, Effect } from "effect"
import { Call, type CallShape } from "../output/Call.ts"
import { report } from "../output/FindingReport.ts"
import { printable } from "../output/Terminal.ts"

/** True if the error answers this question only and explains itself. The gateway works. */
const isAnswer = ({ reason }: GatewayError.GatewayError): boolean =>
  reason._tag === "Declined" ||
  reason._tag === "UnknownOutcome" ||
  (reason._tag === "NotFound" && reason.what !== "device" && reason.what !== "operation")

export const text = (error: GatewayError.GatewayError, call: CallShape): string =>
  isAnswer(error)
    ? printable(error.message)
    : report([{ finding: GatewayFailure.finding(error), subject: undefined }], call)

/** When the scope closes. Without the report, a table would silently lack a row. */
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
