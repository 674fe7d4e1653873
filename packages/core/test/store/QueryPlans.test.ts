import { assert, describe, it } from "@effect/vitest"
import * as QueryPlans from "./QueryPlans.ts"

/** Sends the statement to a database with a table of documents; returns the error of closing. */
const closed = (statement: string): string => {
  const db = QueryPlans.opened(":memory:")
  db.exec(`create table fiscal_submission (seq integer primary key, lane text, id text, state text);
    create index fiscal_submission_lane on fiscal_submission (lane, id);
    create index fiscal_submission_state on fiscal_submission (lane, state);
    create index fiscal_submission_next on fiscal_submission (lane, seq) where state = 'Planned'`)
  db.prepare(statement).all()
  try {
    db.close()
    return ""
  } catch (error) {
    return String(error)
  }
}

describe("a checked database", () => {
  for (const [statement, step] of [
    ["select * from fiscal_submission where state = 'Held'", "SCAN fiscal_submission"],
    ["select * from fiscal_submission s where s.lane = 'a'", "SEARCH s USING INDEX fiscal_submission_state (lane=?)"],
    [
      "select * from fiscal_submission where lane = 'a' and state in ('Held', 'Fiscalised')",
      "SEARCH fiscal_submission USING INDEX fiscal_submission_state (lane=? AND state=?)"
    ],
    ["select count(*) from fiscal_submission where seq > 3", "SEARCH fiscal_submission USING INTEGER PRIMARY KEY"],
    ["update fiscal_submission set state = 'Held' where state = 'Sending'", "SCAN fiscal_submission"]
  ] as const) {
    it(`refuses: ${statement}`, () => {
      assert.include(closed(statement), step)
      assert.include(closed(statement), statement)
    })
  }

  for (const statement of [
    "select * from fiscal_submission where lane = 'a' and id = 'b'",
    "select * from fiscal_submission where seq > 3 order by seq limit 50",
    "select * from fiscal_submission where lane = 'a' and state = 'Planned'",
    "select id from fiscal_submission order by seq desc limit 1"
  ]) {
    it(`accepts: ${statement}`, () => {
      assert.strictEqual(closed(statement), "")
    })
  }
})
