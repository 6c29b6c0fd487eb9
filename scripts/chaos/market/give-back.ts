import { sql } from 'kysely'
import got from 'got'
import { insertReturn, lockLead } from '#core/data/market/settle-return.ts'
import { SEED } from '../../bench/set-up-clients.ts'
import type { World } from '../world.ts'

const LEADS_AT_ONCE = 3

/**
 * Clients request returns of some of their leads, and an administrator approves them through the API, even
 * while services are broken. An approval without an answer is repeated; 409 then means that it was made.
 * @returns how many approvals were answered, and how many had to be repeated
 */
export async function giveBackSome(
  world: World,
  until: () => boolean,
): Promise<{ approved: number; repeated: number }> {
  const api = got.extend({
    prefixUrl: world.server.url,
    retry: { limit: 0 },
    timeout: { request: 5000 },
    throwHttpErrors: false,
  })
  const { access_token: token } = await api
    .post('auth/v1/token?grant_type=password', {
      json: { email: SEED.SEED_ADMIN_EMAIL, password: SEED.SEED_ADMIN_PASSWORD },
    })
    .json<{ access_token: string }>()
  const told = { approved: 0, repeated: 0 }
  const approve = async (id: string): Promise<boolean> => {
    try {
      const { statusCode } = await api.post(`api/v1/admin/returns/${id}/approve`, {
        headers: { authorization: `Bearer ${token}` },
        json: {},
      })
      return statusCode === 200 || statusCode === 409
    } catch {
      return false
    }
  }
  while (!until()) {
    for (const id of await askForSome(world)) {
      while (!(await approve(id))) {
        told.repeated += 1
        await pause()
      }
      told.approved += 1
    }
    await pause()
  }
  return told
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 200)
  })
}

/** @returns ids of the requests */
async function askForSome({ db }: World): Promise<string[]> {
  const asked = { reason: 'language', note: null, asked_by: 'client', held_for_review: false } as const
  try {
    const { rows } = await sql<{ lead_id: string; assignment_id: string; client: string }>`
      select a.lead_id, a.id as assignment_id, a.client_user_id as client from lead_assignments a
      where a.state = 'active' and not exists (select from lead_returns r where r.assignment_id = a.id)
        and exists (select from webhook_deliveries d where d.lead_id = a.lead_id and d.client_user_id = a.client_user_id
          and d.state = 'delivered')
      order by a.id desc limit ${LEADS_AT_ONCE}`.execute(db)
    return await Promise.all(
      rows.map((row) =>
        db.transaction().execute(async (trx) => {
          await lockLead(trx, row.lead_id)
          return await insertReturn(trx, row, asked)
        }),
      ),
    )
  } catch {
    // PostgreSQL may be broken.
    return []
  }
}
