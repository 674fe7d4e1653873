/**
 * Accounting system with a Xero-shaped interface to read from: tenants, documents, tokens, limits,
 * and faults on demand. Written from the published interface, not from our client.
 */

/** Record as the interface states it: every field is the system's own. */
export type SourceFields = Readonly<Record<string, unknown>>

/** List of the interface. */
export type SourceList = "Invoices" | "CreditNotes" | "Contacts"

/** Identifier of a record in each list. */
export const idFields: Readonly<Record<SourceList, string>> = {
  Invoices: "InvoiceID",
  CreditNotes: "CreditNoteID",
  Contacts: "ContactID"
}

/** Records and limits of one tenant. */
export interface SourceTenant {
  readonly id: string
  readonly name: string
  readonly lists: Readonly<Record<SourceList, Map<string, SourceRecord>>>
  /** Times of accepted requests during the last day, in milliseconds since the epoch. */
  readonly taken: Array<number>
}

/** Record with the time of its last change. */
export interface SourceRecord {
  readonly fields: SourceFields
  readonly modified: number
}

/** Fault that strikes the next requests. */
export interface SourceFault {
  /**
   * Kind of the fault.
   * - `html`: an HTML page with status 200. `truncated`: JSON that is cut off.
   * - `status`: the status in `status`. `cut`: the connection is cut.
   * - `other-tenant`: the data of another tenant. `empty`: a list without records.
   * - `unordered`: the list in reverse order. `limit-minute`, `limit-concurrent`,
   *   `limit-day`: 429.
   * - `invalid-grant`: every refresh token is rejected.
   * - `before-answer`: runs `does` before the answer is made.
   */
  readonly kind:
    | "html"
    | "truncated"
    | "status"
    | "cut"
    | "other-tenant"
    | "empty"
    | "unordered"
    | "limit-minute"
    | "limit-concurrent"
    | "limit-day"
    | "invalid-grant"
    | "before-answer"
  /**
   * Part of path and query that selects the requests. Default: all of the interface, no token
   * requests.
   */
  readonly about?: string
  /** Number of requests that pass before the fault strikes. Default 0. */
  readonly after?: number
  /** Number of strikes. Default: no limit. */
  readonly times?: number
  readonly status?: number
  /** Seconds in the Retry-After header of a 429. */
  readonly retryAfter?: number
  /** Function to run at that moment, for example to change a document. */
  readonly does?: () => void
}

interface ActiveSourceFault extends SourceFault {
  met: number
  struck: number
}

/** Configuration of the system; every field has a default. */
export interface SourceConfig {
  readonly clientId?: string
  /** Omitted for a client without a secret. */
  readonly clientSecret?: string
  readonly refreshToken?: string
  readonly tenants?: ReadonlyArray<{ readonly id: string; readonly name: string }>
  /** Maximum requests of a tenant per minute. Default 60. */
  readonly perMinute?: number
  /** Maximum requests of a tenant per day. Default 5 000. */
  readonly perDay?: number
  /** Lifetime of an access token, in seconds. Default 1 800. */
  readonly accessSeconds?: number
  /**
   * `from`: a list includes the requested second. Default `after`: the list begins with the next
   * second.
   */
  readonly modifiedSince?: "after" | "from"
  /** Clock of the system, in milliseconds since the epoch. Default: the machine's. */
  readonly now?: () => number
}

const formerIsGoodFor = 30 * 60_000

/** The system, with the operations for a test or an operator at the controls. */
export class SourceWorld {
  readonly config: Required<Omit<SourceConfig, "clientSecret">> & Pick<SourceConfig, "clientSecret">
  readonly tenants = new Map<string, SourceTenant>()
  /** All accepted requests, as `GET /path?query`. */
  readonly asked: Array<string> = []
  private readonly faults: Array<ActiveSourceFault> = []
  /** Refresh tokens with the time until which each is valid. */
  private readonly refreshTokens = new Map<string, number>()
  private readonly accessTokens = new Map<string, number>()
  /** Codes of logins with the challenge that each belongs to. */
  private readonly codes = new Map<string, string>()
  private issued = 0
  /** Time of the last change: each change is at least a millisecond later than the one before. */
  private last = 0

