export const RETURN_DAYS = 7
const DAY_MS = 24 * 3600 * 1000

/**
 * If a client with at least this many leads in 30 days gives back more than this part of them, further requests are
 * held for review.
 */
const REVIEWED_FROM = 20
export const REVIEWED_ABOVE = 0.2

/** The facts about a lead that its holder wants to give back. */
export interface HeldLead {
  assigned_at: Date
  /** dollars in SQL's form */
  price: string
  is_test: boolean
  is_erased: boolean
  has_request: boolean
}

/** The last moment at which its return may be requested. */
export function returnableUntil(assignedAt: Date): Date {
  return new Date(assignedAt.getTime() + RETURN_DAYS * DAY_MS)
}

/**
 * The reason why a lead cannot be given back, as a sentence for its holder; undefined if it can.
 * @param zone the client's zone, in which its window closes on some date
 */
export function judgeReturn(lead: HeldLead, at: Date, zone: string): string | undefined {
  if (lead.has_request) return 'A return was already requested for this lead'
  if (lead.is_test) return 'A test lead costs nothing and cannot be returned'
  if (Number(lead.price) <= 0) return 'This lead cost nothing and cannot be returned'
  if (lead.is_erased) return 'The person asked to be erased, so this lead can no longer be returned'
  const until = returnableUntil(lead.assigned_at)
  return at > until ? `Return window closed on ${writeDate(until, zone)}` : undefined
}

/**
 * Whether a request is held for a closer look. It is held, never refused.
 * @param leads number of leads received in the last 30 days
 */
export function isReturnHeld({ leads, returned }: { leads: number; returned: number }): boolean {
  return leads >= REVIEWED_FROM && returned / leads > REVIEWED_ABOVE
}

function writeDate(moment: Date, zone: string): string {
  const asked = { dateStyle: 'medium' } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...asked, timeZone: zone }).format(moment)
  } catch {
    // This platform does not know the zone.
    return new Intl.DateTimeFormat('en-US', { ...asked, timeZone: 'UTC' }).format(moment)
  }
}
