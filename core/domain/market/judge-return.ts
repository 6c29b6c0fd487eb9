export const RETURN_DAYS = 7
const DAY_MS = 24 * 3600 * 1000

/** From so many leads of 30 days on, more than this part of them given back holds further requests for review. */
const REVIEWED_FROM = 20
export const REVIEWED_ABOVE = 0.2

/** What is known of a lead that its holder would give back. */
export interface HeldLead {
  assigned_at: Date
  /** dollars, as SQL has them */
  price: string
  is_test: boolean
  is_erased: boolean
  has_request: boolean
}

/** The last moment at which a return of it may be asked for. */
export function returnableUntil(assignedAt: Date): Date {
  return new Date(assignedAt.getTime() + RETURN_DAYS * DAY_MS)
}

/**
 * Why a lead cannot be given back, as a sentence for its holder; undefined where it can.
 * @param zone the client's, in which its window closes on some date
 */
export function judgeReturn(lead: HeldLead, at: Date, zone: string): string | undefined {
  if (lead.has_request) return 'A return was already requested for this lead'
  if (lead.is_test) return 'A test lead costs nothing and cannot be returned'
  if (Number(lead.price) <= 0) return 'This lead cost nothing and cannot be returned'
  if (lead.is_erased) return 'The person asked to be erased, so this lead can no longer be returned'
  const until = returnableUntil(lead.assigned_at)
  return at > until ? `Return window closed on ${writeDate(until, zone)}` : undefined
}

/** Whether a request waits for a closer look. It is held, never refused. @param leads received in the last 30 days */
export function isReturnHeld({ leads, returned }: { leads: number; returned: number }): boolean {
  return leads >= REVIEWED_FROM && returned / leads > REVIEWED_ABOVE
}

function writeDate(moment: Date, zone: string): string {
  const asked = { dateStyle: 'medium' } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...asked, timeZone: zone }).format(moment)
  } catch {
    // A zone that this platform does not know.
    return new Intl.DateTimeFormat('en-US', { ...asked, timeZone: 'UTC' }).format(moment)
  }
}
