import { randomInt, randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import { countDeliveryLogs, listDeliveryLogs } from '#core/data/webhooks/logs/delivery-logs.ts'
import { findDeliveryLog } from '#core/data/webhooks/logs/find-delivery-log.ts'
import type { KeptSpan, LogFilter } from '#core/data/webhooks/logs/log-filter.ts'
import { findRelatedAttempts } from '#core/data/webhooks/logs/related-attempts.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { Question } from '../ask-often.ts'
import type { FilledLogs } from './fill-logs.ts'

const WEEK_MS = 7 * 24 * 3600 * 1000
const LIMIT = 50

/**
 * Every filter that the API offers (docs/contract.md §4), alone and in pairs; each call uses other values.
 */
export function askAll(db: Kysely<Database>, filled: FilledLogs, kept: KeptSpan): Question[] {
  const { client, configurations, sampled } = filled
  const any = <T>(of: readonly T[]): T => of[randomInt(of.length)] as T
  const half = configurations.length / 2
  const page = async (
    filter: Partial<LogFilter>,
    at?: Date,
    whose: Partial<LogFilter> = { webhook_config_id: any(configurations) },
  ): Promise<number> => {
    const after =
      at === undefined ? undefined : { at: at.toISOString().replace('Z', '000Z'), id: randomUUIDv7() }
    const of = { client, kept, ...whose, ...filter }
    return (await listDeliveryLogs(db, of, { limit: LIMIT, after })).length
  }
  const ago = (weeks: number) => new Date(Date.now() - weeks * WEEK_MS)
  const week = () => {
    const weeks = 2 + randomInt(20)
    return { from: ago(weeks), to: ago(weeks - 1) }
  }
  const whole = async (id: string): Promise<number> => {
    const log = await findDeliveryLog(db, client, id)
    return log === undefined
      ? 0
      : (await findRelatedAttempts(db, { ...log, lead_id: log.lead_id ?? log.event_id })).attempts.length
  }
  const both = () => ({ webhook_config_id: any(configurations.slice(half)) })
  const one = () => ({ webhook_config_id: any(configurations.slice(0, half)) })
  const question = (words: string, ask: () => Promise<number>, finds: Question['finds'] = 'some') => ({
    words,
    ask,
    finds,
  })
  return [
    question('newest 50 of one configuration', () => page({})),
    question('… that failed', () => page({ status: 'failed' })),
    question('… that were delivered', () => page({ status: 'delivered' })),
    question('… that wait for their first attempt', () => page({ status: 'pending' })),
    question('… that were cancelled', () => page({ status: 'cancelled' })),
    question('… of one kind of event', () => page({ ...both(), event_type: 'lead.created' })),
    question('… of a kind that never came', () => page({ ...one(), event_type: 'lead.created' }), 'any'),
    question('… of one week', () => page(week())),
    question(
      '… that failed, of one kind, of one week',
      () => page({ ...both(), ...week(), status: 'failed', event_type: 'lead.created' }),
      'any',
    ),
    question('… from a place months back', () => page({}, ago(2 + randomInt(20)))),
    question('… by the e-mail of a lead', () => page({ search: any(sampled).email }), 'any'),
    question('… by the id of an event', () => page({ search: any(sampled).event_id }), 'any'),
    question('… by a word of their errors', () => page({ search: 'not available' })),
    question('… by a text that nothing has', () => page({ search: 'zebra crossing' }), 'none'),
    question('the attempts of one lead', () => page({ lead_id: any(sampled).lead_id }, undefined, {})),
    question('one attempt whole, by its id', () => whole(any(sampled).id)),
    question('… by the id of its delivery', () => whole(any(sampled).delivery_id)),
    question('an id that does not exist', () => whole(any(sampled).id.replace(/.{6}$/, 'ffffff')), 'none'),
    question(
      'how many there are, up to 10,000',
      async () => (await countDeliveryLogs(db, client, any(configurations))).logs,
    ),
  ]
}
