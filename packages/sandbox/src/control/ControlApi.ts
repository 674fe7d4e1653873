/**
 * Controls over HTTP, under `/_control`. Credentials are not required: a sandbox listens on the
 * loopback address.
 */
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { IssuedReceipt } from "../day/IssuedReceipt.ts"
import { FaultSpec, StandingFault } from "../fault/Fault.ts"
import { GatewayCall } from "../gateway/Call.ts"
import { ErrorBody } from "../http/Answer.ts"
import { AcceptedDocument } from "./AcceptedDocument.ts"
import { AccountChange } from "./AccountChange.ts"
import { ClockChange, ClockReading } from "./ClockChange.ts"
import { ControlBody, NotTaken } from "./ControlBody.ts"
import { ClosedDay, DeviceChoice, RepairedDay } from "./DayClose.ts"
import { DeviceChange } from "./DeviceChange.ts"
import { ControlSettings, SettingsChange } from "./Settings.ts"

const UnknownFault = ErrorBody.annotate({
  identifier: "UnknownFault",
  httpApiStatus: 404,
  description: "No fault of that id is in force"
})

export class ControlApi extends HttpApiGroup.make("control")
  // On each endpoint: the compiler orders the union members made by a group's middleware
  // differently from build to build.
  .add(
    HttpApiEndpoint.get("accepted", "/_control/accepted", { success: Schema.Array(AcceptedDocument) }).middleware(
      ControlBody
    ),
    HttpApiEndpoint.get("calls", "/_control/calls", { success: Schema.Array(GatewayCall) }).middleware(ControlBody),
    HttpApiEndpoint.delete("forgetCalls", "/_control/calls").middleware(ControlBody),
    HttpApiEndpoint.get("faults", "/_control/faults", { success: Schema.Array(StandingFault) }).middleware(ControlBody),
    HttpApiEndpoint.post("addFault", "/_control/faults", {
      payload: FaultSpec,
      success: Schema.Struct({ id: Schema.String })
    }).middleware(ControlBody),
    HttpApiEndpoint.delete("clearFaults", "/_control/faults").middleware(ControlBody),
    HttpApiEndpoint.delete("removeFault", "/_control/faults/:id", {
      params: { id: Schema.String },
      error: UnknownFault
    }).middleware(ControlBody),
    HttpApiEndpoint.get("settings", "/_control/settings", { success: ControlSettings }).middleware(ControlBody),
    HttpApiEndpoint.patch("change", "/_control/settings", {
      payload: SettingsChange,
      success: ControlSettings
    }).middleware(ControlBody),
    HttpApiEndpoint.get("receipts", "/_control/receipts", { success: Schema.Array(IssuedReceipt) }).middleware(
      ControlBody
    ),
    HttpApiEndpoint.get("coloured", "/_control/receipts/coloured", { success: Schema.Array(IssuedReceipt) }).middleware(
      ControlBody
    ),
    HttpApiEndpoint.post("closeDay", "/_control/close-day", {
      payload: [DeviceChoice, HttpApiSchema.NoContent],
      success: ClosedDay,
      error: NotTaken
    }).middleware(ControlBody),
    HttpApiEndpoint.post("repairDay", "/_control/repair-day", {
      payload: [DeviceChoice, HttpApiSchema.NoContent],
      success: RepairedDay,
      error: NotTaken
    }).middleware(ControlBody),
    HttpApiEndpoint.patch("changeDevice", "/_control/device", { payload: DeviceChange, error: NotTaken }).middleware(
      ControlBody
    ),
    HttpApiEndpoint.patch("changeAccount", "/_control/account", { payload: AccountChange, error: NotTaken }).middleware(
      ControlBody
    ),
    HttpApiEndpoint.get("clock", "/_control/clock", { success: ClockReading }).middleware(ControlBody),
    HttpApiEndpoint.post("moveClock", "/_control/clock", { payload: ClockChange, success: ClockReading }).middleware(
      ControlBody
    )
  )
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(OpenApi.annotations({ title: "Controls of the sandbox" })) {}
