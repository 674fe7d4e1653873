/**
 * Words of a gateway about a document: any text, also as an object, with any IsActionable. Some
 * look like a result, an unknown id or a receipt rule's code. No word tells what the gateway does.
 */
import type { Draw } from "./Draw.ts"

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

export interface Words {
  readonly error: Json
  readonly actionable: boolean | null
}

/** Sentences of five languages. Placeholders: sandbox/gateway/Report. */
const sentences = [
  "Not found",
  "Request not found in database",
  "404",
  "Still processing",
  "Pending",
  "The till has no connection and tries again",
  "Invalid tax amount",
  "Rejected",
  "Duplicate invoice number",
  "Internal error, reference {id}",
  "Invoice {number} is queued",
  "Facture {number} introuvable",
  "La requête est en cours de traitement",
  "Montant de la taxe incorrect",
  "Documento {number} não encontrado",
  "A aguardar ligação ao dispositivo",
  "Ankara haijapatikana",
  "Inasubiri kifaa",
  "الفاتورة قيد المعالجة",
  "لم يتم العثور على الطلب {id}",
  "正在处理发票 {number}",
  "找不到请求"
] as const

/** Texts with the letters of a rule's code: glued to a name, or the number of a document. */
const seeming = [
  "{number} waits behind {other}",
  "Waiting for {other}",
  "Invoice {number} is queued",
  "RCPT026-{number} is queued",
  "{number}RCPT026 is in work",
  "Job RCPT043_{id}",
  "Batch RCPT031.{number}",
  "Queue /RCPT026/{number}",
  "#RCPT043 of the queue",
  "XRCPT026 0",
  "RCPT0261 jobs wait",
  "Line '{description}' is in work"
] as const

/** Texts that name a receipt rule. */
const coded = [
  "RCPT026: the tax amount is wrong",
  "Rejected by the authority (RCPT043)",
  "RCPT016",
  "Échec: RCPT026, RCPT027"
] as const

type Range = readonly [from: number, to: number]

/** Ranges of Unicode that a text is drawn from. */
const ranges: readonly [Range, ...ReadonlyArray<Range>] = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x400, 0x4ff],
  [0x600, 0x6ff],
  [0x3040, 0x30ff],
  [0x4e00, 0x9fff],
  [0x200b, 0x202e],
  [0x1f300, 0x1f64f]
]

const anyText = (draw: Draw): string => {
  const [from, to] = draw.pick(ranges)
  const length = draw.between(1, 60)
  const text = Array.from({ length }, () => String.fromCodePoint(draw.between(from, to + 1))).join("")
  // A blank text reports nothing.
  return text.trim() === "" ? "?" : text
}

const text = (draw: Draw): string =>
  draw.pick([() => draw.pick(sentences), () => draw.pick(seeming), () => anyText(draw)])()

const inObject = (draw: Draw, said: string): Json =>
  draw.pick<() => Json>([
    () => ({ Code: draw.pick([404, 202, 26, 0]), Message: said }),
    () => ({ error: { status: "pending", details: [said, { id: "{id}" }] } }),
    () => [said],
    // A code alone, also as a name, is proof by STAT-10.
    () => ({ "RCPT026-queue": said }),
    () => draw.pick([404, 0, 26, -1])
  ])()

const actionable = (draw: Draw): Words["actionable"] => draw.pick([true, false, null])

/** Returns words of a gateway that still works on the document. */
export const whileWorking = (draw: Draw): Words => {
  const said = text(draw)
  return { error: draw.chance(0.3) ? inObject(draw, said) : said, actionable: actionable(draw) }
}

/** Returns the words of a failure that is a result, with the code of a receipt rule or without. */
export const ofFailure = (draw: Draw): { readonly error: string; readonly actionable: boolean } => ({
  error: draw.chance(0.4) ? draw.pick(coded) : text(draw),
  actionable: true
})

const [second, minute, hour] = [1000, 60_000, 3_600_000]
/** Ranges of the time for which a gateway works behind its words, in milliseconds. */
const times: readonly [Range, ...ReadonlyArray<Range>] = [
  [5 * second, minute],
  [5 * second, minute],
  [minute, 10 * minute],
  [minute, 10 * minute],
  [10 * minute, hour],
  [hour, 4 * hour]
]

/** Returns the time for which a gateway works behind its words, from seconds to hours. */
export const timeOf = (draw: Draw): number => draw.between(...draw.pick(times))
