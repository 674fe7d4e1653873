import { type DateTime, Effect, type FileSystem, type Path } from "effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Gateway from "../gateway/Gateway.ts"
import type { ConfigError } from "../gateway/contract/GatewayConfig.ts"
import type { AccountSettings } from "../account/AccountSettings.ts"
import type * as OpenAccount from "../account/OpenAccount.ts"
import * as Session from "./Session.ts"
import type { AccountStopped } from "../account/StopReason.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { SubmissionStore } from "../submission/SubmissionStore.ts"
import type { AccountConfig } from "../configuration/AccountConfig.ts"
import * as ConfigFile from "../configuration/ConfigFile.ts"
import * as StoreWitnessFile from "../configuration/StoreWitnessFile.ts"

/**
 * Returns the account's settings with its gateway. Sends no request. `zone`, from the mapping book,
 * applies to date-times without an offset.
 */
export const settings = (
  { exposed, gateway, name, policy, settled }: AccountConfig,
  zone?: DateTime.TimeZone
): Effect.Effect<AccountSettings, ConfigError, HttpClient.HttpClient> =>
  Effect.map(Gateway.make(gateway), (gateway) => ({
    ...policy,
    account: name,
    gateway,
    exposed,
    origin: new URL(settled.baseUrl).origin,
    assumptions: settled.assumptions,
    ...(zone !== undefined && { zone })
  }))

/** Options of opening an account, and the zone of the mapping book, if there is a book. */
export interface Opening extends Omit<OpenAccount.OpeningOptions, "witness"> {
  readonly zone?: DateTime.TimeZone
  /** Environment variables. Default: the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/**
 * Opens an account of the file with all checks that protect a fiscal day (Session.open). The
 * store's progress is recorded beside the file. Fails with every blocker.
 */
export const open = (
  file: string,
  name: string,
  { environment = process.env, zone, ...options }: Opening = {}
): Effect.Effect<
  OpenAccount.OpenAccount,
  ConfigFile.ConfigFileError | ConfigError | AccountStopped | StoreError,
  SubmissionStore | HttpClient.HttpClient | FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function* () {
    const config = yield* ConfigFile.account(yield* ConfigFile.read(file, environment), name)
    const witness = yield* StoreWitnessFile.make(file)
    return yield* Session.open(yield* settings(config, zone), { ...options, witness })
  })
