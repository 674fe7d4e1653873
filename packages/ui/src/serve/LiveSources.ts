import { DateTime, Effect } from "effect"
import { html } from "../html/Html.ts"
import { sourcesPart } from "../page/SourcesPart.ts"
import { looking, openItems, type Site, zoneOf } from "./Site.ts"

/** Returns the block of the sources; a store that cannot be read leaves the runs out. */
export const sourcesOf = (site: Site) =>
  Effect.gen(function* () {
    const { sources = [] } = site.workplace
    if (sources.length === 0) return html``
    const found = yield* Effect.orElseSucceed(looking(site, openItems), () => null)
    const { liveSources: known = [] } = found?.health ?? {}
    const shown = sources.map((setting) => ({
      setting,
      state: known.find(({ source, tenant }) => source === setting.name && tenant === setting.tenant)
    }))
    return sourcesPart(site.frame, shown, yield* DateTime.now, yield* zoneOf(site))
  })
