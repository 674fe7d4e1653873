/**
 * Job in a container: every five minutes takes the shop's open invoices from an API, sends them,
 * and returns the codes. All settings are environment variables. The store is in PostgreSQL, and
 * the job writes only temporary files.
 */
import { connect, type ConnectOptions, type DocumentInput } from "@fiscal-connector/promise"
import { setTimeout } from "node:timers/promises"

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the value of a required variable; throws an error that names a missing variable. */
const needed = (env: Environment, name: string): string => {
  const value = env[name]
  if (value === undefined || value === "") throw new Error(`${name} is not set`)
  return value
}

/** Returns the options of `connect` from the environment. */
export const optionsOf = (env: Environment): ConnectOptions => {
  const secret = env["FISCAL_SECRET"]
  return {
    account: env["FISCAL_ACCOUNT"] ?? "shop",
    config: {
      baseUrl: needed(env, "FISCAL_BASE_URL"),
      application: needed(env, "FISCAL_APPLICATION"),
      station: needed(env, "FISCAL_STATION"),
      apiKey: needed(env, "FISCAL_API_KEY"),
      ...(secret !== undefined && { secret }),
      settings: JSON.parse(env["FISCAL_SETTINGS"] ?? "{}") as Record<string, unknown>
    },
    // the mapping book itself, as JSON
    book: JSON.parse(needed(env, "FISCAL_BOOK")) as object,
    // the password is in FISCAL_CONNECTOR_STORE_PASSWORD
    store: {
      postgres: needed(env, "FISCAL_STORE"),
      ...(env["FISCAL_STORE_SCHEMA"] !== undefined && { schema: env["FISCAL_STORE_SCHEMA"] }),
      ...(env["FISCAL_STORE_ENCRYPTION"] === "insecure" && { encryption: "insecure" as const })
    },
    allowLive: env["FISCAL_LIVE"] === "allowed",
    ...(env["FISCAL_FIRST_USE"] !== undefined && { firstUse: env["FISCAL_FIRST_USE"] })
  }
}

/** Runs until the signal aborts. SIGTERM finishes and records the request in progress. */
export const run = async (env: Environment, signal: AbortSignal): Promise<void> => {
  const sales = needed(env, "SALES_URL")
  const pause = Number(env["PAUSE_SECONDS"] ?? 300) * 1000
  await using fiscal = await connect({ ...optionsOf(env), signal })
  while (!signal.aborted) {
    try {
      const open = (await (await fetch(sales, { signal })).json()) as ReadonlyArray<DocumentInput>
      const { lanes, ok, problems, results } = await fiscal.sync(open)
      for (const { because, id, number, problems, qrCodeUrl, status, verificationCode } of results)
        if (status !== "fiscalised") console.error(number, status, because, ...problems)
        else
          // a lost message is repeated: a document stays open until the shop has its code
          await fetch(sales, { method: "POST", body: JSON.stringify({ id, verificationCode, qrCodeUrl }), signal })
      for (const { text } of lanes) if (text !== null) console.error(text)
      console.log(
        new Date().toISOString(),
        results.length,
        ok ? "all fiscalised" : "look",
        ...problems.map(({ code }) => code)
      )
    } catch (error) {
      // gateway, database or shop unavailable: the next round tries again
      if (!signal.aborted) console.error(error instanceof Error ? error.message : error)
    }
    await setTimeout(pause, undefined, { signal }).catch(() => undefined)
  }
}
