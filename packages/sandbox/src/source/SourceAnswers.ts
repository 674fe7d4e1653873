import { createHash } from "node:crypto"
import {
  idFields,
  type SourceFault,
  type SourceFields,
  type SourceList,
  type SourceRecord,
  type SourceTenant,
  type SourceWorld
} from "./SourceWorld.ts"

/** Request to the system. */
export interface SourceQuestion {
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** Answer of the system. `cut`: cuts the connection instead of answering. */
export interface SourceAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly cut?: true
}

const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): SourceAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: JSON.stringify(value)
})

const problem = (status: number, title: string, detail: string, headers: Readonly<Record<string, string>> = {}) =>
  json(status, { Type: null, Title: title, Status: status, Detail: detail }, headers)

const minute = 60_000
const day = 24 * 60 * minute

const netDate = (millis: number): string => `/Date(${millis}+0000)/`

const listOf = (name: string): SourceList | undefined => (name in idFields ? (name as SourceList) : undefined)

/** The system ignores all others, as the vendor's system does. */
const parameters: Readonly<Record<SourceList | "single", ReadonlySet<string>>> = {
  Invoices: new Set(["order", "IDs", "Statuses", "page", "pageSize", "includeArchived", "unitdp", "summaryOnly"]),
  CreditNotes: new Set(["order", "page", "pageSize", "unitdp"]),
  Contacts: new Set(["order", "IDs", "page", "pageSize", "includeArchived", "summaryOnly"]),
  single: new Set(["unitdp"])
}

const priced = (query: URLSearchParams) => {
  const unit = query.get("unitdp") === "4" ? 10_000 : 100
  // a decimal fraction is a little below or above its half: 1.005 becomes 1.01
  const rounded = (price: number) => Math.round(Number((price * unit).toPrecision(12))) / unit
  return (fields: SourceFields): SourceFields => {
    const lines = fields["LineItems"]
    if (!Array.isArray(lines)) return fields
    const shown = (lines as ReadonlyArray<SourceFields>).map((line) =>
      typeof line["UnitAmount"] === "number" ? { ...line, UnitAmount: rounded(line["UnitAmount"]) } : line
    )
    return { ...fields, LineItems: shown }
  }
}

const withoutLines = (fields: SourceFields): SourceFields => ({ ...fields, LineItems: [] })

const withoutAny = (fields: SourceFields): SourceFields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== "LineItems"))

const tokens = (world: SourceWorld, { body, headers }: SourceQuestion): SourceAnswer => {
  const form = new URLSearchParams(body)
  const basic = /^Basic (.+)$/.exec(headers["authorization"] ?? "")?.[1]
  const [user, secret] =
    basic === undefined ? [form.get("client_id"), undefined] : atob(basic).split(":").map(decodeURIComponent)
  if (user !== world.config.clientId || secret !== world.config.clientSecret)
    return json(400, { error: "invalid_client" })
  const grant = form.get("grant_type")
  if (grant !== "refresh_token" && grant !== "authorization_code") return json(400, { error: "unsupported_grant_type" })
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url")
  const fresh =
    grant === "refresh_token"
      ? world.refresh(form.get("refresh_token") ?? "")
      : world.exchange(form.get("code") ?? "", challenge)
  const fault = world.struck("/connect/token", "tokens")
  fault?.does?.()
  if (fresh === undefined || fault?.kind === "invalid-grant") return json(400, { error: "invalid_grant" })
  return json(200, {
    access_token: fresh.access,
    refresh_token: fresh.refresh,
    expires_in: fresh.seconds,
    token_type: "Bearer",
    scope: "accounting.invoices.read offline_access"
  })
}

const authorize = (world: SourceWorld, { path }: SourceQuestion): SourceAnswer => {
  const asked = new URL(path, "http://localhost").searchParams
  const [challenge, redirect] = [asked.get("code_challenge"), asked.get("redirect_uri")]
  const isSound = asked.get("code_challenge_method") === "S256" && asked.get("client_id") === world.config.clientId
  if (challenge === null || redirect === null || !isSound) return problem(400, "BadRequest", "invalid_request")
  const back = new URL(redirect)
  back.searchParams.set("code", world.agree(challenge))
  back.searchParams.set("state", asked.get("state") ?? "")
  return { status: 302, headers: { location: back.href }, body: "" }
}