  constructor(config: SourceConfig = {}) {
    this.config = {
      clientId: "client",
      refreshToken: "refresh-0",
      tenants: [{ id: "tenant-1", name: "Demo Company" }],
      perMinute: 60,
      perDay: 5000,
      accessSeconds: 1800,
      modifiedSince: "after",
      now: Date.now,
      ...config
    }
    this.refreshTokens.set(this.config.refreshToken, Number.POSITIVE_INFINITY)
    for (const { id, name } of this.config.tenants) {
      const lists = { Invoices: new Map(), CreditNotes: new Map(), Contacts: new Map() }
      this.tenants.set(id, { id, name, lists, taken: [] })
    }
  }

  get now(): number {
    return this.config.now()
  }

  tenant(id?: string): SourceTenant {
    const found = id === undefined ? [...this.tenants.values()][0] : this.tenants.get(id)
    if (found === undefined) throw new Error(`there is no tenant ${id ?? ""}`)
    return found
  }

  /**
   * Writes or changes a record. `at`: the time of the change. Default: the clock, at least a
   * millisecond after the last change.
   */
  put(list: SourceList, fields: SourceFields, { at, tenant }: { readonly at?: number; readonly tenant?: string } = {}) {
    const modified = at ?? Math.max(this.now, this.last + 1)
    if (at === undefined) this.last = modified
    const id = String(fields[idFields[list]])
    const records = this.tenant(tenant).lists[list]
    records.set(id, { fields: { ...records.get(id)?.fields, ...fields }, modified })
  }

  /** Removes a record, as if the record had never existed. */
  remove(list: SourceList, id: string, tenant?: string): void {
    this.tenant(tenant).lists[list].delete(id)
  }

  addFault(fault: SourceFault): void {
    this.faults.push({ ...fault, met: 0, struck: 0 })
  }

  clearFaults(): void {
    this.faults.length = 0
  }

  /** Returns the fault that strikes the request; undefined if no fault does. */
  struck(question: string, of: "interface" | "connections" | "tokens"): SourceFault | undefined {
    return this.faults.find((fault) => {
      if (fault.kind === "invalid-grant") {
        if (of !== "tokens") return false
      } else if (fault.about === undefined ? of !== "interface" : !question.includes(fault.about)) return false
      if (fault.met++ < (fault.after ?? 0)) return false
      if (fault.times !== undefined && fault.struck >= fault.times) return false
      fault.struck++
      return true
    })
  }

  /**
   * Exchanges a refresh token; the former token remains valid for another half hour. Returns
   * undefined if the token is not valid.
   */
  refresh(token: string): { readonly access: string; readonly refresh: string; readonly seconds: number } | undefined {
    const until = this.refreshTokens.get(token)
    if (until === undefined || until < this.now) return undefined
    this.issued++
    const [access, refresh] = [`access-${this.issued}`, `refresh-${this.issued}`]
    if (until === Number.POSITIVE_INFINITY) this.refreshTokens.set(token, this.now + formerIsGoodFor)
    this.refreshTokens.set(refresh, Number.POSITIVE_INFINITY)
    this.accessTokens.set(access, this.now + this.config.accessSeconds * 1000)
    return { access, refresh, seconds: this.config.accessSeconds }
  }

  /** Logs a user in who agrees; returns the code that the browser brings back. */
  agree(challenge: string): string {
    const code = `code-${this.codes.size}`
    this.codes.set(code, challenge)
    return code
  }

  /**
   * Exchanges the code of a login, once. Returns undefined if the code, or the challenge of its
   * verifier, does not match.
   */
  exchange(code: string, challenge: string): ReturnType<SourceWorld["refresh"]> {
    if (this.codes.get(code) !== challenge) return undefined
    this.codes.set(code, "used")
    const token = `login-${code}`
    this.refreshTokens.set(token, Number.POSITIVE_INFINITY)
    return this.refresh(token)
  }

  isGood(access: string): boolean {
    return (this.accessTokens.get(access) ?? 0) > this.now
  }

  /** Ends every access token, as the system does when a user withdraws the permission. */
  endAccess(): void {
    this.accessTokens.clear()
  }

  endLogins(): void {
    this.refreshTokens.clear()
  }
}
