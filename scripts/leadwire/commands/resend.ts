import { RESEND_LIMIT } from '#core/contract/webhooks/resend.ts'
import { errorClassSchema } from '#core/contract/webhooks/delivery.ts'
import { countRedrivable } from '#core/data/operations/dead-letters.ts'
import { redrive } from '#server/operations/admin/redrive-dead-letters.ts'
import { isUuid } from '#server/identity/is-uuid.ts'
import { defineCommand, type Answer } from '../command.ts'
import { UsageError } from '../failures.ts'
import { findAccount } from '../find-account.ts'
import { CHANGE_FLAGS, openOperator, parse, readBy, readMoment } from '../open-operator.ts'

export const resend = defineCommand({
  usage: '',
  about: [
    `Sends deliveries again that finally failed and were not sent since (dead letters), each as a new delivery of the same event under the same webhook-id. Filters are combined; at most ${RESEND_LIMIT} go out in one run.`,
    'Deliveries of erased or returned leads, of webhooks that are off, and of clients whose sending is paused stay as they are. Resends have low priority, so they delay no new lead.',
    'Begin with --dry-run, which needs neither --as nor --reason.',
  ],
  flags: {
    client: { type: 'string', value: 'ID|E-MAIL', help: 'only deliveries to this client' },
    webhook: { type: 'string', value: 'ID', help: 'only deliveries to this webhook' },
    error: {
      type: 'string',
      value: 'CLASS',
      help: `only after this failure: ${errorClassSchema.options.join(', ')}`,
    },
    since: {
      type: 'string',
      value: 'TIME',
      help: 'only what finally failed from then on, like 2026-01-31T17:05:00Z',
    },
    until: { type: 'string', value: 'TIME', help: 'only what finally failed before then' },
    all: { type: 'boolean', help: 'every dead letter of every client, if no filter is given' },
    'dry-run': { type: 'boolean', help: 'only counts' },
    ...CHANGE_FLAGS,
  },
  run: async ({ values, services }) => {
    const { client, webhook, error } = values
    const since = readMoment('since', values.since)
    const until = readMoment('until', values.until)
    const reason = error === undefined ? undefined : parse(errorClassSchema, error)
    if (webhook !== undefined && !isUuid(webhook)) throw new UsageError('--webhook takes an id')
    if ([client, webhook, reason, since, until].every((one) => one === undefined) && !values.all)
      throw new UsageError('Give a filter, or --all')
    const context = await openOperator(services)
    const account = client === undefined ? undefined : await findAccount(context.db, client)
    const filter = {
      ...(account !== undefined && { client: account }),
      ...(webhook !== undefined && { webhook }),
      ...(reason !== undefined && { reason }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    }
    if (values['dry-run']) return tell(await countRedrivable(context.db, { filter }), true)
    const { by, reason: note } = await readBy(context, values, { command: 'resend', needs: 'operations' })
    return tell(await redrive(context, by, { filter, dry_run: false, note }, undefined, account), false)
  },
})

function tell(found: { count: number; switched_off: number }, isDryRun: boolean): Answer {
  const { count, switched_off: off } = found
  const more = !isDryRun && count >= RESEND_LIMIT ? ['There may be more: run it again'] : []
  return {
    data: { dry_run: isDryRun, ...found },
    lines: [
      isDryRun ? `${count} would be sent again` : `${count} are sent again`,
      ...(off > 0 ? [`${off} wait until their webhook is switched on`] : []),
      ...more,
    ],
  }
}
