/**
 * Random walks over the steps of an import: looking at a step changes nothing, and after changed
 * answers, columns, corrected cells, undone corrections and checks in any order, Check shows what a
 * fresh import shows to which only the last choice of each is given.
 */
import { Effect } from "effect"
import { assert, it } from "../../packages/core/test/It.ts"
import { folderWith, gatewayFor, key, secret } from "../../packages/cli/test/RunningConnector.ts"
import { start, Visitor } from "../../packages/ui/test/PageProcess.ts"
import { given } from "../Given.ts"
import { make, type Random } from "../Random.ts"

const { seeds } = given("page-walks")

const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }

/**
 * Export with dates of two readings, two taxes without a meaning, buyers without a number, and
 * totals that are not numbers.
 */
const drawn = (random: Random): string =>
  [
    "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod",
    ...random.times(2, 5, (i) => {
      const [day, month] = [random.between(1, 12), random.between(1, 2)].map((n) => String(n).padStart(2, "0"))
      const amount = (random.between(100, 99_999) / 100).toFixed(2)
      const buyer = random.pick(["Moyo Hardware", "Kopje Lodge"])
      return `A-${i + 1},${day}/${month}/2026,USD,inclusive,${buyer},Lamp,1,${amount},${amount},${i === 0 ? "V" : random.pick(["V", "N"])},${random.pick(["87168000", ""])},${random.chance(0.3) ? `${amount}O` : amount},Card`
    }),
    ""
  ].join("\n")

/** Text of a screen without parts that differ from page to page. */
const said = (body: string): string =>
  /<main[^]*<\/main>/
    .exec(body)![0]
    .replaceAll(/name="(?:token|check|shown)" value="[^"]*"/g, "")
    .replaceAll(/(?:href|action)="\/[^"]*"/g, "")
    .replaceAll(/data-\w+="[^"]*"/g, "")
    .replaceAll(/\d\d:\d\d(?::\d\d)?/g, "")

type Choices = Map<string, string>

/** Meaning of each column of the form, by the name of its field. */
const columnsIn = (body: string): Map<string, string> =>
  new Map(
    Array.from(body.matchAll(/<select name="(column\.\d+)"[^]*?<\/select>/g), ([select, name]) => [
      name!,
      /<option value="([^"]*)"\s+selected/.exec(select)?.[1] ?? ""
    ])
  )

/** Columns that an import does not need: of the buyer, the product code and the payment. */
const optional = ["column.4", "column.10", "column.12"]

const notUsed = "unused"

/** Answers every open question: as chosen before, else by a random choice. */
const answered = async (visitor: Visitor, where: string, choices: Choices, random: Random | null): Promise<string> => {
  for (let i = 0; i < 12; i++) {
    const { body } = await visitor.read(where)
    const asked = visitor.questionsIn(body)
    if (asked.size === 0) return body
    const fields: Record<string, string> = {}
    for (const [id, { at, values }] of asked) {
      const offered = values.filter((value) => value !== "" && value !== "typed")
      const choice = choices.get(id) ?? (random === null ? offered[0] : random.pick(offered))
      if (choice === undefined || !offered.includes(choice)) throw new Error(`${id}: ${choice} of ${offered.join()}`)
      choices.set(id, choice)
      fields[`question.${at}`] = choice
    }
    await visitor.post(`${where}/questions`, fields)
  }
  throw new Error(`${where} goes on asking`)
}

const opened = Effect.gen(function* () {
  const folder = yield* folderWith()
  yield* gatewayFor(folder)
  const page = yield* start(["--config", "account.json", "--book", "own.book.json"], env, folder)
  return yield* Effect.promise(() => Visitor.open(page))
})

const begun = async (visitor: Visitor, text: string): Promise<string> =>
  visitor.whereTo(await visitor.upload([["sales.csv", text]], { fields: { account: "main" } }))

