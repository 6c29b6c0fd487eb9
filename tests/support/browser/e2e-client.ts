import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { PASSWORD } from '../given/password.ts'
import { readEnvironment, type Account } from './e2e-environment.ts'

/** A client of one test, signed up over the API. */
export interface E2eClient extends Account {
  id: string
  /** what the administration calls it, as long as it gives no name */
  name: string
  token: string
  /** The session as auth-js stores it in local storage. */
  session: string
  /** Calls the API as this client; throws if the answer is not a 2xx. */
  call: <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>
  addWebhook: (fields: { endpoint_url: string } & Record<string, unknown>) => Promise<string>
  /** Posts leads through a source of this client, which assigns them to it; returns their ids. */
  receiveLeads: (leads: readonly Record<string, unknown>[]) => Promise<string[]>
}

interface Session {
  access_token: string
  user: { id: string }
}

interface Receipt {
  result: string
  lead_id: string
}

export const GOOD_PASSWORD = PASSWORD

export function newEmail(): string {
  return `client.${randomBytes(5).toString('hex')}@example.com`
}

export async function signUpClient(email = newEmail()): Promise<E2eClient> {
  const account = { email, password: GOOD_PASSWORD }
  const session = await send<Session>('POST', '/auth/v1/signup', account)
  const { access_token: token, user } = session
  const call = <Answer>(method: string, path: string, body?: unknown) =>
    send<Answer>(method, path, body, token)
  return {
    ...account,
    id: user.id,
    name: `Client ${user.id.slice(-6)}`,
    token,
    session: JSON.stringify(session),
    call,
    addWebhook: async (fields) => {
      const config = { webhook_name: 'Example CRM', ...fields }
      return (await call<{ id: string }>('POST', '/api/v1/webhook-configs', config)).id
    },
    receiveLeads: async (leads) => {
      const key = await sourceKey(user.id)
      const body = leads.map((lead) => ({ lead_type: 'final_expense', ...lead }))
      const { results } = await send<{ results: Receipt[] }>('POST', '/api/v1/leads/batch', body, key)
      const refused = results.find(({ result }) => result !== 'accepted')
      if (refused !== undefined) throw new Error(`A lead was not accepted: ${JSON.stringify(refused)}`)
      return results.map(({ lead_id }) => lead_id)
    },
  }
}

/** Posts a lead through a source without a client, so that the market decides who gets it. Returns its id. */
export async function offerLead(lead: Record<string, unknown>): Promise<string> {
  return (await send<Receipt>('POST', '/api/v1/leads', lead, await sourceKey(null))).lead_id
}

/** Runs SQL for states that no screen or route can create, such as a balance or a blocked account. */
export async function runSql(
  statement: string,
  values: readonly unknown[],
): Promise<Array<Record<string, unknown>>> {
  return await runSqlAt(readEnvironment().databaseUrl, statement, values)
}

/** Like runSql, in the database of another product. */
export async function runSqlAt(
  connectionString: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Array<Record<string, unknown>>> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement, [...values])
    return rows
  } finally {
    await client.end()
  }
}

let adminToken: Promise<string> | undefined

/** Calls the API as the run's administrator; throws if the answer is not a 2xx. */
export async function callAsAdmin<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  adminToken ??= signIn(readEnvironment().admin)
  return await send<Answer>(method, path, body, await adminToken)
}

async function sourceKey(owner: string | null): Promise<string> {
  const source = { name: 'Example form', owner_user_id: owner, auto_assign: true }
  return (await callAsAdmin<{ api_key: string }>('POST', '/api/v1/admin/sources', source)).api_key
}

async function signIn(account: Account): Promise<string> {
  return (await send<Session>('POST', '/auth/v1/token?grant_type=password', account)).access_token
}

async function send<Answer>(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
  const response = await fetch(readEnvironment().server + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}
