/**
 * An accounting system with a Xero-shaped interface, to read against: its tenants, their documents, tokens and limits, and faults on demand. Written from
 * the published interface, not from our client.
 */

/** A record as the interface states it: every field is the system's own. */
export type SourceFields = Readonly<Record<string, unknown>>

/** A list of the interface. */
export type SourceList = "Invoices" | "CreditNotes" | "Contacts"

/** The identifier of a record in each list. */
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
  /** When questions were taken, in milliseconds since the epoch: those of the last day. */
  readonly taken: Array<number>
  /** Questions under way. */
  running: number
}

/** A record with the time of its last change. */
export interface SourceRecord {
  readonly fields: SourceFields
  readonly modified: number
}

/** Something that goes wrong with the next questions. */
export interface SourceFault {
  /**
   * `html`: a page of HTML with status 200. `truncated`: JSON that is cut off. `status`: the status of `status`. `cut`: the connection is cut.
   * `other-tenant`: the data of the other tenant. `empty`: a list without records. `unordered`: the list backwards. `limit-minute`, `limit-day`: 429.
   * `invalid-grant`: no refresh token is good. `before-answer`: runs `does` before the answer is made.
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
    | "limit-day"
    | "invalid-grant"
    | "before-answer"
  /** Which questions: a part of path and query. Default: all of the interface, none of the tokens. */
  readonly about?: string
  /** How many questions pass before it strikes. Default 0. */
  readonly after?: number
  /** How often it strikes. Default: for ever. */
  readonly times?: number
  readonly status?: number
  /** In seconds, of a 429. */
  readonly retryAfter?: number
  /** Runs at that moment, for example to change a document. */
  readonly does?: () => void
}

interface StandingFault extends SourceFault {
  met: number
  struck: number
}

/** How the system is set up; everything has a default. */
export interface SourceConfig {
  readonly clientId?: string
  /** Left out: a client without a secret. */
  readonly clientSecret?: string
  /** The refresh token that is good at first. */
  readonly refreshToken?: string
  readonly tenants?: ReadonlyArray<{ readonly id: string; readonly name: string }>
  /** Questions a tenant takes in a minute. Default 60. */
  readonly perMinute?: number
  /** Questions a tenant takes in a day. Default 5 000. */
  readonly perDay?: number
  /** Questions of a tenant at once. Default 5. */
  readonly atOnce?: number
  /** How long an access token is good, in seconds. Default 1 800. */
  readonly accessSeconds?: number
  /** `from`: a list includes the second that is asked for. Default `after`: it begins with the next. */
  readonly modifiedSince?: "after" | "from"
  /** The clock of the system, in milliseconds since the epoch. Default: the machine's. */
  readonly now?: () => number
}

const formerIsGoodFor = 30 * 60_000

/** The system: what a test, or an operator at the controls, does with it. */
export class SourceWorld {
  readonly config: Required<Omit<SourceConfig, "clientSecret">> & Pick<SourceConfig, "clientSecret">
  readonly tenants = new Map<string, SourceTenant>()
  /** Every question that was taken, as `GET /path?query`. */
  readonly asked: Array<string> = []
  private readonly faults: Array<StandingFault> = []
  /** Refresh tokens with the time until which each is good. */
  private readonly refreshTokens = new Map<string, number>()
  private readonly accessTokens = new Map<string, number>()
  /** Codes of logins with the challenge that each belongs to. */
  private readonly codes = new Map<string, string>()
  private issued = 0
  /** The last time that was given to a change: each is a millisecond later than the one before. */
  private last = 0

  constructor(config: SourceConfig = {}) {
    this.config = {
      clientId: "client",
      refreshToken: "refresh-0",
      tenants: [{ id: "tenant-1", name: "Demo Company" }],
      perMinute: 60,
      perDay: 5000,
      atOnce: 5,
      accessSeconds: 1800,
      modifiedSince: "after",
      now: Date.now,
      ...config
    }
    this.refreshTokens.set(this.config.refreshToken, Number.POSITIVE_INFINITY)
    for (const { id, name } of this.config.tenants) {
      const lists = { Invoices: new Map(), CreditNotes: new Map(), Contacts: new Map() }
      this.tenants.set(id, { id, name, lists, taken: [], running: 0 })
    }
  }

  get now(): number {
    return this.config.now()
  }

  /** The tenant, or the first. */
  tenant(id?: string): SourceTenant {
    const found = id === undefined ? [...this.tenants.values()][0] : this.tenants.get(id)
    if (found === undefined) throw new Error(`there is no tenant ${id ?? ""}`)
    return found
  }

  /** Writes a record, or changes one. `at`: the time of the change; default the clock, at least a millisecond after the last. */
  put(list: SourceList, fields: SourceFields, { at, tenant }: { readonly at?: number; readonly tenant?: string } = {}) {
    const modified = at ?? Math.max(this.now, this.last + 1)
    if (at === undefined) this.last = modified
    const id = String(fields[idFields[list]])
    const records = this.tenant(tenant).lists[list]
    records.set(id, { fields: { ...records.get(id)?.fields, ...fields }, modified })
  }

  /** Takes a record out, as if it had never been. */
  remove(list: SourceList, id: string, tenant?: string): void {
    this.tenant(tenant).lists[list].delete(id)
  }

  /** Puts a fault in force. */
  addFault(fault: SourceFault): void {
    this.faults.push({ ...fault, met: 0, struck: 0 })
  }

  /** Ends every fault. */
  clearFaults(): void {
    this.faults.length = 0
  }

  /** The fault that strikes the question; undefined where none does. */
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

  /** Exchanges a refresh token; the former one is good for half an hour more. Undefined where the token is not good. */
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

  /** A user logs in and agrees; answers with the code that the browser brings back. */
  agree(challenge: string): string {
    const code = `code-${this.codes.size}`
    this.codes.set(code, challenge)
    return code
  }

  /** Exchanges the code of a login, once. Undefined where the code, or its verifier's challenge, is another. */
  exchange(code: string, challenge: string): ReturnType<SourceWorld["refresh"]> {
    if (this.codes.get(code) !== challenge) return undefined
    this.codes.set(code, "used")
    const token = `login-${code}`
    this.refreshTokens.set(token, Number.POSITIVE_INFINITY)
    return this.refresh(token)
  }

  /** Returns true if the access token is good now. */
  isGood(access: string): boolean {
    return (this.accessTokens.get(access) ?? 0) > this.now
  }

  /** Ends every access token, as the system does when a user takes the permission back. */
  endAccess(): void {
    this.accessTokens.clear()
  }

  /** Ends every refresh token. */
  endLogins(): void {
    this.refreshTokens.clear()
  }
}
