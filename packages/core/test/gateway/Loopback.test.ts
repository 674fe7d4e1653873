import { assert, describe, it } from "@effect/vitest"
import { isLoopback } from "../../src/gateway/contract/Loopback.ts"

describe("a host name", () => {
  it.each(["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.10", "[::1]", "::1"])("%s is this machine", (name) => {
    assert.isTrue(isLoopback(name))
  })

  it.each([
    "",
    "localhost.example",
    "notlocalhost",
    "127.0.0.1.example",
    "127.0.0",
    "1127.0.0.1",
    "10.0.0.1",
    "0.0.0.0",
    "[::1",
    "[::2]",
    "::ffff:127.0.0.1"
  ])("%s is not known to be this machine", (name) => {
    assert.isFalse(isLoopback(name))
  })
})
