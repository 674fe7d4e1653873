/** Assumptions about authentication and signing (AUTH-1 to AUTH-8). */
import { type Assumption, discipline, nothing, on, setting } from "./Assumption.ts"

export const authentication = {
  "AUTH-1": {
    takes:
      "A request with a body carries X-Api-Signature: Base64 of HMAC-SHA256 over the exact bytes. Requests without a body are unsigned.",
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
    takes: "The HMAC key is the UTF-8 text of the secret, not the bytes that it is the Base64 of.",
    strength: "D",
    switch: on("AUTH-2"),
    usedIn: ["core/src/gateway/exchange/Signature"],
    wrongIf: "every POST is answered 401 although the secret is right and reads as Base64"
  },
  "AUTH-3": {
    takes: "The secret never travels. A body is written once; those bytes are signed and those bytes are sent.",
    strength: "C/I",
    switch: discipline,
    usedIn: ["core/src/gateway/exchange/Exchange", "core/src/document/WireCodec"],
    wrongIf: "documents with / or non-ASCII text are answered 401 and others are not"
  },
  "AUTH-4": {
    takes:
      "X-App-Station is mandatory, one per till or operator, and never changes once set. X-App-Version is not enforced.",
    strength: "D/C",
    switch: setting("station, version", "version 1"),
    usedIn: ["core/src/gateway/contract/GatewayConfig", "sandbox/src/http/Credentials"],
    wrongIf: "requests are refused for their version, or a second station is refused"
  },
  "AUTH-5": {
    takes: "A wrong or missing key or signature is answered 401. A GET proves the key and not the secret.",
    strength: "C",
    switch: nothing("401 and 403 are recognized only by their status"),
    usedIn: ["core/src/gateway/exchange/Answer", "core/src/gateway/contract/CertainlyNotProcessed"],
    wrongIf: "a wrong key leads to another status than 401 or 403"
  },
  "AUTH-6": {
    takes: "Secrets are shown once and rotated: verification accepts several at once.",
    strength: "D/I",
    switch: setting("formerSecrets", "none"),
    usedIn: ["core/src/gateway/exchange/Signature", "core/src/gateway/contract/GatewayConfig"],
    wrongIf: "deliveries are still signed with a secret that was removed from the configuration"
  },
  "AUTH-7": {
    takes: "The base URL may carry a path prefix, which is kept. https only, except for loopback.",
    strength: "C",
    switch: on("AUTH-7"),
    usedIn: ["core/src/gateway/contract/GatewayConfig", "core/src/gateway/exchange/Exchange"],
    wrongIf: "every path is answered 404 under the base URL that was given out"
  },
  "AUTH-8": {
    takes: "The sandbox enforces key, application and station, and records the version.",
    strength: "C",
    switch: nothing("it concerns the sandbox, whose accounts say what they enforce"),
    usedIn: ["sandbox/src/http/Credentials"],
    wrongIf: "what the sandbox refuses for its headers the gateway takes, or the other way round"
  }
} as const satisfies { readonly [id: string]: Assumption }
