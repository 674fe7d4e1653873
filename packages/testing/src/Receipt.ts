/** Receipts, deliveries and the device of a test gateway, as plain values. */

/** A receipt that the device has issued. */
export interface Receipt {
  readonly kind: "invoice" | "credit-note"
  readonly id: string
  readonly number: string
  /** The receipt date. */
  readonly date: Date
  /** The device's code. */
  readonly currency: string
  readonly total: string
  /** The device's own amounts, by its taxes; always positive. `percent`: `"15.5"`, null where exempt. */
  readonly taxes: ReadonlyArray<{
    readonly device: number
    readonly percent: string | null
    readonly net: string
    readonly tax: string
    readonly gross: string
  }>
  readonly verificationCode: string
  readonly qrCodeUrl: string
  /** Rules of the device that the receipt breaks; a red one keeps the fiscal day from closing. */
  readonly marks: ReadonlyArray<{ readonly code: string; readonly colour: "red" | "yellow"; readonly message: string }>
}

/** One try of a delivery to a webhook. */
export interface Delivery {
  /** Ids and numbers of the documents in it. */
  readonly documents: ReadonlyArray<string>
  /** The status of the answer, or why there is none. */
  readonly answer: number | "lost" | "unreachable" | "no-answer"
  /** Why it counts as not delivered; null where it was. The gateway tries again later. */
  readonly problem: string | null
}

/** Differences from the usual device, which is active, switched on and not live. */
export interface TestDevice {
  readonly isActive?: boolean
  readonly isSwitchedOn?: boolean
  readonly isLive?: boolean
  /** Null: the taxpayer is not registered for VAT. */
  readonly vatNumber?: string | null
  /** Longest fiscal day in hours. Default 24. */
  readonly taxPayerDayMaxHrs?: number
  /** How far a stated tax may be from the device's own. Default `"0"`. */
  readonly taxTolerance?: string
  /** Allows documents from before the last close, until `expireCsvUpload` (`2099-12-31T00:00:00`). Default false. */
  readonly allowCsvUpload?: boolean
  readonly expireCsvUpload?: string
}
