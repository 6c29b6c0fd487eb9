import {
  WAITING_ENDPOINTS,
  type WaitCode,
  type WaitingEndpoint,
  type Waits,
} from '#core/contract/operations/waits.ts'
import {
  listUnderWay,
  listWaitingClients,
  listWaitingLines,
  readWaitTotals,
} from '#core/data/operations/waits.ts'
import { hostOf } from '#core/data/webhooks/endpoint-host.ts'
import { explainLines } from '#core/domain/webhooks/explain-lines.ts'
import { wordWaitReason } from '#core/domain/webhooks/why-waiting.ts'
import { openJudgeRoom } from '#core/fairness/judge-room.ts'
import type { ServerContext } from '../../context.ts'

/** The deliveries that have waited longest, for administrators. */
export async function showWaits(context: ServerContext): Promise<Waits> {
  const [clients, totals, queueState] = await Promise.all([
    listWaitingClients(context.db),
    readWaitTotals(context.db),
    context.operations.readQueueState([]),
  ])
  return {
    data: clients.map(({ client_user_id, name, email, oldest_due, ...counts }) => ({
      client: { user_id: client_user_id, name, email },
      oldest_due_at: oldest_due?.toISOString() ?? null,
      ...counts,
    })),
    clients: totals.waiting_clients,
    workers: queueState?.workers ?? null,
  }
}

/** A client's endpoints with waiting deliveries, and the reasons; empty if nothing waits. */
export async function showWaitsOf(context: ServerContext, client: string): Promise<WaitingEndpoint[]> {
  const { db, config } = context
  const [lines, underWay, totals] = await Promise.all([
    listWaitingLines(db, { client, limit: WAITING_ENDPOINTS }),
    listUnderWay(db),
    readWaitTotals(db),
  ])
  const queueState = await context.operations.readQueueState(
    [...lines, ...underWay].map((line) => line.webhook_config_id),
  )
  const explained = explainLines(lines, {
    queueState,
    clients: totals.busy_clients,
    under_way: underWay,
    judgeRoom: openJudgeRoom(config.webhooks.endpointConcurrency),
    now: totals.now,
  })
  return explained.map(({ line, speed, reason }) => ({
    webhook_config_id: line.webhook_config_id,
    webhook_name: line.webhook_name,
    endpoint_host: hostOf(line.endpoint_url),
    standing: speed ?? null,
    waiting: line.waiting,
    more_waiting: line.more_waiting,
    oldest_due_at: line.oldest_due?.toISOString() ?? null,
    in_flight: line.in_flight,
    later: line.later,
    more_later: line.more_later,
    held: line.held,
    more_held: line.more_held,
    reason: {
      code: knownCode(reason.code),
      until: reason.until?.toISOString() ?? null,
      sentence: wordWaitReason(reason),
    },
  }))
}

/** The code that pages of an earlier version know. */
function knownCode(code: WaitCode): WaitingEndpoint['reason']['code'] {
  if (code === 'endpoint_rate') return 'endpoint_full'
  return code === 'offered' || code === 'sending_paused' ? 'switched_off' : code
}
