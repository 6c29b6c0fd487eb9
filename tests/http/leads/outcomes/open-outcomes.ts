import { signOutcome, type OutcomeToken } from '#core/secrets/outcome-token.ts'
import type { PurposeKeys } from '#core/secrets/derived-keys.ts'
import type { AnswerBody, CallResult, Person } from '../../support/start-app.ts'
import { startForTwo } from '../start-for-two.ts'

const DAY_MS = 24 * 3600 * 1000

/** Two clients, a webhook of the first, and what the tests of outcomes do. */
export interface Outcomes extends Awaited<ReturnType<typeof startForTwo>> {
  /** the webhook */
  crm: string
  addWebhook: (who: Person, name?: string) => Promise<string>
  /** The token of an address of the first client's webhook, for a day. */
  tokenOf: (lead: string, further?: Partial<OutcomeToken>, keys?: PurposeKeys) => string
  post: (token: string, body: unknown, headers?: Record<string, string>) => Promise<CallResult>
  /** The lead as its page shows it. */
  read: (lead: string, who?: Person) => Promise<AnswerBody>
  /** The types of the lead's events on its timeline. */
  eventsOf: (lead: string) => Promise<string[]>
}

export async function openOutcomes(): Promise<Outcomes> {
  const started = await startForTwo()
  const { app, client, get } = started
  const { outcomeKeys } = app.context.leads
  const addWebhook: Outcomes['addWebhook'] = async (who, name = 'GoHighLevel') =>
    (
      await app.call('POST', '/api/v1/webhook-configs', {
        token: who.token,
        body: { webhook_name: name, endpoint_url: 'https://crm.example.com/hook' },
      })
    ).json.id
  const crm = await addWebhook(client)
  const read: Outcomes['read'] = async (lead, who = client) => (await get(`/api/v1/leads/${lead}`, who)).json
  return {
    ...started,
    crm,
    addWebhook,
    tokenOf: (lead_id, further = {}, keys = outcomeKeys) =>
      signOutcome(keys, {
        lead_id,
        client_user_id: client.id,
        webhook_config_id: crm,
        expires_at: new Date(Date.now() + DAY_MS),
        ...further,
      }),
    post: (token, body, headers = {}) =>
      app.call('POST', `/api/v1/outcomes?token=${token}`, { body, headers }),
    read,
    eventsOf: async (lead) =>
      (await read(lead)).timeline.map(({ type }) => type).filter((type) => type.startsWith('lead.')),
  }
}
