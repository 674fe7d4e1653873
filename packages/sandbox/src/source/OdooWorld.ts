/**
 * An accounting system with an Odoo-shaped interface (JSON-2), to read against: its models, their
 * records, an API key, and faults on demand. Written from the published interface, not from our
 * client.
 */

/** A record as the interface states it. */
export type OdooFields = Readonly<Record<string, unknown>>

/** A stored record. Times have microseconds, and the interface states whole seconds. */
export interface OdooRecord {
  readonly fields: OdooFields
  /** In milliseconds since the epoch, with fractions. */
  readonly written: number
}

/** Something that goes wrong with the next questions. */
export interface OdooFault {
  /** `before-answer`: runs `does` before the answer is made. `truncated`: JSON that is cut off. */
  readonly kind: "status" | "html" | "truncated" | "limit" | "before-answer"
  readonly status?: number
  readonly retryAfter?: number
  /** How often the fault strikes. @default for ever */
  readonly times?: number
  readonly does?: () => void
}

/** Setup of the system. */
export interface OdooConfig {
  readonly apiKey?: string
  readonly company?: { readonly id: number; readonly name: string }
  /** Clock of the system, in milliseconds since the epoch. @default the machine's */
  readonly now?: () => number
}

/** The system: a test, or an operator, changes its records. */
export class OdooWorld {
  readonly apiKey: string
  readonly models = new Map<string, Map<number, OdooRecord>>()
  /** Every question, as `account.move [domain]`. */
  readonly asked: Array<string> = []
  private readonly clock: () => number
  private faults: ReadonlyArray<OdooFault & { struck: number }> = []

  constructor({ apiKey = "key-0", company = { id: 1, name: "Demo Company" }, now = Date.now }: OdooConfig = {}) {
    this.apiKey = apiKey
    this.clock = now
    this.put("res.company", company)
  }

  get now(): number {
    return this.clock()
  }

  /**
   * Writes a record, or changes one. Records of one transaction share their time: give the same
   * `at`.
   */
  put(model: string, fields: OdooFields, at: number = this.now): void {
    const records = this.models.get(model) ?? new Map<number, OdooRecord>()
    this.models.set(model, records)
    const id = Number(fields["id"])
    const company = model === "account.move" ? { company_id: [1, "Demo Company"] } : {}
    records.set(id, { fields: { ...company, ...records.get(id)?.fields, ...fields }, written: at })
  }

  /** Deletes a record. No feed tells of it. */
  remove(model: string, id: number): void {
    this.models.get(model)?.delete(id)
  }

  addFault(fault: OdooFault): void {
    this.faults = [...this.faults, { ...fault, struck: 0 }]
  }

  clearFaults(): void {
    this.faults = []
  }

  struck(): OdooFault | undefined {
    const found = this.faults.find(({ struck, times }) => times === undefined || struck < times)
    if (found !== undefined) found.struck++
    return found
  }
}