const walked = (seed: number) =>
  Effect.gen(function* () {
    const random = make(seed)
    const text = drawn(random)
    const visitor = yield* opened
    const other = yield* opened
    return yield* Effect.promise(async () => {
      const story: Array<string> = []
      const problem = (what: string) => [`seed ${seed}: ${what} after ${story.join(", ")}\n${text}`]
      const choices: Choices = new Map()
      const corrections = new Map<string, string>()
      const originals = new Map<string, string>()
      const proposed = new Map<string, string>()
      let columns: ReadonlyMap<string, string> = new Map()
      const where = await begun(visitor, text)
      let shown = await answered(visitor, where, choices, random)
      for (let step = 0; step < 6; step++) {
        const act = random.pick(["look", "look", "change", "change", "columns", "correct", "undo", "recheck"] as const)
        if (act === "look") {
          const path = random.pick(["/read", "/columns", "/questions", "/plan"])
          story.push(path)
          await visitor.get(`${where}${path}`)
          const after = (await visitor.read(where)).body
          if (said(after) !== said(shown)) return problem("a look has changed the import")
        } else if (act === "columns") {
          const now = columnsIn((await visitor.get(`${where}/columns`)).body)
          if (proposed.size === 0) for (const [name, meaning] of now) proposed.set(name, meaning)
          const name = random.pick(optional)
          const other = now.get(name) === notUsed ? proposed.get(name)! : notUsed
          columns = now.set(name, other)
          await visitor.post(`${where}/columns`, Object.fromEntries(columns))
          shown = await answered(visitor, where, choices, random)
          story.push(`${name} = ${other}`)
        } else if (act === "correct") {
          // another answer may be what is wrong in the cell of a date or a tax
          const wrong = Array.from(shown.matchAll(/name="cell\.([^"]+)"\s+value="(\d+\.\d\dO*)"/g))
          if (wrong.length === 0) continue
          const [, name = "", was = ""] = random.pick(wrong)
          const to = random.pick([was.replaceAll("O", ""), `${was}O`])
          if (!originals.has(name)) originals.set(name, was)
          if (to === originals.get(name)) corrections.delete(name)
          else corrections.set(name, to)
          await visitor.post(`${where}/cells`, { [`cell.${name}`]: to })
          shown = await answered(visitor, where, choices, null)
          story.push(`${name} = ${to}`)
        } else if (act === "undo") {
          if (corrections.size === 0) continue
          const cell = random.pick([...corrections.keys()])
          corrections.delete(cell)
          await visitor.post(`${where}/undo-cell`, { cell })
          shown = await answered(visitor, where, choices, null)
          story.push(`undo ${cell}`)
        } else if (act === "recheck") {
          story.push("recheck")
          await visitor.post(`${where}/recheck`, {})
          shown = await answered(visitor, where, choices, null)
        } else {
          const subject = random.pick([...choices.keys()])
          await visitor.post(`${where}/change`, { subject })
          const asked = visitor.questionsIn((await visitor.read(where)).body)
          for (const id of asked.keys()) choices.delete(id)
          shown = await answered(visitor, where, choices, random)
          story.push(...[...asked.keys()].map((id) => `${id} = ${choices.get(id)}`))
        }
      }
      const there = await begun(other, text)
      if (columns.size > 0) {
        await other.read(there)
        await other.post(`${there}/columns`, Object.fromEntries(columns))
      }
      let fresh = await answered(other, there, new Map(choices), null)
      for (const [name, to] of corrections) {
        await other.post(`${there}/cells`, { [`cell.${name}`]: to })
        fresh = await answered(other, there, new Map(choices), null)
      }
      return said(fresh) === said(shown)
        ? []
        : problem(
            `Check differs from a fresh import with ${JSON.stringify([...choices])}:\n${said(shown)}\n${said(fresh)}`
          )
    })
  }).pipe(Effect.scoped)

it.live(`${seeds.length} walks over the steps end as a fresh import with the last choices`, function* () {
  const problems = yield* Effect.forEach(seeds, walked, { concurrency: 4 })
  assert.strictEqual(problems.flat().slice(0, 2).join("\n"), "")
})
