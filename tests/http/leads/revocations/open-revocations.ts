import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll } from 'vitest'
import { revocationDetailSchema, type RevocationDetail } from '#core/contract/leads/revocation.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { freshState, givenOffers, givenOrder, topUp } from '#tests/support/given/market.ts'
import type { AnswerBody, CallResult, Person } from '../../support/start-app.ts'
import { startForTwo } from '../start-for-two.ts'

type ForTwo = Awaited<ReturnType<typeof startForTwo>>

/** A lead that `client` bought, with its person. */
export interface SoldLead {
  lead: string
  /** an order of `other` that would take it */
  order: string
  state: string
  phone: string
  email: string
}

/** Two clients that may buy, and what the tests of revocations do. */
export interface Revocations extends ForTwo {
  post: (path: string, who: { token: string } | undefined, body?: unknown) => Promise<CallResult>
  givenSold: (fields?: Parameters<typeof givenOffers>[1][number]) => Promise<SoldLead>
  /** Gives a sold lead to the other client. */
  reassign: (sold: Pick<SoldLead, 'lead' | 'order'>) => Promise<CallResult>
  detailOf: (id: string | null | undefined) => Promise<RevocationDetail>
  /** The revocations that a client was told of. */
  ownOf: (who: Person) => Promise<AnswerBody[]>
  /** The clients from which this contact's leads are kept; null: from all. */
  isSuppressed: (contact: string) => Promise<Array<string | null>>
}

/** The answer to a report. */
export const reported = (answer: { json: unknown }) =>
  answer.json as { outcome: string; revocation_id: string | null }

let phones = 2000

/** Returns a phone that no other lead of the file has: one drawn at random may be of a person who revoked. */
export const newPhone = () => `+1202555${(phones += 1)}`

export async function openRevocations(): Promise<Revocations> {
  const started = await startForTwo()
  const { app, client, other, get } = started
  const { db, market } = app.context
  beforeAll(async () => {
    for (const { id } of [client, other]) {
      await sql`update client_accounts set status = 'active' where user_id = ${id}`.execute(db)
      await topUp(db, id, '10000.00')
    }
  })

  const post: Revocations['post'] = async (path, who, body) =>
    await app.call('POST', `/api/v1/${path}`, { token: who?.token, ...(body !== undefined && { body }) })

  const givenSold: Revocations['givenSold'] = async (fields = {}) => {
    const state = freshState()
    await givenOrder(db, client.id, { states: [state], priority: 1 })
    const order = await givenOrder(db, other.id, { states: [state], priority: 9 })
    const person = { phone: newPhone(), email: `${randomUUID()}@example.com` }
    const [lead = ''] = await givenOffers(db, [{ state, ...person, ...fields }])
    await assignLeads(market, [lead])
    return { lead, order, state, ...person }
  }
  return {
    ...started,
    post,
    givenSold,
    reassign: async ({ lead, order }) =>
      await app.call('POST', `/api/v1/admin/leads/${lead}/reassign`, {
        token: app.admin.token,
        body: { order_id: order, reason: 'Wrong territory' },
      }),
    detailOf: async (id) =>
      revocationDetailSchema.parse((await get(`/api/v1/admin/revocations/${id}`, app.admin)).json),
    ownOf: async (who) => (await get('/api/v1/revocations', who)).json.data,
    isSuppressed: async (contact) =>
      (await post('admin/suppressions/find', app.admin, { contact })).json.data.map(
        ({ client_user_id: client }) => client,
      ),
  }
}