const overLimit = ({ config, now }: SourceWorld, tenant: SourceTenant): SourceAnswer | undefined => {
  while (tenant.taken.length > 0 && tenant.taken[0]! <= now - day) tenant.taken.shift()
  const inMinute = tenant.taken.filter((at) => at > now - minute)
  if (tenant.taken.length >= config.perDay) return limited("day", Math.ceil((tenant.taken[0]! + day - now) / 1000))
  if (inMinute.length >= config.perMinute) return limited("minute", Math.ceil((inMinute[0]! + minute - now) / 1000))
  return undefined
}

const limited = (limit: string, seconds: number): SourceAnswer => ({
  status: 429,
  headers: { "retry-after": String(seconds), "x-rate-limit-problem": limit },
  body: ""
})

/** Whole seconds, the precision of the header. */
const isSince = ({ config }: SourceWorld, { modified }: SourceRecord, since: number): boolean => {
  const second = Math.floor(modified / 1000) * 1000
  return config.modifiedSince === "from" ? second >= since : second > since
}

const list = (
  world: SourceWorld,
  tenant: SourceTenant,
  name: SourceList,
  query: URLSearchParams,
  since: string | undefined
) => {
  const at = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(`${since}${/Z|GMT/.test(since) ? "" : "Z"}`)
  if (Number.isNaN(at)) return problem(400, "BadRequest", "If-Modified-Since")
  const ids = query.get("IDs")?.split(",")
  const statuses = query.get("Statuses")?.split(",")
  const order = query.get("order")
  const found = [...tenant.lists[name].values()].filter(
    (record) =>
      isSince(world, record, at) &&
      (ids === undefined || ids.includes(String(record.fields[idFields[name]]))) &&
      (statuses === undefined || statuses.includes(String(record.fields["Status"]))) &&
      (name !== "Contacts" || query.get("includeArchived") === "true" || record.fields["ContactStatus"] !== "ARCHIVED")
  )
  if (order !== null && /^UpdatedDateUTC( ASC)?$/.test(order)) found.sort((a, b) => a.modified - b.modified)
  const isPaged = query.has("page")
  const page = Number(query.get("page") ?? "1")
  const pageSize = Math.min(1000, Number(query.get("pageSize") ?? "100"))
  if (!(page >= 1 && pageSize >= 1)) return problem(400, "BadRequest", "page")
  const shown = isPaged ? found.slice((page - 1) * pageSize, page * pageSize) : found
  const shape =
    query.get("summaryOnly") === "true" ? withoutAny : isPaged || name === "Contacts" ? priced(query) : withoutLines
  const pagination = {
    page,
    pageSize,
    pageCount: Math.max(1, Math.ceil(found.length / pageSize)),
    itemCount: found.length
  }
  return listed(name, shown, shape, isPaged ? { pagination } : {})
}

const listed = (
  name: SourceList,
  records: ReadonlyArray<SourceRecord>,
  shape: (fields: SourceFields) => SourceFields,
  more: SourceFields = {}
) =>
  json(200, {
    Id: "00000000-0000-4000-8000-000000000000",
    Status: "OK",
    ...more,
    [name]: records.map(({ fields, modified }) => ({ ...shape(fields), UpdatedDateUTC: netDate(modified) }))
  })

const reversed = (answer: SourceAnswer, name: SourceList): SourceAnswer => {
  const body = JSON.parse(answer.body) as Record<string, ReadonlyArray<unknown>>
  return { ...answer, body: JSON.stringify({ ...body, [name]: [...(body[name] ?? [])].toReversed() }) }
}

