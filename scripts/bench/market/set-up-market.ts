import got from 'got'
import { openAccounts, plantOrders } from '../../lab/market/plant-market.ts'
import type { BenchContext } from '../services.ts'
import { SEED, setUpClients } from '../set-up-clients.ts'

/** The receiver of the leads: `named`, the client of the source; `market`, the best order. */
export type Way = 'named' | 'market'

const CLIENTS = 10

/**
 * Makes ten clients with a webhook each.
 * @returns the keys of the sources that post leads in turns: one for each client that it names, or a single
 * one that names nobody
 */
export async function setUpMarket(
  { db, receiver }: BenchContext,
  url: string,
  room: string,
  way: Way,
): Promise<string[]> {
  const endpoint = `${receiver.url}/${room}`
  const clients = await setUpClients(
    url,
    Array.from({ length: CLIENTS }, () => [endpoint]),
  )
  if (way === 'named') return clients.map(({ key }) => key)
  const ids = clients.map(({ id }) => id)
  await openAccounts(db, ids, 1_000_000)
  await plantOrders(
    db,
    ids.map((client_user_id) => ({ client_user_id, lead_type: 'final_expense' })),
  )
  const { access_token: token } = await got
    .post(`${url}/auth/v1/token?grant_type=password`, {
      json: { email: SEED.SEED_ADMIN_EMAIL, password: SEED.SEED_ADMIN_PASSWORD },
    })
    .json<{ access_token: string }>()
  const { api_key: key } = await got
    .post(`${url}/api/v1/admin/sources`, {
      headers: { authorization: `Bearer ${token}` },
      json: { name: 'bench market', auto_assign: true },
    })
    .json<{ api_key: string }>()
  return [key]
}
