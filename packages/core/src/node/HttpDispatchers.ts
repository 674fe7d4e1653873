/** How requests leave this machine: straight to their origin, through a proxy, or as the host's own dispatcher sends them. */
import { Redacted } from "effect"
import { type Dispatcher, EnvHttpProxyAgent, Pool } from "undici"

/** How the client connects. */
export interface Options {
  /** Connections at once to one origin; further requests wait their turn. */
  readonly connections?: number | undefined
  /** How long a connection may take to be established, TLS included, in milliseconds. */
  readonly connectTimeout?: number | undefined
  /** The longest answer that is taken, in bytes. */
  readonly longestAnswer?: number | undefined
  /** Certificates (PEM) to trust instead of the platform's, for a gateway behind a private authority. */
  readonly ca?: string | undefined
  /** What this machine shows to a gateway that asks who it is (mTLS): a certificate and its key, both PEM. */
  readonly identity?: ClientIdentity | undefined
  /**
   * The URL of a proxy for every request, or `none`. Default: what HTTPS_PROXY, HTTP_PROXY and NO_PROXY say, save for the loopback address. Requests go
   * through a tunnel (CONNECT), whatever their scheme, so that a proxy can answer nothing in the gateway's name.
   */
  readonly proxy?: string | "none" | undefined
  /**
   * A dispatcher of undici 7 or later (`Pool`, `Agent`, `ProxyAgent`, …) that sends everything; the other options are then its own. It is not closed
   * here. What has it send a request again is refused: a second start of a request never gets a byte out.
   */
  readonly dispatcher?: HttpDispatcher | undefined
}

/** A certificate and its key, both PEM. */
export interface ClientIdentity {
  readonly certificate: string
  readonly key: Redacted.Redacted<string>
  readonly passphrase?: Redacted.Redacted<string> | undefined
}

/** What of undici's `Dispatcher` is used. */
export interface HttpDispatcher {
  dispatch(options: object, handler: object): boolean
}

/** The dispatcher of each origin, and the end of those that were made here. */
export interface HttpDispatchers {
  readonly of: (origin: string) => HttpDispatcher
  readonly destroy: () => Promise<unknown>
}

const tlsOf = ({ ca, identity }: Options) => ({
  ...(ca !== undefined && { ca }),
  ...(identity !== undefined && {
    cert: identity.certificate,
    key: Redacted.value(identity.key),
    ...(identity.passphrase !== undefined && { passphrase: Redacted.value(identity.passphrase) })
  })
})

const poolOptions = ({ connections = 32, connectTimeout = 10_000, longestAnswer }: Options): Pool.Options => ({
  connections,
  connectTimeout,
  maxResponseSize: longestAnswer ?? 32 * 1024 * 1024,
  // One request at a time on a connection, so that a broken one leaves one submission unknown and not several.
  pipelining: 1,
  allowH2: false,
  // The gateway room's timeouts cover the whole exchange.
  headersTimeout: 0,
  bodyTimeout: 0
})

interface Proxies {
  readonly httpProxy: string
  readonly httpsProxy: string
  readonly noProxy: string
}

type Environment = Readonly<Record<string, string | undefined>>

const loopback = "localhost,127.0.0.1,::1"

const proxiesOf = ({ proxy }: Options, environment: Environment): Proxies | undefined => {
  if (proxy === "none") return undefined
  if (proxy !== undefined) return { httpProxy: proxy, httpsProxy: proxy, noProxy: "" }
  const said = (name: string) => environment[name.toLowerCase()] ?? environment[name] ?? ""
  const [http, https, none] = [said("HTTP_PROXY"), said("HTTPS_PROXY"), said("NO_PROXY")]
  if (http === "" && https === "") return undefined
  return { httpProxy: absolute(http), httpsProxy: absolute(https), noProxy: `${none},${loopback}` }
}

/** Many write `proxy:3128`, which is meant as curl takes it. */
const absolute = (proxy: string): string => (proxy === "" || proxy.includes("://") ? proxy : `http://${proxy}`)

/** Fails with a TypeError, which says nothing of a password in it, where a proxy is no URL. */
const agentOf = (proxies: Proxies, options: Options): EnvHttpProxyAgent => {
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

export const make = (options: Options, environment: Environment): HttpDispatchers => {
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
