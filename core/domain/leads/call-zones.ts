import { zoneOfAreaCode } from './us-area-codes.ts'
import { STATE_ZONES, zoneOfZip } from './us-zones.ts'

/** The known facts about a person's place. */
export interface Whereabouts {
  timezone: string | null
  state: string | null
  zip: string | null
  /** in E.164; its area code decides if nothing else does */
  phone?: string | null
}

/** The possible zones of a person, the likeliest first; none if nothing is known. */
export function zonesOf({ timezone, state, zip, phone }: Whereabouts): readonly string[] {
  if (timezone !== null && isZone(timezone)) return [timezone]
  if (state === null) return []
  const zones = STATE_ZONES[state] ?? []
  if (zones.length < 2) return zones
  const known = (zip === null ? undefined : zoneOfZip(state, zip)) ?? zoneOfAreaCode(state, phone ?? '')
  return known === undefined ? zones : [known]
}

const knownZones = new Map<string, boolean>()

/** Zones come from a few hundred names; a sender's inventions are not kept. */
function isZone(zone: string): boolean {
  const kept = knownZones.get(zone)
  if (kept !== undefined) return kept
  try {
    const exists = Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== ''
    knownZones.set(zone, exists)
    return exists
  } catch {
    return false
  }
}
