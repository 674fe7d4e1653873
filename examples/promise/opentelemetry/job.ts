/** Job with monitoring: sends log, spans and metrics to an OpenTelemetry collector. */
import { connect, type ConnectOptions, type DocumentInput, type Result } from "@fiscal-connector/promise"

export const job = async (
  options: ConnectOptions,
  documents: ReadonlyArray<DocumentInput>
): Promise<ReadonlyArray<Result>> => {
  await using fiscal = await connect({
    ...options,
    telemetry: { url: process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "http://127.0.0.1:4318", serviceName: "invoicing" }
  })
  return (await fiscal.sync(documents, { whenLate: "send-rest" })).results
}
