import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import got, { HTTPError } from 'got'
import type { Got } from 'got'

export interface Account {
  email: string
  password: string
}

export interface DemoSetup {
  server: string
  folder: string
  crmEndpoint: string
  crmSecretFile: string
  client: Account
  admin: Account
}

/** What was made on the first start. `clientId` tells whether it was in this database. */
interface Demo {
  clientId: string
  configId: string
  endpoint: string
  sourceKey?: string
}

/** The accounts' recent activity names who signed in: not a person's browser. */
const http = got.extend({ headers: { 'user-agent': 'npm-start' } })

/**
 * The first time: a webhook configuration of the demo client that points at the sample CRM, and a source whose leads go
 * to that client. Later the configuration follows the CRM's address and the CRM its secret; what people changed or
 * deleted stays so.
 * @returns the source's API key, or undefined when the demo accounts are not of this database
 */
export async function setUpDemo(setup: DemoSetup): Promise<string | undefined> {
  const token = await signIn(setup.server, setup.client)
  if (token === undefined) return undefined
  const api = http.extend({
    prefixUrl: `${setup.server}/api/v1`,
    headers: { authorization: `Bearer ${token}` },
    retry: { limit: 0 },
  })
  const { user_id: clientId } = await api.get('me').json<{ user_id: string }>()
  const file = path.join(setup.folder, 'demo.json')
  const known = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Demo) : undefined
  let demo = known?.clientId === clientId ? known : await makeConfiguration(api, setup, clientId)
  await save()
  demo = { ...demo, endpoint: await introduce(api, setup, demo) }
  await save()
  demo = { ...demo, sourceKey: demo.sourceKey ?? (await makeSource(setup, clientId)) }
  await save()
  await signOut(setup.server, token)
  return demo.sourceKey

  // After each step, so that a start that is interrupted in between makes nothing twice.
  function save(): Promise<void> {
    return writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  }
}

async function makeConfiguration(api: Got, setup: DemoSetup, clientId: string): Promise<Demo> {
  const configuration = {
    webhook_name: 'Sample CRM',
    endpoint_url: setup.crmEndpoint,
    trigger_on_lead_assigned: true,
    trigger_on_lead_created: false,
  }
  const { id } = await api.post('webhook-configs', { json: configuration }).json<{ id: string }>()
  return { clientId, configId: id, endpoint: setup.crmEndpoint }
}

/** Tells the configuration where the CRM is now, and the CRM the secret. Answers the address that the former has. */
async function introduce(api: Got, setup: DemoSetup, demo: Demo): Promise<string> {
  const call = `webhook-configs/${demo.configId}`
  try {
    const { endpoint_url } = await api.get(call).json<{ endpoint_url: string }>()
    if (endpoint_url === demo.endpoint && endpoint_url !== setup.crmEndpoint) {
      await api.patch(call, { json: { endpoint_url: setup.crmEndpoint } })
    }
    const { secret } = await api.get(`${call}/secret`).json<{ secret: string }>()
    await writeFile(setup.crmSecretFile, secret, { mode: 0o600 })
    return endpoint_url === demo.endpoint ? setup.crmEndpoint : demo.endpoint
  } catch (error) {
    if (error instanceof HTTPError && error.response.statusCode === 404) return demo.endpoint
    throw error
  }
}

async function makeSource(setup: DemoSetup, owner: string): Promise<string> {
  const token = await signIn(setup.server, setup.admin)
  if (token === undefined) throw new Error('The demo administrator cannot sign in')
  const source = { name: 'Demo form', owner_user_id: owner, auto_assign: true }
  const headers = { authorization: `Bearer ${token}` }
  const made = await http
    .post(`${setup.server}/api/v1/admin/sources`, { json: source, headers, retry: { limit: 0 } })
    .json<{ api_key: string }>()
  await signOut(setup.server, token)
  return made.api_key
}

/** Undefined when the service does not know the account or its password. */
async function signIn(server: string, account: Account): Promise<string | undefined> {
  const answer = await http.post(`${server}/auth/v1/token?grant_type=password`, {
    json: account,
    throwHttpErrors: false,
    retry: { limit: 0 },
  })
  if (answer.statusCode === 400) return undefined
  if (answer.statusCode !== 200)
    throw new Error(`Signing in as ${account.email} answered ${answer.statusCode}`)
  return (JSON.parse(answer.body) as { access_token: string }).access_token
}

async function signOut(server: string, token: string): Promise<void> {
  await http.post(`${server}/auth/v1/logout?scope=local`, { headers: { authorization: `Bearer ${token}` } })
}
