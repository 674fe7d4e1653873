/** Place of a victim's store. */
import { Redacted } from "effect"
import { connect, type Socket } from "node:net"
import type { StorePlace } from "../../packages/core/src/submission/StorePlace.ts"
import type { Place } from "./CrashPoint.ts"

/** Returns the store's place. `watched` receives the wire to a server before its first use. */
export const placeOf = (place: Place, watched?: (wire: Socket) => Socket): StorePlace => {
  if (place.engine === "sqlite") return { _tag: "File", file: place.filename, thread: place.thread }
  const { hostname, port } = new URL(place.url)
  return {
    _tag: "Postgres",
    url: Redacted.make(place.url),
    schema: place.schema,
    ...(watched !== undefined && { stream: () => watched(connect(Number(port), hostname)) })
  }
}
