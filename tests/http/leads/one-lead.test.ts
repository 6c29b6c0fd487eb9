import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Person } from '../support/start-app.ts'
import { giveLead } from './give-lead.ts'
import { startForTwo } from './start-for-two.ts'

const { app, client, other, get } = await startForTwo()

describe('one lead', () => {
  test('shows all data, and then counts as viewed', async () => {
    const buyer = await app.newClient()
    const id = await giveLead(app, buyer, { coverage_amount: 15_000, custom: { plan: 'gold' } })
    const unread = async () => (await get('/api/v1/me', buyer)).json.unread_lead_count
    expect(await unread()).toBe(1)

    await get(`/api/v1/leads/${id}`, buyer)
    const { json } = await get(`/api/v1/leads/${id}`, buyer)

    expect(json).toMatchObject({
      id,
      coverage_amount: 15_000,
      custom: { plan: 'gold' },
      disposition: 'new',
      unread: false,
    })
    // Its source named the client; the client's timeline still begins with the assignment.
    expect(json.timeline.map(({ type }) => type)).toEqual(['lead.assigned', 'lead.viewed'])
    const whole = (await get(`/api/v1/leads/${id}`, app.admin)).json.timeline
    expect(whole.map(({ type }) => type)).toEqual(['lead.created', 'lead.assigned', 'lead.viewed'])
    expect(await unread()).toBe(0)
  })

  test('shows its consent with all evidence, and when the certificate ends', async () => {
    const buyer = await app.newClient()
    const certificate = `https://cert.trustedform.com/${'2605ec3a321e1b3a41ad'.repeat(2)}`
    const evidence = {
      consent_given: true,
      consent_text: 'I agree to be called.',
      consent_url: 'https://example.com/quote',
      consent_ip: '2001:db8::7',
      consent_user_agent: 'Mozilla/5.0 (Fictional)',
      trustedform_cert_url: certificate,
      jornaya_leadid: '0c1f2b7a-3f54-4c3d-9a6e-0d6b8a1c2e3f',
    }
    const posted = { ...evidence, consent_at: '2026-01-01T07:00:00-05:00' }
    const id = await giveLead(app, buyer, {
      ...posted,
      trustedform_cert_url: certificate.toUpperCase().replace('HTTPS', 'https'),
    })
    const told = await giveLead(app, buyer, { ...posted, trustedform_expires_at: '2031-01-01' })

    expect((await get(`/api/v1/leads/${id}`, buyer)).json).toMatchObject({
      ...evidence,
      consent_at: '2026-01-01T12:00:00.000Z',
      trustedform_expires_at: '2026-04-01T12:00:00.000Z',
    })
    expect((await get(`/api/v1/leads/${told}`, buyer)).json).toMatchObject({
      trustedform_expires_at: '2031-01-01T00:00:00.000Z',
    })
    const preview = await app.call('POST', '/api/v1/webhook-configs/preview', {
      token: buyer.token,
      body: {
        payload_type: 'JSON',
        payload_template: { ends: '{{trustedform_expires_at}}', browser: '{{consent_user_agent}}' },
        lead_id: id,
      },
    })
    expect(preview.json).toMatchObject({
      body: '{"ends":"2026-04-01T12:00:00.000Z","browser":"Mozilla/5.0 (Fictional)"}',
      unknown_placeholders: [],
    })
  })

  test('shows an event of a newer version by its name', async () => {
    const buyer = await app.newClient()
    const id = await giveLead(app, buyer, {})
    await sql`insert into events (type, lead_id, client_user_id) values ('lead.priced', ${id}, ${buyer.id})`.execute(
      app.context.db,
    )

    const { status, json } = await get(`/api/v1/leads/${id}`, buyer)

    expect(status).toBe(200)
    expect(json.timeline.map(({ type }) => type)).toContain('lead.priced')
  })

  test('does not count as viewed by an administrator', async () => {
    const buyer = await app.newClient()
    const id = await giveLead(app, buyer)

    expect((await get(`/api/v1/leads/${id}`, app.admin)).status).toBe(200)
    expect((await get('/api/v1/me', buyer)).json.unread_lead_count).toBe(1)
  })

  test('is not found if it belongs to another client or to nobody, or if the id is invalid', async () => {
    const theirs = await giveLead(app, other)

    for (const id of [theirs, '01a1fcd9-0000-7000-8000-000000000000', 'nonsense', '%00', '..%2f']) {
      const { status, json } = await get(`/api/v1/leads/${id}`)
      expect({ status, code: json.code }).toEqual({ status: 404, code: 'not_found' })
    }
  })

  test('accepts disposition and notes from its holder', async () => {
    const id = await giveLead(app, client)
    const { json } = await app.call('PATCH', `/api/v1/leads/${id}`, {
      token: client.token,
      body: { disposition: 'contacted', notes: 'Call back on Monday' },
    })

    expect(json).toMatchObject({ disposition: 'contacted', notes: 'Call back on Monday' })
    const patch = (who: Person, body: unknown) =>
      app.call('PATCH', `/api/v1/leads/${id}`, { token: who.token, body })
    expect((await patch(other, { notes: 'mine now' })).status).toBe(404)
    expect((await patch(client, { disposition: 'sold!' })).status).toBe(422)
    expect((await patch(client, { deal_size: 100 })).status).toBe(422)
    expect((await patch(client, { notes: 'half \ud83d' })).json.errors[0]?.path).toBe('notes')
    expect((await patch(client, { notes: 'NUL \0' })).json.errors[0]?.path).toBe('notes')
  })
})

describe('erasing a lead', () => {
  const erase = (id: string, who: Person) =>
    app.call('POST', `/api/v1/admin/leads/${id}/erase`, {
      token: who.token,
      body: { reason: 'Asked for it' },
    })

  test('is possible for administrators; its client then sees the erasure, and no data of the person', async () => {
    const id = await giveLead(app, client, { name: 'Erased Example', comments: 'Call Erased Example' })
    expect((await erase(id, client)).status).toBe(403)

    const { status, json } = await erase(id, app.admin)

    expect({ status, json }).toMatchObject({ status: 200, json: { lead_id: id } })
    const lead = await get(`/api/v1/leads/${id}`)
    expect(lead.json).toMatchObject({ id, status: 'redacted', name: null, email: null })
    expect(JSON.stringify(lead.json)).not.toContain('Erased Example')
    expect((await get('/api/v1/leads?search=Erased')).json.data).toEqual([])
  })

  test('answers 404 for a lead that does not exist', async () => {
    const { status } = await erase('0199b0a0-0000-7000-8000-000000000000', app.admin)
    expect(status).toBe(404)
  })
})
