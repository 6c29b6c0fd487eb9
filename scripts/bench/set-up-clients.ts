import { randomUUID } from 'node:crypto'
import got, { type Got } from 'got'
import type { Conditions } from '#core/contract/webhooks/conditions.ts'

const PASSWORD = 'Zx9!kvRm-Tw7q'

/** The first account of the server under measurement. */
export const SEED = {
  SEED_ADMIN_EMAIL: 'bench-admin@example.com',
  SEED_ADMIN_PASSWORD: PASSWORD,
}

export interface BenchClient {
  id: string
  /** an access token */
  token: string
  /** of a source whose leads are assigned to this client */
  key: string
  /** ids of the configurations, which receive assigned leads */
  configurations: string[]
}

/** Settings for every endpoint that is set up. */
export interface EndpointSettings {
  template?: object
  customHeaders?: Readonly<Record<string, string>>
  conditions?: Conditions
  /** PEM of the only trusted authority */
  authority?: string
  /** false: the clients stay without approval */
  isApproved?: boolean
}

/**
 * Makes, through the API, a client for each list of endpoints, with a configuration for each endpoint, and a
 * source.
 */
export async function setUpClients(
  url: string,
  clients: ReadonlyArray<readonly string[]>,
  settings: EndpointSettings = {},
): Promise<BenchClient[]> {
  const api = got.extend({ prefixUrl: url, retry: { limit: 0 } })
  const admin = await api
    .post('auth/v1/token?grant_type=password', { json: { email: SEED.SEED_ADMIN_EMAIL, password: PASSWORD } })
    .json<{ access_token: string }>()
  const made: BenchClient[] = []
  for (const endpoints of clients) made.push(await setUpClient(api, admin.access_token, endpoints, settings))
  return made
}

async function setUpClient(
  api: Got,
  adminToken: string,
  endpoints: readonly string[],
  { template = TEMPLATE, customHeaders = {}, conditions, authority, isApproved = true }: EndpointSettings,
): Promise<BenchClient> {
  const email = `bench-${randomUUID()}@example.com`
  const { access_token: token, user } = await api
    .post('auth/v1/signup', { json: { email, password: PASSWORD } })
    .json<{ access_token: string; user: { id: string } }>()
  const configurations: string[] = []
  for (const endpoint of endpoints) {
    const { id } = await api
      .post('api/v1/webhook-configs', {
        headers: { authorization: `Bearer ${token}` },
        json: {
          webhook_name: 'Example CRM',
          endpoint_url: endpoint,
          payload_template: template,
          custom_headers: customHeaders,
          ...(conditions === undefined ? {} : { conditions }),
          ...(authority === undefined ? {} : { ca_certificate: authority }),
        },
      })
      .json<{ id: string }>()
    configurations.push(id)
  }
  const byAdmin = { headers: { authorization: `Bearer ${adminToken}` } }
  if (isApproved) await api.post(`api/v1/admin/clients/${user.id}/approve`, { ...byAdmin, json: {} })
  const { api_key: key } = await api
    .post('api/v1/admin/sources', {
      ...byAdmin,
      json: { name: `bench ${user.id}`, owner_user_id: user.id, auto_assign: true },
    })
    .json<{ api_key: string }>()
  return { id: user.id, token, key, configurations }
}

/** Carries a lead's intended moment through to the endpoint. */
export const TEMPLATE = {
  lead_id: '{{id}}',
  name: '{{name}}',
  email: '{{email}}',
  phone: '{{phone_formatted}}',
  intended: '{{custom.intended}}',
}