const ofInterface = (world: SourceWorld, question: SourceQuestion): SourceAnswer => {
  const { headers, path } = question
  const url = new URL(path, "http://localhost")
  const access = /^Bearer (.+)$/.exec(headers["authorization"] ?? "")?.[1]
  if (access === undefined || !world.isGood(access)) return problem(401, "Unauthorized", "TokenExpired")
  if (url.pathname === "/connections") {
    const fault = world.struck(path, "connections")
    fault?.does?.()
    return json(
      200,
      [...world.tenants.values()].map(({ id, name }) => ({
        id: `connection-${id}`,
        tenantId: id,
        tenantType: "ORGANISATION",
        tenantName: name
      }))
    )
  }
  const [, name = "", id] = /^\/api\.xro\/2\.0\/(\w+)(?:\/([^/]+))?$/.exec(url.pathname) ?? []
  const wanted = listOf(name)
  if (wanted === undefined || question.method !== "GET") return problem(404, "NotFound", "The resource cannot be found")
  const tenant = world.tenants.get(headers["xero-tenant-id"] ?? "")
  if (tenant === undefined) return problem(403, "Forbidden", "AuthenticationUnsuccessful")
  const over = overLimit(world, tenant)
  if (over !== undefined) return over
  tenant.taken.push(world.now)
  const fault = world.struck(path, "interface")
  switch (fault?.kind) {
    case "html":
      return { status: 200, headers: { "content-type": "text/html" }, body: "<html><body>Maintenance</body></html>" }
    case "status":
      return problem(fault.status ?? 500, "Error", "on demand")
    case "cut":
      return { status: 200, headers: {}, body: "", cut: true }
    case "limit-minute":
      return limited("minute", fault.retryAfter ?? 5)
    case "limit-concurrent":
      return limited("concurrent", fault.retryAfter ?? 1)
    case "limit-day":
      return limited("day", fault.retryAfter ?? 66_975)
    case "before-answer":
      fault.does?.()
  }
  const other = [...world.tenants.values()].find(({ id }) => id !== tenant.id)
  const of = fault?.kind === "other-tenant" && other !== undefined ? other : tenant
  const own = parameters[id === undefined ? wanted : "single"]
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => own.has(name)))
  const record = id === undefined ? undefined : of.lists[wanted].get(decodeURIComponent(id))
  const answer =
    id === undefined
      ? list(world, of, wanted, query, headers["if-modified-since"])
      : record === undefined
        ? problem(404, "NotFound", "The resource you're looking for cannot be found")
        : listed(wanted, [record], priced(query))
  const { length } = tenant.taken
  const withLimits = {
    ...answer,
    headers: {
      ...answer.headers,
      "x-minlimit-remaining": String(
        Math.max(0, world.config.perMinute - tenant.taken.filter((at) => at > world.now - minute).length)
      ),
      "x-daylimit-remaining": String(Math.max(0, world.config.perDay - length))
    }
  }
  switch (fault?.kind) {
    case "truncated":
      return { ...withLimits, body: withLimits.body.slice(0, Math.floor(withLimits.body.length * 0.7)) }
    case "empty":
      return json(200, {
        Status: "OK",
        pagination: { page: 1, pageSize: 100, pageCount: 1, itemCount: 0 },
        [wanted]: []
      })
    case "unordered":
      return reversed(withLimits, wanted)
    default:
      return withLimits
  }
}

const controls = (world: SourceWorld, { body, method, path }: SourceQuestion): SourceAnswer => {
  const [, what = "", id = ""] = /^\/_control\/(\w+)(?:\/([\w-]+))?$/.exec(path) ?? []
  const wanted = listOf(what)
  if (method === "GET" && what === "asked") return json(200, world.asked)
  if (method === "DELETE" && what === "faults") world.clearFaults()
  else if (method === "DELETE" && wanted !== undefined) world.remove(wanted, id)
  else if (method === "POST") {
    const given = fieldsOf(body)
    if (given === undefined) return problem(400, "BadRequest", "The body is not a JSON object")
    if (what === "faults") world.addFault(given as unknown as SourceFault)
    else if (wanted !== undefined) world.put(wanted, given)
    else return problem(404, "NotFound", "There is no such control")
  } else return problem(404, "NotFound", "There is no such control")
  return json(200, {})
}

const fieldsOf = (body: string): SourceFields | undefined => {
  try {
    const read: unknown = JSON.parse(body)
    return typeof read === "object" && read !== null && !Array.isArray(read) ? { ...read } : undefined
  } catch {
    return undefined
  }
}

/** Answers a request; the `Date` header shows the system's clock. */
export const answer = (world: SourceWorld, question: SourceQuestion): SourceAnswer => {
  if (question.path.startsWith("/_control/")) return controls(world, question)
  world.asked.push(`${question.method} ${question.path}`)
  const isToken = question.method === "POST" && question.path.startsWith("/connect/token")
  const isLogin = question.path.startsWith("/identity/connect/authorize?")
  const answered = isToken
    ? tokens(world, question)
    : isLogin
      ? authorize(world, question)
      : ofInterface(world, question)
  return { ...answered, headers: { date: new Date(world.now).toUTCString(), ...answered.headers } }
}
