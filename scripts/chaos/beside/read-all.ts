import type { Route } from '#server/http/route.ts'
import type { Answer, Asker, Door } from './ask.ts'
import type { Buyers } from './open-buyers.ts'
import type { Version } from './versions.ts'

const READERS: readonly Route['who'][] = ['public', 'anybody', 'user', 'user by any proof']
/** The number of each kind that is read in full, for each client. */
const LEADS = 2
const LOGS = 2

type Kind = 'leads' | 'webhook-configs' | 'delivery-logs'
type Ids = Record<Kind, string[]>

/**
 * Reads everything that a page shows of a client and of the marketplace: every GET route of a version's
 * servers.
 */
export async function readAll(asker: Asker, door: Door, { routes }: Version, buyers: Buyers): Promise<void> {
  const reads = routes.filter(({ method, path }) => method === 'get' && path.startsWith('/api/v1/'))
  for (const { token } of buyers.all) {
    const ids = await findIds(asker, door, token)
    for (const route of reads.filter(({ who }) => READERS.includes(who)))
      for (const path of fillIn(route.path, ids)) await asker.ask(door, { path, token })
  }
  const token = buyers.adminToken
  for (const { path } of reads.filter(({ who, path }) => who === 'admin' && !path.includes(':')))
    await asker.ask(door, { path, token })
}

async function findIds({ ask }: Asker, door: Door, token: string): Promise<Ids> {
  const list = async (path: string, limit: number): Promise<string[]> =>
    rowsOf(await ask(door, { path: `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`, token })).map(
      ({ id }) => id,
    )
  const configs = await list('/api/v1/webhook-configs', 100)
  const logs: string[] = []
  for (const config of configs) {
    const path = `/api/v1/webhook-configs/${config}/delivery-logs`
    for (const status of ['delivered', 'failed', 'pending'])
      logs.push(...(await list(`${path}?status=${status}`, LOGS)))
  }
  return { leads: await list('/api/v1/leads', LEADS), 'webhook-configs': configs, 'delivery-logs': logs }
}

/** The path with each fitting id; none if it needs an id of another kind. */
function fillIn(path: string, ids: Ids): string[] {
  if (!path.includes(':')) return [path]
  const [, kind = '', rest = ''] = /^\/api\/v1\/([\w-]+)\/:id(\/[^:]*)?$/.exec(path) ?? []
  return Object.hasOwn(ids, kind) ? ids[kind as Kind].map((id) => `/api/v1/${kind}/${id}${rest}`) : []
}

/** The rows of an answered list. */
export function rowsOf<Row = { id: string }>({ body }: Answer): Row[] {
  const data = (body as { data?: Row[] } | undefined)?.data
  return Array.isArray(data) ? data : []
}
