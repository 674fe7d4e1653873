/**
 * The fiscal device attached to the account, with its configuration (docs/gateway.md#fiscaldevice,
 * #deviceconfig).
 */
import type { RecordOf } from "../exchange/AnswerRecord.ts"
import { type Calls, readJson } from "../exchange/Calls.ts"
import * as AnswerTable from "./AnswerTable.ts"

/**
 * A tax of the device. `taxPercent` is 15 for 15 %; null means exempt, which is not 0 (DOC-7,
 * DOC-12).
 */
export interface ApplicableTax extends RecordOf<(typeof AnswerTable.ApplicableTax)["table"]> {}

/**
 * Configuration of the device. `vatNumber` is null if the taxpayer is not registered for VAT
 * (DOC-12). The length of a day is in hours.
 */
export interface DeviceConfig extends RecordOf<(typeof AnswerTable.DeviceConfig)["table"]> {}

/** The device. `misfits` lists the fields that had another form than documented. */
export interface FiscalDevice extends RecordOf<(typeof AnswerTable.FiscalDevice)["table"]> {}

const answer = readJson(AnswerTable.FiscalDevice.decode)

/** Makes this operation over the calls of one account. */
export const operations = (calls: Calls) => ({ fiscalDevice: calls.read({ operation: "fiscalDevice" }, answer) })
