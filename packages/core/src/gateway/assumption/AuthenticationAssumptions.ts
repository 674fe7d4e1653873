import { type Assumption, discipline, nothing, on, setting } from "./Assumption.ts"

export const authentication = {
  "AUTH-1": {
    takes:
      "A request with a body has the header X-Api-Signature: Base64 of HMAC-SHA256 over the exact bytes of the body. Requests without a body are not signed.",
    strength: "D",
    switch: on("AUTH-1"),
    usedIn: [
      "core/src/gateway/exchange/Exchange",
      "core/src/gateway/exchange/Signature",
      "sandbox/src/http/Credentials"
    ],
    wrongIf: "every POST is answered 401 although GET /profile is answered 200 with the same key"
  },
  "AUTH-2": {
    takes: "The HMAC key is the UTF-8 text of the secret, not the bytes that the secret decodes to as Base64.",
    strength: "D",
    switch: on("AUTH-2"),
    usedIn: ["core/src/gateway/exchange/Signature"],
    wrongIf: "every POST is answered 401 although the secret is right and is valid Base64"
  },
  "AUTH-3": {
    takes: "The secret is never sent. A body is encoded once; the same bytes are signed and sent.",
    strength: "C/I",
    switch: discipline,
    usedIn: ["core/src/gateway/exchange/Exchange", "core/src/document/WireCodec"],
    wrongIf: "documents with / or non-ASCII text are answered 401 and others are not"
  },
  "AUTH-4": {
    takes:
      "X-App-Station is required, one per till or operator, and never changes after it was set. X-App-Version is not checked.",
    strength: "D/C",
    switch: setting("station, version", "version 1"),
    usedIn: ["core/src/gateway/contract/GatewayConfig", "sandbox/src/http/Credentials"],
    wrongIf: "requests are refused because of their version, or a second station is refused"
  },
  "AUTH-5": {
    takes: "A wrong or missing key or signature is answered 401. A GET checks the key and not the secret.",
    strength: "C",
    switch: nothing("401 and 403 are recognized only by their status"),
    usedIn: ["core/src/gateway/exchange/Answer", "core/src/gateway/contract/CertainlyNotProcessed"],
    wrongIf: "a wrong key is answered with another status than 401 or 403"
  },
  "AUTH-6": {
    takes: "A secret is shown once and can be replaced; several secrets are accepted at the same time.",
    strength: "D/I",
    switch: setting("formerSecrets", "none"),
    usedIn: ["core/src/gateway/exchange/Signature", "core/src/gateway/contract/GatewayConfig"],
    wrongIf: "deliveries are still signed with a secret that was removed from the configuration"
  },
  "AUTH-7": {
    takes: "The base URL may have a path prefix, which is kept. Only https is allowed, except for loopback.",
    strength: "C",
    switch: on("AUTH-7"),
    usedIn: ["core/src/gateway/contract/GatewayConfig", "core/src/gateway/exchange/Exchange"],
    wrongIf: "every path under the base URL that the gateway issued is answered 404"
  },
  "AUTH-8": {
    takes: "The sandbox checks key, application and station, and records the version.",
    strength: "C",
    switch: nothing("the assumption concerns the sandbox, and each of its accounts defines which headers are checked"),
    usedIn: ["sandbox/src/http/Credentials"],
    wrongIf: "the gateway accepts a request that the sandbox refuses because of its headers, or the other way round"
  }
} as const satisfies { readonly [id: string]: Assumption }
