/**
 * Databases that check the plan of every statement: a statement must not read the whole of a table
 * that grows with the documents. Each text is checked once, when it is first prepared, and closing
 * the database throws if a plan reads too much.
 */
import { DatabaseSync } from "node:sqlite"
import type { SqliteDatabase } from "../../src/node/SqliteDatabase.ts"

/** Tables that may be read as a whole, with the reason. */
const small: Readonly<Record<string, string>> = {
  fiscal_store: "one row",
  fiscal_migrations: "a row for each version of the schema",
  fiscal_lane: "a row for each device",
  fiscal_account: "a row for each account",
  fiscal_tally: "a row for each device and state",
  fiscal_notice: "the latest observations of each account and device, replaced as a whole",
  fiscal_alert: "one row",
  fiscal_source: "a row for each live source",
  fiscal_source_mark: "a row for each endpoint of a live source"
}

/** Indexes that may be read as a whole: of open work only, which an operator or an answer ends. */
const open: Readonly<Record<string, string>> = {
  fiscal_submission_next: "documents that are not sent yet",
  fiscal_submission_unplaced: "credit notes without an original",
  fiscal_attempt_awaited: "requests without a final answer",
  fiscal_attempt_idless: "requests without an id",
  fiscal_attempt_named: "requests whose id an operator entered",
  fiscal_relation_same: "questions that an operator has answered",
  fiscal_number_rule: "numbers that contain the code of a rule",
  fiscal_decision_day: "acknowledged fiscal days",
  fiscal_decision_report: "reports of periods",
  fiscal_outcome_inbox: "answers to requests of no attempt: at most 10 000, for eight days",
  fiscal_conflict_open: "contradictions that an operator has not settled",
  fiscal_accepted_unknown_open: "acceptances that have not ended",
  fiscal_refused_open: "refused documents that an operator has not dismissed",
  fiscal_source_document_refused: "documents of a source that are refused now"
}

/** Statements that may read a whole table, by their beginning, with the reason. */
const rare: Readonly<Record<string, string>> = {
  "update fiscal_submission set word = null where word like": "once, when an operator accepts an older copy",
  "select max(quiet) as longest from fiscal_attempt": "once, when an operator accepts an older copy",
  "select * from fiscal_submission where account = ? and lane <> ?": "once, when an account gets another device",
  "select receipt_at as at from fiscal_submission": "once, when an account gets another device",
  "select count(*) as n from fiscal_source_document where source = ?": "once, when an operator forgets a source",
  "delete from fiscal_source_document where source = ?": "once, when an operator forgets a source",
  "select * from fiscal_original order by": "lists every registered original",
  "select r.* from fiscal_refused r where r.account = ?": "lists every refused document of an account",
  "select id, submission, repeats, begun_at, finished_at, result, request_id, named_by, mentioned_at, status":
    "a report about the gateway of an account, of at most 5000 requests",
  "select t.* from fiscal_statement t where t.account = ? and t.first_at >= ?":
    "for an Unknown document without a request id",
  "select request_id, min(arrived_at) as arrived_at from": "for an Unknown document without a request id",
  "select account, lane, state, hold_cause as cause, count(*) as n, min(since) as since":
    "in a state that waits for an operator",
  "select account, said, max(request_id) as request_id, final, made, count(*) as n":
    "in a state that waits for an operator",
  "select count(*) as n from fiscal_submission s where s.lane = ? and s.state = ? and s.account = ? and s.hold_cause = 'duplicate'":
    "in a state that waits for an operator",
  "select seq from fiscal_submission where lane = ? and": "since a time, or in a state that is left again",
  "delete from fiscal_statement as t": "after the failure of a request that another system sent"
}

/** Columns with few values: equality with one of them selects a share of the table. */
const coarse = new Set(["account", "endpoint", "environment", "kind", "lane", "source", "state", "taxpayer", "tenant"])

/** States that a document leaves again: few documents are in them. */
const openStates = new Set(["Planned", "Held", "Sending", "Accepted", "Unknown", "Expired", "Declined", "Rejected"])

