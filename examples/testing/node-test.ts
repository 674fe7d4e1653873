/** Test of the job with Node's own test runner: `node --test examples/testing/node-test.ts`. */
import { testGateway } from "@fiscal-connector/testing"
import assert from "node:assert/strict"
import { test } from "node:test"
import { job } from "./job.ts"
import { book, now, sale, saved, sold } from "./shop.ts"

test("every sale has its code, and an answer that is lost is not asked for twice", async () => {
  sold.push(sale("1"), sale("2"))
  await using gateway = await testGateway({ book, now })
  gateway.fail("lose-answer", { documents: ["S-2"] })
  const fiscal = await gateway.connect()
  assert.equal(await job(fiscal), false)
  assert.equal(await job(fiscal), false)
  await gateway.advance(60_000)
  assert.deepEqual([...saved.keys()], ["1"])
  assert.deepEqual(
    gateway.receipts().map(({ id }) => id),
    ["1", "2"]
  )
})
