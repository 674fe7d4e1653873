/**
 * Decides whether an account's key may be sent to the configured gateway. A key belongs to the
 * gateway of its first use.
 */
import { isLoopback } from "../gateway/contract/Loopback.ts"

interface KnownAccount {
  /**
   * Scheme, host and port of the gateway that the key was used for. Null or left out if the store
   * does not know the gateway.
   */
  readonly origin?: string | null
}

export interface ChangedOrigin {
  readonly was: string
  readonly is: string
}

const isThisMachine = (origin: string): boolean => {
  const url = URL.parse(origin)
  return url?.protocol === "http:" && isLoopback(url.hostname)
}

/**
 * Returns the origin to remember. Returns null for a gateway on this machine: a sandbox, whose port
 * changes.
 */
export const kept = (origin: string | undefined): string | null =>
  origin === undefined || isThisMachine(origin) ? null : origin

export const change = (
  known: KnownAccount | null | undefined,
  configured: string | undefined
): ChangedOrigin | undefined => {
  const was = known?.origin ?? undefined
  return was === undefined || configured === undefined || was === configured ? undefined : { was, is: configured }
}

export const changed = (account: string, { is, was }: ChangedOrigin): string =>
  `the key of account ${account} was used for ${was}, and baseUrl leads to ${is}`
