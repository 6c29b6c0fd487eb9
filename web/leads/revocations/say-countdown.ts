import type { OwnRevocation, RevocationReporter } from '#core/contract/leads/revocation.ts'
import type { Tone } from '../../ui/show/tone.ts'

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** Returns "Dec 7, 2026" of a date without a time. */
export function sayDay(date: string) {
  return DAY.format(new Date(`${date}T00:00:00Z`))
}

/** Returns for example "10 business days left"; undefined while nothing counts down. */
export function sayCountdown(days: number | null) {
  if (days === null) return undefined
  if (days === 0) return 'Last business day'
  const count = `${Math.abs(days)} business day${Math.abs(days) === 1 ? '' : 's'}`
  return days > 0 ? `${count} left` : `${count} overdue`
}

/** The tone of a countdown: the last three days wait, an overdue one has failed. */
export function toneOfCountdown(days: number | null): Tone {
  if (days === null || days > 3) return 'neutral'
  return days < 0 ? 'failure' : 'waiting'
}

export const REPORTER_WORDS: Readonly<Record<RevocationReporter, string>> = {
  consumer: 'The person',
  source: 'The source',
  client: 'A client',
  administrator: 'Leadwire',
}

/** Says who acknowledged. */
export function sayReceipt({
  acknowledged_by: by,
  webhook_name: webhook,
}: Pick<OwnRevocation, 'acknowledged_by' | 'webhook_name'>) {
  return by === 'webhook' ? `By webhook${webhook === null ? '' : ` “${webhook}”`}` : 'By a person'
}
