import type { OdooFields, OdooRecord, OdooWorld } from "./OdooWorld.ts"
import type { SourceAnswer, SourceQuestion } from "./SourceAnswers.ts"

const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): SourceAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: JSON.stringify(value)
})

const problem = (status: number, name: string, message: string, headers?: Readonly<Record<string, string>>) =>
  json(status, { name, message, arguments: [message], context: {}, debug: "" }, headers)

const written = (millis: number): string => new Date(millis).toISOString().slice(0, 19).replace("T", " ")

const valueOf = ({ fields, written }: OdooRecord, field: string): unknown => {
  if (field === "write_date") return written
  const value = fields[field]
  return Array.isArray(value) && value.length === 2 && typeof value[1] === "string" ? value[0] : value
}

const given = (field: string, value: unknown): unknown =>
  field === "write_date" && typeof value === "string" ? Date.parse(`${value.replace(" ", "T")}Z`) : value

const holds = (record: OdooRecord, [field, operator, value]: readonly [string, string, unknown]): boolean => {
  const [own, other] = [valueOf(record, field), given(field, value)]
  switch (operator) {
    case "=":
      return own === other
    case "!=":
      return own !== other
    case "in":
      return (other as ReadonlyArray<unknown>).includes(own)
    case "not in":
      return !(other as ReadonlyArray<unknown>).includes(own)
    case ">=":
      return Number(own) >= Number(other)
    case ">":
      return Number(own) > Number(other)
    case "<=":
      return Number(own) <= Number(other)
    case "<":
      return Number(own) < Number(other)
    default:
      throw new Error(`Invalid operator ${operator}`)
  }
}

const fieldsOf = (names: string) => new Set(`id create_date write_date ${names}`.split(" "))

const modelFields: Readonly<Record<string, ReadonlySet<string>>> = {
  "account.move": fieldsOf(
    "name move_type state payment_state invoice_date invoice_date_due date currency_id company_id journal_id ref " +
      "partner_id commercial_partner_id partner_shipping_id fiscal_position_id reversed_entry_id invoice_origin " +
      "narration payment_reference amount_untaxed amount_tax amount_total amount_residual invoice_line_ids line_ids"
  ),
  "account.move.line": fieldsOf(
    "move_id display_type name product_id product_uom_id account_id partner_id company_id currency_id quantity " +
      "price_unit discount tax_ids tax_line_id price_subtotal price_total balance debit credit sequence"
  ),
  "account.tax": fieldsOf(
    "name description amount amount_type type_tax_use price_include price_include_override include_base_amount " +
      "children_tax_ids tax_group_id company_id country_id active sequence"
  ),
  "res.company": fieldsOf("name partner_id currency_id country_id vat company_registry email phone"),
  "res.partner": fieldsOf(
    "name display_name complete_name commercial_partner_id commercial_company_name parent_id company_id is_company " +
      "vat company_registry phone email street street2 city zip state_id country_id ref lang active"
  )
}

type Term = "&" | "|" | "!" | readonly [string, string, unknown]

/** Evaluates a domain in Polish notation; terms that nothing joins are all required. */
const matches = (record: OdooRecord, domain: ReadonlyArray<Term>): boolean => {
  let at = 0
  const next = (): boolean => {
    const term = domain[at++]
    if (term === undefined) throw new Error("Domain is incomplete")
    if (term === "!") return !next()
    if (term === "&" || term === "|") {
      const [left, right] = [next(), next()]
      return term === "&" ? left && right : left || right
    }
    return holds(record, term)
  }
  let all = true
  while (at < domain.length) all = next() && all
  return all
}

const compared = (order: string) => {
  const keys = order.split(",").map((part) => {
    const [field = "id", direction = "asc"] = part.trim().split(/\s+/)
    return [field, direction.toLowerCase() === "desc" ? -1 : 1] as const
  })
  return (a: OdooRecord, b: OdooRecord): number => {
    for (const [field, sign] of keys) {
      const [x, y] = [Number(valueOf(a, field)), Number(valueOf(b, field))]
      if (x !== y) return (x < y ? -1 : 1) * sign
    }
    return 0
  }
}

const shown = ({ fields, written: at }: OdooRecord, wanted: ReadonlyArray<string>): OdooFields =>
  Object.fromEntries(
    ["id", ...wanted].map((name) => [name, name === "write_date" ? written(at) : (fields[name] ?? false)])
  )

