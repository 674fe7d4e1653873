/** Directly to the origin, through a proxy, or through the host's own dispatcher. */
import { Redacted } from "effect"
import { type Dispatcher, EnvHttpProxyAgent, Pool } from "undici"

/** Connection settings of the client. */
export interface DispatcherOptions {
  /** Largest number of connections to one origin; further requests wait. Default 32. */
  readonly connections?: number | undefined
  /** Timeout to establish a connection, TLS included, in milliseconds. Default 10 000. */
  readonly connectTimeout?: number | undefined
  /** Largest accepted response body, in bytes. Default 32 MiB. */
  readonly longestAnswer?: number | undefined
  /**
   * Certificates (PEM) to trust instead of the platform's, for a gateway with a private authority.
   */
  readonly ca?: string | undefined
  /** Certificate and key (both PEM) for a gateway that requires client authentication (mTLS). */
  readonly identity?: ClientIdentity | undefined
  /**
   * URL of a proxy for every request, or `none`. Default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY,
   * except for the loopback address. Requests use a tunnel (CONNECT) for every scheme, so that a
   * proxy cannot answer in the gateway's name.
   */
  readonly proxy?: string | "none" | undefined
  /**
   * A dispatcher of undici 7 or later (`Pool`, `Agent`, `ProxyAgent`, …) for all requests, with its
   * own settings in place of the other options. The client does not close the dispatcher. A repeat
   * of a request by the dispatcher is refused: a second start never sends a byte.
   */
  readonly dispatcher?: HttpDispatcher | undefined
}

/** A certificate and its key, both PEM. */
export interface ClientIdentity {
  readonly certificate: string
  readonly key: Redacted.Redacted<string>
  readonly passphrase?: Redacted.Redacted<string> | undefined
}

/** The part of undici's `Dispatcher` that the client uses. */
export interface HttpDispatcher {
  dispatch(options: object, handler: object): boolean
}

/** Dispatcher of each origin; `destroy` closes the dispatchers created here. */
export interface HttpDispatchers {
  readonly of: (origin: string) => HttpDispatcher
  readonly destroy: () => Promise<unknown>
}

const tlsOf = ({ ca, identity }: DispatcherOptions) => ({
  ...(ca !== undefined && { ca }),
  ...(identity !== undefined && {
    cert: identity.certificate,
    key: Redacted.value(identity.key),
    ...(identity.passphrase !== undefined && { passphrase: Redacted.value(identity.passphrase) })
  })
})

const poolOptions = ({
  connections = 32,
  connectTimeout = 10_000,
  longestAnswer
}: DispatcherOptions): Pool.Options => ({
  connections,
  connectTimeout,
  maxResponseSize: longestAnswer ?? 32 * 1024 * 1024,
  // One request at a time per connection, so that a broken connection leaves one submission
  // unknown, not several.
  pipelining: 1,
  allowH2: false,
  // The timeouts of the gateway room cover the whole exchange.
  headersTimeout: 0,
  bodyTimeout: 0
})

interface Proxies {
  readonly httpProxy: string
  readonly httpsProxy: string
  readonly noProxy: string
}

type Variables = Readonly<Record<string, string | undefined>>

const loopback = "localhost,127.0.0.1,::1"

const proxiesOf = ({ proxy }: DispatcherOptions, environment: Variables): Proxies | undefined => {
  if (proxy === "none") return undefined
  if (proxy !== undefined) return { httpProxy: proxy, httpsProxy: proxy, noProxy: "" }
  const variable = (name: string) => environment[name.toLowerCase()] ?? environment[name] ?? ""
  const [http, https, noProxy] = [variable("HTTP_PROXY"), variable("HTTPS_PROXY"), variable("NO_PROXY")]
  if (http === "" && https === "") return undefined
  return { httpProxy: absolute(http), httpsProxy: absolute(https), noProxy: `${noProxy},${loopback}` }
}

const absolute = (proxy: string): string => (proxy === "" || proxy.includes("://") ? proxy : `http://${proxy}`)

/** Throws a TypeError if a proxy is not a URL; the message contains no password. */
const agentOf = (proxies: Proxies, options: DispatcherOptions): EnvHttpProxyAgent => {
  for (const [name, url] of Object.entries(proxies))
    if (name !== "noProxy" && url !== "" && !URL.canParse(url)) throw new TypeError("the proxy is not a URL")
  const tls = tlsOf(options)
  return new EnvHttpProxyAgent({
    ...poolOptions(options),
    ...proxies,
    connect: tls,
    requestTls: tls,
    proxyTunnel: true
  })
}

export const make = (options: DispatcherOptions, environment: Variables): HttpDispatchers => {
  const proxies = proxiesOf(options, environment)
  const made = new Map<string, Dispatcher>()
  const kept = (name: string, make: () => Dispatcher): Dispatcher => {
    const known = made.get(name) ?? make()
    made.set(name, known)
    return known
  }
  return {
    of: (origin) =>
      proxies === undefined
        ? kept(origin, () => new Pool(origin, { ...poolOptions(options), connect: tlsOf(options) }))
        : kept("proxies", () => agentOf(proxies, options)),
    destroy: () => Promise.all(Array.from(made.values(), (one) => one.destroy()))
  }
}
