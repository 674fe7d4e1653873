import { Effect, Path, Result, Schema } from "effect"
import * as NamedCommand from "../file/NamedCommand.ts"
import type * as Finding from "../finding/Finding.ts"
import type { AlertTarget } from "../attention/Alert.ts"
import { AlertEntry } from "./ConfigEntry.ts"
import { allMisshapen, misshapen } from "./ConfigFinding.ts"
import * as SafeAddress from "./SafeAddress.ts"

export interface AlertReading {
  readonly target: AlertTarget | null
  readonly findings: ReadonlyArray<Finding.Finding>
}

const decode = Schema.decodeUnknownResult(AlertEntry, { errors: "all", onExcessProperty: "error" })

export const read = (value: unknown, folder: string): Effect.Effect<AlertReading, never, Path.Path> =>
  Effect.map(Path.Path, (path): AlertReading => {
    const unusable = (...findings: ReadonlyArray<Finding.Finding>) => ({ target: null, findings })
    if (value === undefined) return { target: null, findings: [] }
    const entry = decode(value)
    if (Result.isFailure(entry)) return unusable(...allMisshapen(["alert"], entry.failure))
    const { command, url } = entry.success
    if ((command === undefined) === (url === undefined)) {
      return unusable(misshapen(["alert"], "expected a command or a url, one of them"))
    }
    if (url !== undefined) {
      return SafeAddress.parse(url) !== undefined
        ? { target: { _tag: "Url", url }, findings: [] }
        : unusable(
            misshapen(["alert", "url"], "expected an https address (http on this machine only) without a user name")
          )
    }
    const [executable = "", ...args] = command ?? []
    return {
      target: { _tag: "Command", argv: NamedCommand.located(path, [executable, ...args], folder) },
      findings: []
    }
  })
