import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { HTTPError, type Got } from 'got'
import { writeFileAtomically } from '#core/write-file-atomically.ts'
import { openSession, type Account } from './demo-session.ts'

export interface DemoSetup {
  server: string
  folder: string
  crmEndpoint: string
  crmSecretFile: string
  client: Account
  admin: Account
}

/** The results of the first start. `clientId` shows whether it used this database. */
interface Demo {
  clientId: string
  configId: string
  endpoint: string
  sourceKey?: string
}

/**
 * On the first start: makes a webhook configuration of the demo client that points at the sample CRM, and a
 * source whose leads go to that client. Later starts update the CRM's address in the configuration and the
 * secret in the CRM; people's changes and deletions stay.
 * @returns the source's API key and whether this was the first time; undefined if the database does not have
 * the demo accounts
 */
export async function setUpDemo(
  setup: DemoSetup,
): Promise<{ sourceKey: string; isNew: boolean } | undefined> {
  const session = await openSession(setup.server, setup.client)
  if (session === undefined) return undefined
  const { api, userId: clientId } = session
  const file = path.join(setup.folder, 'demo.json')
  const known = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Demo) : undefined
  const isNew = known?.clientId !== clientId
  let demo = isNew ? await makeConfiguration(api, setup, clientId) : known
  await save()
  demo = { ...demo, endpoint: await introduce(api, setup, demo) }
  await save()
  const sourceKey = demo.sourceKey ?? (await makeSource(setup, clientId))
  demo = { ...demo, sourceKey }
  await save()
  await session.close()
  return { sourceKey, isNew }

  // Saved after each step, so that a start that is interrupted in between makes nothing twice.
  function save(): Promise<void> {
    return writeFileAtomically(file, `${JSON.stringify(demo, null, 2)}\n`)
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

/** Gives the configuration the CRM's address, and the CRM the secret. Returns the configuration's address. */
async function introduce(api: Got, setup: DemoSetup, demo: Demo): Promise<string> {
  const call = `webhook-configs/${demo.configId}`
  try {
    const { endpoint_url } = await api.get(call).json<{ endpoint_url: string }>()
    if (endpoint_url === demo.endpoint && endpoint_url !== setup.crmEndpoint) {
      await api.patch(call, { json: { endpoint_url: setup.crmEndpoint } })
    }
    const { secret } = await api.get(`${call}/secret`).json<{ secret: string }>()
    await writeFileAtomically(setup.crmSecretFile, secret)
    return endpoint_url === demo.endpoint ? setup.crmEndpoint : demo.endpoint
  } catch (error) {
    if (error instanceof HTTPError && error.response.statusCode === 404) return demo.endpoint
    throw error
  }
}

async function makeSource(setup: DemoSetup, owner: string): Promise<string> {
  const session = await openSession(setup.server, setup.admin)
  if (session === undefined) throw new Error('The demo administrator cannot sign in')
  const source = { name: 'Demo form', owner_user_id: owner, auto_assign: true }
  const made = await session.api.post('admin/sources', { json: source }).json<{ api_key: string }>()
  await session.close()
  return made.api_key
}
