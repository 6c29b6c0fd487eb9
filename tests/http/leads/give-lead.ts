import { newLead, type Person, type TestApp } from '../support/start-app.ts'

/** Sells a lead to this client; returns its id. */
export async function giveLead(
  app: TestApp,
  owner: Person,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const source = await app.newSource({ owner })
  const { json } = await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead(fields) })
  return json.lead_id
}
