import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'

const MOVING_MS = 700
const STILL_MS = 5000
/** Counting so many waiting rows again every second would cost more than it tells. */
const MANY = 1000

/** How soon the endpoints of a client may look different: soon while deliveries of theirs wait. */
export function healthInterval(health: readonly EndpointHealth[] | undefined): number {
  const waiting = (health ?? []).reduce((sum, one) => sum + one.waiting, 0)
  return waiting > 0 && waiting < MANY ? MOVING_MS : STILL_MS
}
