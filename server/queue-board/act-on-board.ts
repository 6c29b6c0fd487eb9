import type { Request, Response } from 'express'
import { AppError } from '#core/errors.ts'
import { DELIVERIES_QUEUE } from '#core/queue/queues.ts'
import { chooseShard, listShards, queueInShard, shardOfQueue } from '#core/queue/shards.ts'
import { requireAdmin } from '../identity/authorise.ts'
import { readCaller } from '../identity/caller.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { isUuid } from '../identity/is-uuid.ts'
import type { ServerContext } from '../context.ts'
import { actOnDelivery } from './act-on-delivery.ts'

const REFUSED =
  'The queue dashboard only retries or promotes one delivery at a time. PostgreSQL decides what is sent: use Administration › Deliveries, which asks for a reason.'
const ACTION = /^\/api\/queues\/([^/]+)\/([^/]+)\/(retry|promote)$/

/**
 * Answers every request that would change something, before the dashboard's library sees it. The library's own pages
 * show the message of a refusal.
 */
export async function actOnBoard(
  context: ServerContext,
  caller: Principal,
  request: Request,
  response: Response,
): Promise<void> {
  try {
    requireSameOrigin(context, request)
    const asked = readAction(context, request)
    if (asked === undefined) throw new AppError('method_not_allowed', REFUSED)
    requireAdmin(context, caller, 'operations')
    await actOnDelivery(context, { caller, from: readCaller(request) }, asked)
    response.status(204).end()
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    if (error.code === 'method_not_allowed') response.set('Allow', 'GET, HEAD')
    response.status(error.status).json({ error: { key: 'ERRORS.FORBIDDEN' }, message: error.message })
  }
}

/**
 * The cookie is sent with requests of this site only (SameSite=Strict), but other hosts of the same domain are the
 * same site. Every browser names the origin of a request that changes something; programs have no cookie to steal.
 */
function requireSameOrigin({ config }: ServerContext, request: Request): void {
  const origin = request.get('Origin')
  const isBearer = request.get('Authorization') !== undefined
  const site = request.get('Sec-Fetch-Site')
  if (isBearer && origin === undefined) return
  const own = [new URL(config.http.publicUrl).host, request.host]
  const isOwn = origin !== undefined && URL.canParse(origin) && own.includes(new URL(origin).host)
  if (!isOwn || (site !== undefined && site !== 'same-origin'))
    throw new AppError('forbidden', 'This request came from another site, so nothing was changed.')
}

function readAction(
  { config }: ServerContext,
  request: Request,
): Parameters<typeof actOnDelivery>[2] | undefined {
  const [, queue = '', id = '', action] = ACTION.exec(request.path) ?? []
  const { shards } = config.redis
  const names = listShards(shards).map((shard) => queueInShard(DELIVERIES_QUEUE, shard))
  if (request.method !== 'PUT' || (action !== 'retry' && action !== 'promote')) return undefined
  // Jobs of the other queues are in Redis, and change nothing there.
  if (!names.includes(decode(queue)) || !isUuid(id)) return undefined
  const own = shardOfQueue(decode(queue))
  return { id, action, shard: (client) => chooseShard(client, shards) === own }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
