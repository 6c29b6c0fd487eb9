import { LRUCache } from 'lru-cache'
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '#core/data/database.ts'
import { readWaitingMails } from '#core/data/outbox/due-mails.ts'

/** `account`: carries a code or link that somebody waits for. */
export type MailKind = 'account' | 'notice'

const KEPT_MS = 3000

/** Mails that wait, read from PostgreSQL while they are scraped; no value while it is away. */
export function watchMails(registry: Registry, db: Db): void {
  const kept = new LRUCache<'mails', Awaited<ReturnType<typeof readWaitingMails>>>({
    max: 1,
    ttl: KEPT_MS,
    fetchMethod: () => readWaitingMails(db),
  })
  const gauge = (name: string, help: string, value: 'count' | 'oldest_seconds'): void => {
    const made: Gauge<'kind'> = new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      collect: async () => {
        made.reset()
        const rows = await kept.fetch('mails').catch(() => undefined)
        if (rows === undefined) return
        for (const kind of ['account', 'notice'] satisfies MailKind[]) {
          const row = rows.find(({ is_awaited }) => is_awaited === (kind === 'account'))
          made.set({ kind }, row?.[value] ?? 0)
        }
      },
    })
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
