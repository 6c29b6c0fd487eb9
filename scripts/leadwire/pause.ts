import { openWatchedQueues } from '#core/queue/open-watched-queues.ts'
import { pauseSource } from '#server/leads/admin/pause-source.ts'
import { pauseSendingTo, resumeSendingTo } from '#server/market/admin/pause-sending.ts'
import { pauseQueue } from '#server/operations/admin/pause-queue.ts'
import { pauseWebhook, resumeWebhook } from '#server/webhooks/admin/pause-webhook.ts'
import { isUuid } from '#server/identity/is-uuid.ts'
import type { AdminPermission } from '#core/contract/accounts/admin-role.ts'
import type { Answer, Call } from './command.ts'
import { CommandError, UsageError } from './failures.ts'
import { findAccount } from './find-account.ts'
import { openOperator, readBy, type CHANGE_FLAGS } from './open-operator.ts'

/** Kinds of things that can be paused, each with the permission that the administrator's role must include. */
const KINDS = {
  client: 'operations',
  webhook: 'operations',
  queue: 'operations',
  source: 'leads',
} as const satisfies Record<string, AdminPermission>
type Kind = keyof typeof KINDS

/** `pause` and `resume` differ only in their direction. */
export async function pauseOrResume(
  { values, args: [kind = '', given = ''], services }: Call<typeof CHANGE_FLAGS>,
  direction: 'pause' | 'resume',
): Promise<Answer> {
  if (!isKind(kind)) throw new UsageError(`Takes one of: ${Object.keys(KINDS).join(', ')}`)
  const context = await openOperator(services)
  const { by, reason } = await readBy(context, values, { command: direction, needs: KINDS[kind] })
  const isPaused = direction === 'pause'
  if (kind === 'client') {
    const id = await findAccount(context.db, given)
    if (isPaused) await pauseSendingTo(context, by, id, { reason, note: null })
    else await resumeSendingTo(context, by, id, reason)
    const data = { kind, client: id, paused: isPaused }
    return { data, lines: [`Sending to client ${id} is ${data.paused ? 'paused' : 'on'}`] }
  }
  if (kind === 'source') {
    if (!isUuid(given)) throw new UsageError('Takes the id of a source')
    const { is_news } = await pauseSource(context, by, given, { isPaused, reason })
    const data = { kind, source_id: given, paused: isPaused, is_news }
    return {
      data,
      lines: [`Source ${given} ${is_news ? 'is now' : 'was already'} ${isPaused ? 'paused' : 'running'}`],
    }
  }
  if (kind === 'webhook') {
    if (!isUuid(given)) throw new UsageError('Takes the id of a webhook')
    const changed = await (isPaused ? pauseWebhook : resumeWebhook)(context, by, given, reason)
    const news = changed.is_news ? 'is now' : 'was already'
    const sent = changed.sent > 0 ? `; ${changed.sent} held deliveries go out` : ''
    return {
      data: { kind, ...changed },
      lines: [`Webhook ${given} ${news} switched ${changed.is_active ? 'on' : 'off'}${sent}`],
    }
  }
  const connection = await services.redis()
  const queues = openWatchedQueues({ config: services.config(), connection, onError: () => undefined })
  services.closeAfter('queues', queues.close)
  const names = await pauseQueue({ db: context.db, queues }, by, { queue: given, isPaused, note: reason })
  if (names.length === 0) {
    const known = (await queues.get()).map(({ name }) => name).filter((name) => !name.includes('.'))
    throw new CommandError(`There is no such queue; the queues are ${known.join(', ')}`)
  }
  return {
    data: { kind, queues: names, paused: isPaused },
    lines: names.map((name) => `Queue ${name} is ${isPaused ? 'paused' : 'running'}`),
  }
}

const isKind = (given: string): given is Kind => Object.hasOwn(KINDS, given)
