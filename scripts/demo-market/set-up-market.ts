import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import got from 'got'
import { writeFileAtomically } from '#core/write-file-atomically.ts'
import { openSession, type Account, type DemoSession } from '../start/demo-session.ts'
import { makePassword } from '../start/keep-secrets.ts'
import { OTHER_CLIENTS, OWN_WISH, type DemoWish } from './demo-clients.ts'
import { fictionalLead } from './fictional-leads.ts'

export interface MarketSetup {
  server: string
  folder: string
  client: Account
  admin: Account
}

/** The market's data for posting fictional leads (demo-leads.ts). */
export interface DemoMarket {
  server: string
  /** of the market's source; without it the market is incomplete */
  sourceKey?: string
  /** the other clients, so that one can sign in as them too */
  clients: Account[]
}

/** Posted at once, so that there is something to see in the first minute; the sample CRM posts later ones. */
export const FIRST_LEADS = 12
/** Tries with a fifth of a second between them. */
const RETURN_TRIES = 50

/**
 * Sets up a small market: three fictional clients with orders and funds, a source that names none of them,
 * and a few leads, all through the calls that people use. A later start completes it if this one is
 * interrupted.
 * @returns the clients beside the demo client; none if the database has no such market
 */
export async function setUpMarket(setup: MarketSetup, isFirstStart: boolean): Promise<Account[]> {
  const file = marketFile(setup.folder)
  const known = await readMarket(file)
  if (known === undefined && !isFirstStart) return []
  const clients = known?.clients ?? OTHER_CLIENTS.map(({ email }) => ({ email, password: makePassword() }))
  const market: DemoMarket = { ...known, server: setup.server, clients }
  await writeMarket(file, market)
  if (market.sourceKey !== undefined) return clients

  const admin = await openSession(setup.server, setup.admin)
  if (admin === undefined) return []
  await makeClient(setup.server, admin, setup.client, OWN_WISH)
  for (const [index, { name, wish }] of OTHER_CLIENTS.entries()) {
    const account = clients[index] as Account
    await makeAccount(admin, { ...account, name })
    await makeClient(setup.server, admin, account, wish)
  }
  const source = { name: 'Demo marketplace', auto_assign: true }
  const { api_key: sourceKey } = await admin.api
    .post('admin/sources', { json: source })
    .json<{ api_key: string }>()
  await admin.close()
  await postFirstLeads(setup.server, sourceKey)
  await writeMarket(file, { ...market, sourceKey })
  await askForReturn(setup.server, clients.at(-1) as Account)
  return clients
}

export function marketFile(folder: string): string {
  return path.join(folder, 'demo-market.json')
}

/** Undefined if there is none. */
export async function readMarket(file: string): Promise<DemoMarket | undefined> {
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as DemoMarket) : undefined
}

function writeMarket(file: string, market: DemoMarket): Promise<void> {
  return writeFileAtomically(file, `${JSON.stringify(market, null, 2)}\n`)
}

/** The account may exist from an interrupted start. */
async function makeAccount(admin: DemoSession, account: Account & { name: string }): Promise<void> {
  const { email, password, name } = account
  const json = { email, password, email_confirm: true, user_metadata: { name } }
  const answer = await admin.accounts.post('admin/users', { json, throwHttpErrors: false })
  if (answer.statusCode >= 400 && answer.statusCode !== 422)
    throw new Error(`Making the demo client ${email} answered ${answer.statusCode}`)
}

async function makeClient(
  server: string,
  admin: DemoSession,
  account: Account,
  wish: DemoWish,
): Promise<void> {
  const client = await openSession(server, account)
  if (client === undefined) throw new Error(`The demo client ${account.email} cannot sign in`)
  const { api, userId } = client
  const { version } = await api.get('account').json<{ version: number }>()
  const about = { version, business_name: wish.businessName, timezone: wish.timezone }
  await api.patch('account', { json: about })
  const { data: orders } = await api.get('orders').json<{ data: unknown[] }>()
  if (orders.length === 0) {
    const order = { lead_type: 'final_expense', timezone: wish.timezone, active: true, ...wish.order }
    await api.post('orders', { json: order })
  }
  await admin.api.post(`admin/clients/${userId}/approve`, { json: {} })
  const { data: payments } = await api.get('payments').json<{ data: unknown[] }>()
  if (payments.length === 0) {
    const { id } = await ask(wish.funds)
    await admin.api.post(`admin/payments/${id}/receive`, { json: { note: 'Demo funds' } })
    if (wish.asksFor !== undefined) await ask(wish.asksFor)
  }
  await client.close()

  function ask(dollars: number): Promise<{ id: string }> {
    return api.post('payments', { json: { amount: `${dollars}.00` } }).json()
  }
}

async function postFirstLeads(server: string, sourceKey: string): Promise<void> {
  const json = Array.from({ length: FIRST_LEADS }, (_, number) => fictionalLead(number, new Date()))
  const headers = { authorization: `Bearer ${sourceKey}` }
  await got.post(`${server}/api/v1/leads/batch`, { json, headers, retry: { limit: 0 } })
}

/**
 * Requests a return of the client's first lead, for administrators to decide; does nothing if no lead came in
 * time.
 */
async function askForReturn(server: string, account: Account): Promise<void> {
  const client = await openSession(server, account)
  if (client === undefined) return
  for (let tries = 0; tries < RETURN_TRIES; tries += 1) {
    const { data } = await client.api.get('leads?limit=1').json<{ data: { id: string }[] }>()
    const [lead] = data
    if (lead !== undefined) {
      const json = { reason: 'disconnected_number' }
      await client.api.post(`leads/${lead.id}/return`, { json })
      break
    }
    await sleep(200)
  }
  await client.close()
}
