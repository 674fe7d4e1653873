import type { Sync } from "@fiscal-connector/core/sync"
import type { ConfigSource } from "@fiscal-connector/core/host/account"
import { Duration, Effect } from "effect"
import * as ConfigAccount from "./ConfigAccount.ts"
import * as SourceOfConfig from "./SourceOfConfig.ts"
import { problemList } from "../output/ProblemList.ts"
import { notDone } from "../output/ExitError.ts"
import { printable } from "../output/Terminal.ts"

export const configured = (file: string, name: string) =>
  Effect.flatMap(ConfigAccount.read(file), (configuration) =>
    Effect.mapError(SourceOfConfig.of(configuration, name), ({ findings }) =>
      notDone(`The source ${printable(name)} cannot be used:\n\n${problemList(findings)}`)
    )
  )

export const settingsOf = (config: ConfigSource.SourceConfig): Sync.SyncSettings => ({
  source: config.name,
  tenant: config.tenant,
  account: config.account,
  goLive: config.goLive,
  quietAfter: Duration.toMillis(config.quietAfter),
  consent: config.consent,
  whenLate: config.late,
  overlap: config.overlap,
  clockSkew: config.clockSkew,
  sweep: config.sweep
})