type OdooArguments = Readonly<Record<string, unknown>>

const known = (model: string, fields: ReadonlyArray<string>): void => {
  for (const field of fields)
    if (!modelFields[model]!.has(field)) throw new Error(`Invalid field '${field}' on '${model}'`)
}

const searchRead = (world: OdooWorld, model: string, named: OdooArguments): SourceAnswer => {
  const {
    domain = [],
    fields = [],
    limit = Number.POSITIVE_INFINITY,
    offset = 0,
    order = "id"
  } = named as {
    readonly domain?: ReadonlyArray<Term>
    readonly fields?: ReadonlyArray<string>
    readonly order?: string
    readonly limit?: number
    readonly offset?: number
  }
  world.asked.push(`${model} ${JSON.stringify(domain)}`)
  known(model, [
    ...domain.flatMap((term) => (typeof term === "string" ? [] : [term[0]])),
    ...order.split(",").map((part) => part.trim().split(/\s+/)[0]!),
    ...fields
  ])
  const found = [...(world.models.get(model)?.values() ?? [])]
    .filter((record) => matches(record, domain))
    .toSorted(compared(order))
  return json(
    200,
    found.slice(offset, offset + limit).map((record) => shown(record, fields))
  )
}

const read = (world: OdooWorld, model: string, named: OdooArguments): SourceAnswer => {
  const { fields = [], ids = [] } = named as {
    readonly ids?: ReadonlyArray<number>
    readonly fields?: ReadonlyArray<string>
  }
  world.asked.push(`${model} read ${JSON.stringify(ids)}`)
  known(model, fields)
  const records = ids.map((id) => world.models.get(model)?.get(id)).filter((record) => record !== undefined)
  return json(
    200,
    records.map((record) => shown(record, fields))
  )
}

const methods = new Map([
  ["search_read", { args: new Set(["context", "domain", "fields", "offset", "limit", "order"]), call: searchRead }],
  ["read", { args: new Set(["context", "ids", "fields", "load"]), call: read }]
])

const ofInterface = (world: OdooWorld, { body, headers, method, path }: SourceQuestion): SourceAnswer => {
  const [, model, name = ""] = /^\/json\/2\/([\w.]+)\/(\w+)$/.exec(path) ?? []
  if (method !== "POST" || model === undefined) return problem(404, "werkzeug.exceptions.NotFound", "Not found")
  if (headers["authorization"]?.toLowerCase() !== `bearer ${world.apiKey}`.toLowerCase())
    return problem(401, "werkzeug.exceptions.Unauthorized", "Invalid apikey")
  const fault = world.struck()
  if (fault?.kind === "limit")
    return problem(429, "TooManyRequests", "limit", { "retry-after": String(fault.retryAfter ?? 5) })
  if (fault?.kind === "status") return problem(fault.status ?? 500, "builtins.Exception", "on demand")
  if (fault?.kind === "html")
    return { status: 200, headers: { "content-type": "text/html" }, body: "<html><body>Maintenance</body></html>" }
  if (fault?.kind === "before-answer") fault.does?.()
  const wanted = methods.get(name)
  if (wanted === undefined || modelFields[model] === undefined)
    return problem(404, "werkzeug.exceptions.NotFound", `there is no ${model}.${name}`)
  try {
    const named = JSON.parse(body) as OdooArguments
    // the vendor refuses arguments that the method does not have, and ids of a model method
    const further = Object.keys(named).find((one) => !wanted.args.has(one))
    if (further !== undefined)
      return problem(422, "werkzeug.exceptions.UnprocessableEntity", `an unexpected argument '${further}'`)
    const answer = wanted.call(world, model, named)
    return fault?.kind === "truncated"
      ? { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length * 0.7)) }
      : answer
  } catch (error) {
    return problem(422, "builtins.ValueError", error instanceof Error ? error.message : "wrong arguments")
  }
}

/** Answers a question; the clock of the system is in `Date`. */
export const answer = (world: OdooWorld, question: SourceQuestion): SourceAnswer => {
  const answered = ofInterface(world, question)
  return { ...answered, headers: { date: new Date(world.now).toUTCString(), ...answered.headers } }
}
