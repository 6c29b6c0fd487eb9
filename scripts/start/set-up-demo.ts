import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import got, { HTTPError } from 'got'

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
  sourceKey: string
}

/**
 * The first time: a webhook configuration of the demo client that points at the sample CRM, and a source whose leads go
 * to that client. Later only the CRM's address is corrected; what people changed or deleted stays so.
 * @returns the source's API key, or undefined when the demo accounts are not of this database
 */
export async function setUpDemo(setup: DemoSetup): Promise<string | undefined> {
  const token = await signIn(setup.server, setup.client)
  if (token === undefined) return undefined
  const api = got.extend({
    prefixUrl: `${setup.server}/api/v1`,
    headers: { authorization: `Bearer ${token}` },
    retry: { limit: 0 },
  })
  const { user_id: clientId } = await api.get('me').json<{ user_id: string }>()
  const file = path.join(setup.folder, 'demo.json')
  const known = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Demo) : undefined
  const demo = known?.clientId === clientId ? known : await make(clientId)
  if (demo !== known) await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  if (demo.endpoint !== setup.crmEndpoint) {
    await follow(demo.configId)
    await writeFile(file, `${JSON.stringify({ ...demo, endpoint: setup.crmEndpoint }, null, 2)}\n`, {
      mode: 0o600,
    })
  }
  await got.post(`${setup.server}/auth/v1/logout?scope=local`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return demo.sourceKey

  async function make(owner: string): Promise<Demo> {
    const config = await api
      .post('webhook-configs', {
        json: {
          webhook_name: 'Sample CRM',
          endpoint_url: setup.crmEndpoint,
          trigger_on_lead_assigned: true,
          trigger_on_lead_created: false,
        },
      })
      .json<{ id: string }>()
    const { secret } = await api.get(`webhook-configs/${config.id}/secret`).json<{ secret: string }>()
    await writeFile(setup.crmSecretFile, secret, { mode: 0o600 })
    const sourceKey = await makeSource(setup, owner)
    return { clientId: owner, configId: config.id, endpoint: setup.crmEndpoint, sourceKey }
  }

  async function follow(configId: string): Promise<void> {
    try {
      await api.patch(`webhook-configs/${configId}`, { json: { endpoint_url: setup.crmEndpoint } })
    } catch (error) {
      // The client deleted it, and it stays deleted.
      if (!(error instanceof HTTPError && error.response.statusCode === 404)) throw error
    }
  }
}

async function makeSource(setup: DemoSetup, owner: string): Promise<string> {
  const token = await signIn(setup.server, setup.admin)
  if (token === undefined) throw new Error('The demo administrator cannot sign in')
  const source = { name: 'Demo form', owner_user_id: owner, auto_assign: true }
  const headers = { authorization: `Bearer ${token}` }
  const made = await got
    .post(`${setup.server}/api/v1/admin/sources`, { json: source, headers, retry: { limit: 0 } })
    .json<{ api_key: string }>()
  await got.post(`${setup.server}/auth/v1/logout?scope=local`, { headers })
  return made.api_key
}

/** Undefined when the service does not know the account or its password. */
async function signIn(server: string, account: Account): Promise<string | undefined> {
  const answer = await got.post(`${server}/auth/v1/token?grant_type=password`, {
    json: account,
    throwHttpErrors: false,
    retry: { limit: 0 },
  })
  if (answer.statusCode === 400) return undefined
  if (answer.statusCode !== 200)
    throw new Error(`Signing in as ${account.email} answered ${answer.statusCode}`)
  return (JSON.parse(answer.body) as { access_token: string }).access_token
}
