import got from 'got'
import { SEED, TEMPLATE } from '../../bench/set-up-clients.ts'
import type { Answer } from '../../lab/receiver/give-answer.ts'
import type { Ground } from '../ground.ts'
import { REFUSAL, type MarketClient } from '../market/open-market.ts'

interface ConfigOrder {
  answer: Answer
  everyTenth?: Answer
  fields?: Readonly<Record<string, unknown>>
}

/** This endpoint must have received everything once it answers again. */
const HANGS: ConfigOrder = { answer: 'hang' }
const HEALTHY: ConfigOrder = { answer: 'ok' }

/** The configurations of each client. The last client's other webhooks are edited throughout; see edit.ts. */
const ORDERS: readonly (readonly ConfigOrder[])[] = [
  [
    HEALTHY,
    { answer: 'ok', fields: { payload_type: 'FORM', request_method: 'PUT', trigger_on_lead_created: true } },
    { answer: { status: 200, delayMs: 1000 } },
  ],
  [HEALTHY, { answer: 'ok', everyTenth: 500 }],
  [HEALTHY, HANGS],
  [HEALTHY],
  [HEALTHY],
]

/** A client with a source whose leads it gets. */
export interface Buyer {
  id: string
  token: string
  /** its source's */
  key: string
  /** numbers of its endpoints that are not edited */
  endpoints: number[]
}

export interface Buyers {
  all: Buyer[]
  /** the client whose further webhooks are edited */
  edited: Buyer
  adminToken: string
  /** endpoints that answer at once with success, and learn when a lead was to be sent */
  healthy: number[]
  /** clients who buy on the market, if there is one; the first one's CRM refuses a tenth */
  market: readonly (MarketClient & { endpoint: number })[]
  /** makes the hanging endpoints answer from now on */
  mend: () => Promise<void>
}

/** Opens the accounts through a server's API, and tells the endpoints how to answer. */
export async function openBuyers({ receiver }: Ground, url: string): Promise<Buyers> {
  const api = got.extend({ prefixUrl: url, retry: { limit: 0 } })
  const admin = await api
    .post('auth/v1/token?grant_type=password', {
      json: { email: SEED.SEED_ADMIN_EMAIL, password: SEED.SEED_ADMIN_PASSWORD },
    })
    .json<{ access_token: string }>()
  const signUp = (email: string) =>
    api
      .post('auth/v1/signup', { json: { email, password: SEED.SEED_ADMIN_PASSWORD } })
      .json<{ access_token: string; user: { id: string } }>()
  const all: Buyer[] = []
  const hanging: number[] = []
  const healthy: number[] = []
  let endpoint = 0
  for (const [index, orders] of ORDERS.entries()) {
    const client = await signUp(`beside-client-${index}@example.com`)
    const endpoints: number[] = []
    for (const order of orders) {
      const { answer, everyTenth, fields } = order
      await receiver.behave([
        { endpoint, behaviour: answer, ...(everyTenth !== undefined && { everyTenth }) },
      ])
      await api.post('api/v1/webhook-configs', {
        headers: { authorization: `Bearer ${client.access_token}` },
        json: configFor(receiver.url, endpoint, fields),
      })
      if (order === HANGS) hanging.push(endpoint)
      if (order === HEALTHY) healthy.push(endpoint)
      endpoints.push(endpoint)
      endpoint += 1
    }
    const source = await api
      .post('api/v1/admin/sources', {
        headers: { authorization: `Bearer ${admin.access_token}` },
        json: { name: `beside ${index}`, owner_user_id: client.user.id, auto_assign: true },
      })
      .json<{ api_key: string }>()
    all.push({ id: client.user.id, token: client.access_token, key: source.api_key, endpoints })
  }
  const market: (MarketClient & { endpoint: number })[] = []
  for (const whenUndelivered of ['reoffer', 'keep', 'keep'] as const) {
    const client = await signUp(`beside-market-${endpoint}@example.com`)
    const everyTenth = whenUndelivered === 'reoffer' ? { everyTenth: REFUSAL } : {}
    await receiver.behave([{ endpoint, behaviour: 'ok', ...everyTenth }])
    await api.post('api/v1/webhook-configs', {
      headers: { authorization: `Bearer ${client.access_token}` },
      json: configFor(receiver.url, endpoint),
    })
    market.push({ id: client.user.id, whenUndelivered, endpoint })
    endpoint += 1
  }
  const edited = all.at(-1)
  if (edited === undefined) throw new Error('There is no client to edit for')
  return {
    all,
    edited,
    adminToken: admin.access_token,
    healthy,
    market,
    mend: () => receiver.behave(hanging.map((endpoint) => ({ endpoint, behaviour: 'ok' }))),
  }
}

/** The body that configures a webhook for an endpoint. */
export function configFor(
  origin: string,
  endpoint: number,
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    webhook_name: `Example CRM ${endpoint}`,
    endpoint_url: `${origin}/e/${endpoint}`,
    payload_template: TEMPLATE,
    ...fields,
  }
}
