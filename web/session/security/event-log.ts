import { z } from 'zod'
import {
  MOST_SECURITY_EVENTS,
  securityEventSchema,
  severityOf,
  type SecurityEvent,
} from '#core/contract/accounts/security-event.ts'

const KEY = 'security_events'
const keptSchema = z.array(securityEventSchema)

/** Reads the events of this browser, oldest first; a log that was tampered with counts as empty. */
export function readEventLog(storage: Storage): SecurityEvent[] {
  try {
    const parsed = keptSchema.safeParse(JSON.parse(storage.getItem(KEY) ?? '[]'))
    return parsed.success ? parsed.data : []
  } catch {
    return []
  }
}

/** Adds an event and drops the oldest above the limit (docs/product.md §9). */
export function keepEvent(storage: Storage, event: SecurityEvent) {
  const log = [...readEventLog(storage), event].slice(-MOST_SECURITY_EVENTS)
  storage.setItem(KEY, JSON.stringify(log))
}

/** @param at milliseconds since the epoch */
export function createEvent(type: string, details: SecurityEvent['details'], at: number): SecurityEvent {
  return {
    id: crypto.randomUUID(),
    type,
    timestamp: new Date(at).toISOString(),
    userAgent: navigator.userAgent.slice(0, 400),
    // Without query and fragment, because a mail's link has tokens in them.
    url: (location.origin + location.pathname).slice(0, 2000),
    details,
    severity: severityOf(type),
  }
}
