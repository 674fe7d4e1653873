import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as Signature from "../../src/gateway/exchange/Signature.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const secret = (text: string) => Redacted.make(text)

describe("Signature", () => {
  // RFC 4231, test case 2.
  const known = Buffer.from("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843", "hex").toString(
    "base64"
  )

  it("is the Base64 text of an HMAC-SHA256 with the secret's text as the key", () => {
    assert.strictEqual(Signature.signing(secret("Jefe"))(bytes("what do ya want for nothing?")), known)
  })

  it("uses the decoded bytes as the key only with AUTH-2", () => {
    const text = Buffer.from("Jefe").toString("base64")
    assert.strictEqual(Signature.signing(secret(text), "base64")(bytes("what do ya want for nothing?")), known)
    assert.notStrictEqual(Signature.signing(secret(text))(bytes("what do ya want for nothing?")), known)
  })

  it("covers the exact bytes, including non-ASCII", () => {
    assert.notStrictEqual(
      Signature.signing(secret("s"))(bytes('{"a":"é/"}')),
      Signature.signing(secret("s"))(bytes('{"a":"\\u00e9\\/"}'))
    )
  })

  it("verifies with any of several secrets, so that a secret can be rotated", () => {
    const body = bytes("[]")
    const signature = Signature.signing(secret("new"))(body)
    assert.isTrue(Signature.verify([secret("old"), secret("new")], body, signature))
    assert.isTrue(Signature.verify([secret("new")], body, ` ${signature} `))
    assert.isFalse(Signature.verify([secret("old")], body, signature))
    assert.isFalse(Signature.verify([secret("new")], bytes("[ ]"), signature))
  })

  it("never verifies without a secret, without a signature, or with one that is not canonical Base64 of 32 bytes", () => {
    const body = bytes("[]")
    const signature = Signature.signing(secret("new"))(body)
    assert.isFalse(Signature.verify([], body, signature))
    const hex = Buffer.from(signature, "base64").toString("hex")
    for (const bad of [
      undefined,
      "",
      "null",
      signature.slice(1),
      signature.replace("=", ""),
      `${signature}AAAA`,
      `!${signature}`,
      hex
    ]) {
      assert.isFalse(Signature.verify([secret("new")], body, bad), bad)
    }
  })
})