/** Returns true if the statement itself asks for documents in open states only. */
const isOpenWork = (text: string): boolean => {
  const asked = [...text.matchAll(/\bstate (?:= ('\w+')|in \(([^)]*)\))/g)].flatMap(([, one, some]) =>
    (one ?? some ?? "").split(/, ?/)
  )
  return asked.length > 0 && asked.every((state) => openStates.has(state.slice(1, -1)))
}

/** Returns the table behind a name in the statement; undefined for a subquery. */
const tableOf = (text: string, name: string): string | undefined =>
  name.startsWith("fiscal_") ? name : new RegExp(String.raw`\b(fiscal_\w+)\s+(?:as )?${name}\b`).exec(text)?.[1]

/** Returns true if the statement may read the whole of the table, or of the index. */
export const isAllowed = (text: string, table: string, index?: string): boolean => {
  const line = text.replaceAll(/\s+/g, " ").replaceAll(/\$\d+/g, "?").trim()
  return (
    table in small ||
    (index !== undefined && index in open) ||
    Object.keys(rare).some((begin) => line.startsWith(begin)) ||
    // of no values: nothing is read
    /\b1=0\b/.test(line) ||
    // ends with the first rows
    (/\blimit (\?|\d+)/.test(line) && !/\bwhere\b/.test(line))
  )
}

/** Returns the steps of the plan that read too much. */
const excessive = (text: string, plan: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isLimited = /\blimit (\?|\d+)/.test(text)
  return plan.filter((step) => {
    const [, how, name, index, condition] =
      /^(SCAN|SEARCH) (\w+)(?: EXISTS)?(?: USING (?:COVERING )?(?:INDEX (\w+)|INTEGER PRIMARY KEY))?(?: \((.*)\))?/.exec(
        step
      ) ?? []
    if (how === undefined || name === undefined) return /AUTOMATIC/.test(step)
    const table = tableOf(text, name)
    if (table === undefined || isAllowed(text, table, index)) return false
    if (how === "SCAN") return true
    const equal = [...(condition ?? "").matchAll(/(\w+)=\?/g)].map(([, column]) => column!)
    // the first or last entry of an index, and of a range in one; one entry that exists
    const isEnd =
      condition === undefined
        ? /\bmax\(id\)/.test(text)
        : text.includes(`min(${name}.`) ||
          /^select min\(since\) as n\b/.test(text) ||
          new RegExp(String.raw`exists \(select 1 from \w+ ${name} where [^()]*\)`).test(text)
    const isNarrow = equal.some((column) => !coarse.has(column) || (column === "state" && isOpenWork(text)))
    return !isNarrow && !/\bsince>/.test(condition ?? "") && !isLimited && !isEnd
  })
}

const checked = new Map<string, string | null>()

/** Returns what the statement reads too much of; null if nothing. */
const check = (db: DatabaseSync, text: string): string | null => {
  const known = checked.get(text)
  if (known !== undefined) return known
  const plan = db.prepare(`explain query plan ${text}`).all()
  const steps = excessive(
    text,
    plan.map(({ detail }) => String(detail))
  )
  const found = steps.length === 0 ? null : `${steps.join("\n")}\n  in: ${text}`
  checked.set(text, found)
  return found
}

/** Opens a database that checks its statements; for `SqliteConfig.open`. */
export const opened = (filename: string): SqliteDatabase => {
  const db = new DatabaseSync(filename)
  const found = new Set<string>()
  return {
    exec: (text) => db.exec(text),
    get isTransaction() {
      return db.isTransaction
    },
    prepare: (text) => {
      const problem = /^\s*(select|insert|update|delete|with)\b[^]*\bfiscal_/i.test(text) ? check(db, text) : null
      if (problem !== null) found.add(problem)
      return db.prepare(text)
    },
    close: () => {
      db.close()
      if (found.size > 0) throw new Error(`statements read a whole table that grows:\n${[...found].join("\n")}`)
    }
  }
}
