import { WAITING_COUNTED, type EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import type { Tone } from '#web/ui/show/tone.ts'
import { wordErrorClass } from '#web/components/error-class-words.ts'

/** Reasons of failed attempts whose status code would not explain them. */
const IN_SPITE_OF_STATUS: Readonly<Record<string, string>> = {
  refused_by_body: 'refused',
  reset: 'broken off',
  timeout: 'timed out',
}

/**
 * Returns the last result in a word or code: "200", "503", "200, refused", "Timed out"; null before the first
 * attempt.
 */
export function describeLastResult(
  health: Pick<EndpointHealth, 'last_attempt_at' | 'last_status' | 'last_error_class'>,
): { text: string; tone: Extract<Tone, 'success' | 'failure'> } | null {
  if (health.last_attempt_at === null) return null
  const tone = health.last_error_class === null ? 'success' : 'failure'
  if (health.last_status !== null) {
    const why = IN_SPITE_OF_STATUS[health.last_error_class ?? '']
    return { text: `${health.last_status}${why === undefined ? '' : `, ${why}`}`, tone }
  }
  return { text: wordErrorClass(health.last_error_class ?? '') ?? 'No answer', tone }
}

/** Describes the sparkline in words. */
export function describeDay({ delivered, failed }: EndpointHealth['day']): string {
  if (delivered + failed === 0) return 'Last 24 hours: no attempts'
  return `Last 24 hours: ${formatCount(delivered)} delivered, ${countOf(failed, 'failed attempt')}`
}

/**
 * Returns "3 deliveries" or "10,000+ deliveries". The count is of deliveries, and a lead may have several.
 */
export function countWaiting({
  waiting,
  waiting_more: more,
}: Pick<EndpointHealth, 'waiting' | 'waiting_more'>) {
  return countOf(waiting, 'delivery', more)
}

export const isOff = ({ standing }: Pick<EndpointHealth, 'standing'>) =>
  standing === 'switched_off' || standing === 'inactive'

/** Returns "3 deliveries arrived while “Example CRM” was off"; the owner sends or discards them. */
export function describeOffered({
  webhook_name: name,
  standing,
  offered,
}: Pick<EndpointHealth, 'webhook_name' | 'standing' | 'offered'>): string {
  const isOff = standing === 'switched_off' || standing === 'inactive'
  const count = countOf(offered, 'delivery', offered >= WAITING_COUNTED)
  return isOff
    ? `${count} arrived since “${name}” was switched off`
    : `${count} arrived while “${name}” was off`
}

/** A shorter form for the row of a webhook that is off. */
export function describeHeld({ offered }: Pick<EndpointHealth, 'offered'>): string {
  const count = countOf(offered, 'delivery', offered >= WAITING_COUNTED)
  return `${count} held while it is off. Activate the webhook to send, or discard in its log.`
}
