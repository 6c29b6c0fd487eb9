import type { Registry } from 'prom-client'
import type { Db } from '#core/data/database.ts'
import { readWaitingMails } from '#core/data/outbox/due-mails.ts'
import { watchReading } from '#core/telemetry/watch-reading.ts'

/** `account`: a mail with a code or link that somebody waits for. */
export type MailKind = 'account' | 'notice'

const KINDS = ['account', 'notice'] as const satisfies MailKind[]
const KEPT_MS = 3000

/** Counts waiting mails, read from PostgreSQL at each scrape. */
export function watchMails(registry: Registry, db: Db): void {
  const { gaugeBy } = watchReading(registry, { keptMs: KEPT_MS, read: () => readWaitingMails(db) })
  const gauge = (name: string, help: string, value: 'count' | 'oldest_seconds'): void => {
    gaugeBy(name, help, ['kind'], (rows) =>
      KINDS.map((kind) => {
        const row = rows.find(({ is_awaited }) => is_awaited === (kind === 'account'))
        return [{ kind }, row?.[value] ?? 0] as const
      }),
    )
  }
  gauge(
    'leadwire_oldest_waiting_mail_age_seconds',
    'How long the oldest mail that is neither sent nor given up has waited, by kind: account, notice',
    'oldest_seconds',
  )
  gauge(
    'leadwire_waiting_mails',
    'Mails that are neither sent nor given up, by kind: account, notice',
    'count',
  )
}
