/** Test of the job with jest. */
import { testGateway } from "@fiscal-connector/testing"
import { expect, test } from "@jest/globals"
import { job } from "../job.ts"
import { book, now, sale, saved, sold } from "../shop.ts"

test("every sale has its code, and an answer that is lost is not asked for twice", async () => {
  sold.push(sale("1"), sale("2"))
  const gateway = await testGateway({ book, now })
  gateway.fail("lose-answer", { documents: ["S-2"] })
  const fiscal = await gateway.connect()
  expect(await job(fiscal)).toBe(false)
  expect(await job(fiscal)).toBe(false)
  await gateway.advance(60_000)
  expect([...saved.keys()]).toEqual(["1"])
  expect(gateway.receipts().map(({ id }) => id)).toEqual(["1", "2"])
  await gateway.close()
})
