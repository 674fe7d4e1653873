/** Carries deliveries from the gateway to the listener, and forges some. */
import { DateTime, Effect, Exit, Redacted } from "effect"
import { signForTest } from "../../packages/testing/src/SignForTest.ts"
import type { Delivery } from "../../packages/core/src/sending/WebhookDelivery.ts"
import type { Reply, WebhookReceiverShape } from "../../packages/core/src/sending/WebhookReceiver.ts"
import type { Parcel, Post } from "@fiscal-connector/sandbox/webhook/Channel"
import { accountNames } from "./Accounts.ts"
import { type Draw, stream } from "./Draw.ts"
import type { SimulatedProcess } from "./SimulatedProcess.ts"
import type { Simulation } from "./Simulation.ts"

/** Returns the public address of an account's deliveries. */
export const addressOf = (account: string) => `http://listener/${account}`

/** Process and receiver that listen at the moment. */
export interface Listener {
  readonly process: SimulatedProcess
  readonly receiver: WebhookReceiverShape
}

type Forgery = "another key" | "a changed byte" | "another account's signature" | "an old one again"

export interface DeliveriesOptions {
  readonly simulation: Simulation
  /** Secrets of an account in the listener's configuration, the current secret first. */
  readonly secrets: (account: string) => ReadonlyArray<string>
  /**
   * True if the outcome of an unknown request may be assigned to a document without a request id.
   */
  readonly joins: boolean
  /** Called when a forged delivery was accepted. */
  readonly believed: (text: string) => void
}

export class Deliveries {
  listener: Listener | null = null
  readonly #options: DeliveriesOptions
  readonly #draw: Draw
  readonly #old: Array<{ readonly account: string; readonly parcel: Parcel }> = []

  constructor(options: DeliveriesOptions) {
    this.#options = options
    this.#draw = stream(options.simulation.seed, "deliveries")
  }

  /**
   * Sends a delivery of the gateway. A delivery without an answer ends at the sandbox's time limit.
   */
  readonly post: Post = (parcel) =>
    Effect.callback((resume) => {
      const account = parcel.url.slice(addressOf("").length)
      if (this.#old.length < 20) this.#old.push({ account, parcel })
      this.#carry(account, parcel, (status) =>
        resume(status === null ? Effect.fail("unreachable") : Effect.succeed({ status, cookies: "none" }))
      )
    })

  #carry(account: string, { body, headers }: Pick<Parcel, "body" | "headers">, answered: (s: number | null) => void) {
    const { simulation } = this.#options
    const isAnswerLost = this.#draw.chance(0.02)
    const [there, back] = [this.#draw.between(1, 120), this.#draw.between(1, 120)]
    simulation.later(there, null, () => {
      const { listener } = this
      if (listener === null || listener.process.life !== "running") {
        simulation.later(back, null, () => answered(null))
        return
      }
      const delivery: Delivery = {
        account: { account, secrets: this.#options.secrets(account).map((secret) => Redacted.make(secret)) },
        headers,
        body,
        receivedAt: DateTime.makeUnsafe(simulation.now + listener.process.skew)
      }
      simulation.spawn(listener.process, listener.receiver.receive(delivery), (exit: Exit.Exit<Reply>) => {
        if (!isAnswerLost && Exit.isSuccess(exit)) simulation.later(back, null, () => answered(exit.value.status))
      })
    })
  }

  /** Forges an outcome: the sender knows a request id, but no secret of its account. */
  forge(requestId: string, account: string): void {
    const kind = this.#draw.pick<Forgery>([
      "another key",
      "a changed byte",
      "another account's signature",
      "an old one again"
    ])
    const isSuccess = this.#draw.chance(0.5)
    const item = {
      RequestId: requestId,
      Success: isSuccess,
      IsActionable: !isSuccess,
      Error: isSuccess ? null : "forged",
      QrData: isSuccess ? { VerificationCode: "FORGED", FiscalDayNumber: 1 } : null,
      FiscalInvoicePdf: null
    }
    const signed = (secret: string) => signForTest(JSON.stringify([item]), { secrets: [Redacted.make(secret)] })
    const secretOf = (name: string) => this.#options.secrets(name)[0] ?? ""
    const send = (to: string, { body, headers }: Pick<Parcel, "headers"> & { readonly body: Uint8Array }) => {
      this.#options.simulation.log(`somebody forges an outcome of ${requestId} for ${to} (${kind})`)
      this.#carry(to, { headers, body: Uint8Array.from(body) }, (status) => {
        const isRefused = status === null || status === 401 || status === 503
        if (!isRefused && (kind === "another key" || kind === "a changed byte"))
          this.#options.believed(`${kind}, and the answer is ${status}`)
      })
    }
    switch (kind) {
      case "another key":
        return send(account, signed("guessed"))
      case "a changed byte": {
        const { body, headers } = signed(secretOf(account))
        return send(account, { headers, body: Uint8Array.of(...body, 0x20) })
      }
      case "another account's signature": {
        // Every account's secret signs outcomes of the account's documents only. An attacker with
        // the other account's secret can state anything about that account's documents, even
        // without a request id if ids are joined by elimination. So the forgery is skipped in that
        // case.
        if (this.#options.joins) return
        const other = accountNames.find((name) => name !== account) ?? account
        return send(other, signed(secretOf(other)))
      }
      case "an old one again": {
        const old = this.#old[this.#draw.int(Math.max(1, this.#old.length))]
        return old === undefined ? undefined : send(old.account, old.parcel)
      }
    }
  }
}
