import { WAITING_COUNTED, type EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'

type Unsent = Pick<EndpointHealth, 'waiting' | 'waiting_more'> & { day: Pick<EndpointHealth['day'], 'lost'> }

/**
 * Says what an endpoint still waits for and what it will not get by itself: "3 deliveries wait; nothing is
 * lost."
 */
export function describeUnsent({ waiting, waiting_more: more, day: { lost } }: Unsent): string {
  const waits =
    waiting === 0
      ? 'Nothing waits'
      : `${countOf(waiting, 'delivery', more)} ${waiting === 1 && !more ? 'waits' : 'wait'}`
  if (lost === 0) return waiting === 0 ? `${waits}.` : `${waits}; nothing is lost.`
  const failed = formatCount(lost, lost >= WAITING_COUNTED)
  const them = lost === 1 ? 'it' : 'them'
  return `${waits}; ${failed} failed for good in 24 hours: “Resend failed since…” in the log sends ${them} again.`
}
