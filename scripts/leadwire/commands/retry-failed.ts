import { retryFailed } from '#server/operations/admin/retry-failed.ts'
import { countFailed } from '#core/data/outbox/retry-failed.ts'
import { defineCommand } from '../command.ts'
import { UsageError } from '../failures.ts'
import { CHANGE_FLAGS, openOperator, readBy, readMoment } from '../open-operator.ts'

export const retryFailedCommand = defineCommand({
  usage: '<events | mails>',
  about: [
    'events: has events planned again that PostgreSQL refused five times to plan. First correct what it refused (worker’s log: *a job was given up*). Workers plan them within half a minute.',
    'mails: has mails sent again that were given up. Mails with a code or a link are of no use by then and stay as they are; so do expired ones.',
  ],
  args: [1, 1],
  flags: {
    since: {
      type: 'string',
      value: 'TIME',
      help: 'only events that failed, or mails that were made, from then on',
    },
    'dry-run': { type: 'boolean', help: 'only counts; needs neither --as nor --reason' },
    ...CHANGE_FLAGS,
  },
  run: async ({ values, args: [kind = ''], services }) => {
    if (kind !== 'events' && kind !== 'mails') throw new UsageError('Takes one of: events, mails')
    const since = readMoment('since', values.since)
    const context = await openOperator(services)
    if (values['dry-run']) {
      const count = await countFailed(context.db, kind, since)
      return { data: { kind, dry_run: true, count }, lines: [`${count} ${kind} would be tried again`] }
    }
    const { by, reason: note } = await readBy(context, values, {
      command: 'retry-failed',
      needs: 'operations',
    })
    const { count } = await retryFailed(context, by, {
      kind,
      dry_run: false,
      note,
      ...(since !== undefined && { since }),
    })
    return { data: { kind, dry_run: false, count }, lines: [`${count} ${kind} are tried again`] }
  },
})
