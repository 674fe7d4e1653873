/** Decides whether an account's key may be sent to the configured gateway. A key belongs to the gateway of its first use. */

/** An account as its store knows it. */
interface Known {
  /** Scheme, host and port of the gateway that its key was used for; null or left out where the store does not know one. */
  readonly origin?: string | null
}

/** The gateway that a key belongs to, and the gateway that it would be sent to. */
export interface ChangedOrigin {
  readonly was: string
  readonly is: string
}

const isThisMachine = (origin: string): boolean =>
  /^http:\/\/(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})(?::\d+)?$/.test(origin)

/** The origin to remember; null for a gateway on this machine, which is a sandbox and changes its port. */
export const kept = (origin: string | undefined): string | null =>
  origin === undefined || isThisMachine(origin) ? null : origin

/** Compares the configured origin with the known one. Returns undefined if they are the same, or if one of them is not known. */
export const change = (known: Known | null | undefined, configured: string | undefined): ChangedOrigin | undefined => {
  const was = known?.origin ?? undefined
  return was === undefined || configured === undefined || was === configured ? undefined : { was, is: configured }
}

/** In words. */
export const changed = (account: string, { is, was }: ChangedOrigin): string =>
  `the key of account ${account} was used for ${was}, and baseUrl leads to ${is}`
