/** Reads a source of the configuration for a command, and the settings of its runs. */
import type { SyncSettings } from "@fiscal-connector/core/pull/Sync"
import type { SourceConfig } from "@fiscal-connector/core/unstable/configuration/ConfigSource"
import { Duration, Effect } from "effect"
import * as ConfigAccount from "./ConfigAccount.ts"
import * as SourceOfConfig from "./SourceOfConfig.ts"
import { problemList } from "../output/ProblemList.ts"
import { notDone } from "../output/ExitError.ts"
import { printable } from "../output/Terminal.ts"

/** Reads the source from the file. Fails with ExitError and all problems of the source. */
export const configured = (file: string, name: string) =>
  Effect.flatMap(ConfigAccount.read(file), (configuration) =>
    Effect.mapError(SourceOfConfig.of(configuration, name), ({ findings }) =>
      notDone(`The source ${printable(name)} cannot be used:\n\n${problemList(findings)}`)
    )
  )

/** Returns the settings of a run. */
export const settingsOf = (config: SourceConfig): SyncSettings => ({
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
