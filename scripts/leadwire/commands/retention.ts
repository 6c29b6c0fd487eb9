import { sql } from 'kysely'
import { readClock } from '#core/data/read-clock.ts'
import { RETAINED } from '#core/data/schema/retention-tables.ts'
import { previewRetention, type RetentionPreview } from '#core/use-cases/retention/preview-retention.ts'
import { removeByAge } from '#core/use-cases/retention/remove-by-age.ts'
import { defineCommand } from '../command.ts'
import { UsageError } from '../failures.ts'
import { WITHOUT_REDIS } from '../open-services.ts'

const NAMES: Readonly<Record<RetentionPreview['what'], string>> = {
  deliveries: 'finished deliveries',
  events: 'events',
  unsold_leads: 'leads that nobody had, to be emptied',
  sold_leads: 'leads that somebody had, to be emptied',
  decisions: 'reasons why leads were sold or not',
  late_leads: 'late leads without a credit',
  audit_rows: 'rows of the audit log',
  weeks_of_attempts: 'weeks of attempts',
  weeks_of_bodies: 'weeks of headers and bodies',
}

export const retention = defineCommand({
  usage: '--dry-run | --now',
  about: [
    'Says what is older than it is kept: by kind of rows the period, the number, and the oldest time. It reads each of these rows, about ten seconds for ten million.',
    'Workers remove them by themselves, every ten minutes. `--now` does so at once, with the same rests, and leaves the weeks of the log to the workers. docs/operations/retention.md has the periods.',
  ],
  flags: {
    'dry-run': { type: 'boolean', help: 'counts, and changes nothing' },
    now: { type: 'boolean', help: 'removes what is old' },
  },
  run: async ({ values, services, note }) => {
    if (values['dry-run'] === values.now) throw new UsageError('Takes either --dry-run or --now')
    const db = await services.database({ needs: WITHOUT_REDIS, slow: true })
    const periods = services.config(WITHOUT_REDIS)
    if (!values.now) {
      const previews = await db.transaction().execute(async (trx) => {
        await sql`select set_config('statement_timeout', '0', true)`.execute(trx)
        return await previewRetention(trx, periods)
      })
      return showPreviews(previews)
    }
    const stop = new AbortController()
    process.once('SIGINT', () => {
      note('stops after this piece; a worker continues')
      stop.abort()
    })
    const removed = await removeByAge({ db, periods, now: await readClock(db), signal: stop.signal })
    const done = RETAINED.flatMap((what) =>
      removed[what] === undefined ? [] : [`${removed[what]}  ${NAMES[what]}`],
    )
    return { data: { removed }, lines: done.length === 0 ? ['Nothing was old'] : done }
  },
})

function showPreviews(previews: readonly RetentionPreview[]) {
  const rows = previews.map(({ what, days, rows: count, oldest_at: oldest }) => [
    NAMES[what],
    days === null ? 'for ever' : `${days} days`,
    String(count),
    oldest?.toISOString() ?? '–',
  ])
  const all = [['what', 'kept', 'to go', 'oldest'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return {
    data: { previews },
    lines: all.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  }
}
