import { assert, describe, it } from "@effect/vitest"
import { make } from "../../src/node/SqliteHolder.ts"

const gone = 17
const isGone = (pid: number) => pid === gone
const here = make({ host: "till", pid: 1, isGone }, "a")
const nameOf = (host: string, pid: number) => make({ host, pid, isGone }, "b").name

describe("a holder", () => {
  it("is presumed dead when its process on this host has ended", () => {
    assert.isTrue(here.presumedDead(nameOf("till", gone)))
  })
  it("is not while its process runs", () => {
    assert.isFalse(here.presumedDead(nameOf("till", 2)))
    assert.isFalse(here.presumedDead(here.name))
  })
  it("is not on another host, whatever its number, nor when its name is no holder's", () => {
    assert.isFalse(here.presumedDead(nameOf("office", gone)))
    assert.isFalse(here.presumedDead(`till/${gone}x/b`))
    assert.isFalse(here.presumedDead("worker/17"))
  })
})
