import got from 'got'

const PASSWORD = 'Zx9!kvRm-Tw7q'

/** The first accounts of the server under measurement. */
export const SEED = {
  SEED_ADMIN_EMAIL: 'bench-admin@example.com',
  SEED_ADMIN_PASSWORD: PASSWORD,
  SEED_CLIENT_EMAIL: 'bench-client@example.com',
  SEED_CLIENT_PASSWORD: PASSWORD,
}

/**
 * Through the API: a configuration that hears of assigned leads, and a source whose leads are assigned to its client.
 * @returns the source's key
 */
export async function setUpSource(url: string, receiverUrl: string): Promise<string> {
  const api = got.extend({ prefixUrl: url, retry: { limit: 0 } })
  const signIn = (email: string) =>
    api
      .post('auth/v1/token?grant_type=password', { json: { email, password: PASSWORD } })
      .json<{ access_token: string; user: { id: string } }>()
  const admin = await signIn(SEED.SEED_ADMIN_EMAIL)
  const client = await signIn(SEED.SEED_CLIENT_EMAIL)
  await api.post('api/v1/webhook-configs', {
    headers: { authorization: `Bearer ${client.access_token}` },
    json: {
      webhook_name: 'Example CRM',
      endpoint_url: `${receiverUrl}/leads`,
      trigger_on_lead_created: false,
      trigger_on_lead_assigned: true,
      payload_template: {
        lead_id: '{{id}}',
        name: '{{name}}',
        email: '{{email}}',
        phone: '{{phone_formatted}}',
        intended: '{{custom.intended}}',
      },
    },
  })
  const source = await api
    .post('api/v1/admin/sources', {
      headers: { authorization: `Bearer ${admin.access_token}` },
      json: { name: 'bench', owner_user_id: client.user.id, auto_assign: true },
    })
    .json<{ api_key: string }>()
  return source.api_key
}
