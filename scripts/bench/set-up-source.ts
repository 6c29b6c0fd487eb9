import got from 'got'

const PASSWORD = 'Zx9!kvRm-Tw7q'

/** The first account of the server under measurement. */
export const SEED = {
  SEED_ADMIN_EMAIL: 'bench-admin@example.com',
  SEED_ADMIN_PASSWORD: PASSWORD,
}

/**
 * Through the API, for each list of endpoints: a client of its own, with a configuration for each that hears of assigned leads, and a
 * source whose leads are assigned to that client.
 * @returns the sources' keys, in the order of the lists
 */
export async function setUpSources(
  url: string,
  clients: ReadonlyArray<readonly string[]>,
): Promise<string[]> {
  const api = got.extend({ prefixUrl: url, retry: { limit: 0 } })
  const admin = await api
    .post('auth/v1/token?grant_type=password', { json: { email: SEED.SEED_ADMIN_EMAIL, password: PASSWORD } })
    .json<{ access_token: string }>()
  const keys: string[] = []
  for (const [index, endpoints] of clients.entries()) {
    const client = await api
      .post('auth/v1/signup', { json: { email: `bench-client-${index}@example.com`, password: PASSWORD } })
      .json<{ access_token: string; user: { id: string } }>()
    for (const endpoint of endpoints) {
      await api.post('api/v1/webhook-configs', {
        headers: { authorization: `Bearer ${client.access_token}` },
        json: { webhook_name: 'Example CRM', endpoint_url: endpoint, payload_template: TEMPLATE },
      })
    }
    const source = await api
      .post('api/v1/admin/sources', {
        headers: { authorization: `Bearer ${admin.access_token}` },
        json: { name: `bench ${index}`, owner_user_id: client.user.id, auto_assign: true },
      })
      .json<{ api_key: string }>()
    keys.push(source.api_key)
  }
  return keys
}

/** Carries the moment at which a lead was meant to be sent through to the endpoint. */
export const TEMPLATE = {
  lead_id: '{{id}}',
  name: '{{name}}',
  email: '{{email}}',
  phone: '{{phone_formatted}}',
  intended: '{{custom.intended}}',
}
