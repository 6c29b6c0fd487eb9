import { leftOutSchema, type TimelineEvent } from '#core/contract/events.ts'

/**
 * A client's timeline begins with the assignment (docs/product.md §2), also if the lead's source named the client. The
 * assignment then names the fields that were left out at receipt.
 * @param events oldest first; without an assignment they stay as they are
 */
export function beginTimeline(events: readonly TimelineEvent[]): TimelineEvent[] {
  const assigned = events.find(({ type }) => type === 'lead.assigned')
  if (assigned === undefined) return [...events]
  const received = events.find(({ type }) => type === 'lead.created')
  const leftOut = leftOutSchema.safeParse(received?.data).data
  return events
    .filter((event) => event !== received)
    .map((event) => (event === assigned ? { ...event, data: { ...event.data, ...leftOut } } : event))
}
