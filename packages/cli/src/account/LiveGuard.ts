/** Before the first request to a live device a person says that they mean it. */
import { Effect } from "effect"
import { printable } from "../output/Terminal.ts"
import { Quit } from "../Quit.ts"
import type { ConnectedAccount } from "./ConnectedAccount.ts"

/** Fails with exit code 1, showing whose device it is, unless `--live` was given or the device is not live. */
export const check = Effect.fnUntraced(function* (
  { device, submitting }: ConnectedAccount,
  flag: "live" | "not-given"
) {
  if (submitting.environment !== "live" || flag === "live") return
  const lines = [
    `taxpayer     ${device.taxpayerName ?? ""} (TIN ${device.tin ?? "not given"})`,
    `device       ${device.deviceId}, serial number ${device.serialNo ?? "not given"}`,
    "environment  live"
  ]
  return yield* new Quit({
    code: 1,
    text: `This device is live; nothing was sent. What is sent to it is fiscalised and taxed:\n  ${lines.map(printable).join("\n  ")}\nIf that is meant, say --live.`
  })
})
