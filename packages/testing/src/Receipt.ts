/** Receipts, deliveries and the device of a test gateway, as plain values. */

/** A receipt issued by the device. */
export interface Receipt {
  readonly kind: "invoice" | "credit-note"
  readonly id: string
  readonly number: string
  readonly date: Date
  readonly currency: string
  readonly total: string
  /**
   * Amounts calculated by the device for each of its taxes; always positive. `percent`: `"15.5"`,
   * null if exempt.
   */
  readonly taxes: ReadonlyArray<{
    readonly device: number
    readonly percent: string | null
    readonly net: string
    readonly tax: string
    readonly gross: string
  }>
  readonly verificationCode: string
  readonly qrCodeUrl: string
  /** Device rules that the receipt breaks; a red mark prevents the close of the fiscal day. */
  readonly marks: ReadonlyArray<{ readonly code: string; readonly colour: "red" | "yellow"; readonly message: string }>
}

/** One attempt to deliver to a webhook. */
export interface Delivery {
  /** Ids and numbers of the delivered documents. */
  readonly documents: ReadonlyArray<string>
  /** Status of the answer, or the reason why there is none. */
  readonly answer: number | "lost" | "unreachable" | "no-answer"
  /** Reason why the delivery failed; null if delivered. The gateway retries later. */
  readonly problem: string | null
}

/** Differences from the default device, which is active, switched on and not live. */
export interface TestDevice {
  readonly isActive?: boolean
  readonly isSwitchedOn?: boolean
  readonly isLive?: boolean
  readonly vatNumber?: string | null
  /** Maximum length of a fiscal day in hours. Default 24. */
  readonly taxPayerDayMaxHrs?: number
  /** Maximum difference between a stated tax and the device's calculation. Default `"0"`. */
  readonly taxTolerance?: string
  /**
   * True if documents from before the last close are allowed, until `expireCsvUpload`
   * (`2099-12-31T00:00:00`). Default false.
   */
  readonly allowCsvUpload?: boolean
  readonly expireCsvUpload?: string
}
