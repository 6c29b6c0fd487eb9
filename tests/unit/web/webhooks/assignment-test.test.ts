import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { runAssignmentTest, type SendCall } from '#web/webhooks/queries/webhook-assignment-test.ts'

type Call = { method: string; path: string; body: Record<string, unknown>; key: string | undefined }
type Answer = { status: number; body: unknown }

const run = { userId: 'user-1', runId: '0f1e2d3c-0000-4000-8000-000000000000' }
const lead = {
  id: 'lead-1',
  lead_type: 'final_expense',
  state: 'CA',
  phone: '+12135550100',
  email: 'a@example.com',
}
const assigned = { status: 200, body: { success: true, outcome: 'assigned' } }
const answers: Record<string, Answer> = {
  'POST /api/v1/leads': { status: 201, body: lead },
  'POST /api/v1/rpc/assign_lead_to_buyer_concurrent': assigned,
  'PATCH /api/v1/leads/lead-1': { status: 200, body: lead },
  'POST /functions/v1/webhook-delivery': { status: 200, body: { success: true } },
}

/** Runs the flow against a real HTTP server that answers as told, and returns the calls it saw. */
async function runAgainst(changed: Record<string, Answer> = {}) {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const path = request.url ?? ''
      const method = request.method ?? ''
      calls.push({
        method,
        path,
        body: JSON.parse(body) as Call['body'],
        key: request.headers['idempotency-key']?.toString(),
      })
      const answer = { ...answers, ...changed }[`${method} ${path}`] ?? { status: 404, body: {} }
      response
        .writeHead(answer.status, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(answer.body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send: SendCall = async (method, path, body, key) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key }
    const sent = { method, body: JSON.stringify(body), headers }
    const response = await fetch(origin + path, sent)
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return response.json()
  }
  try {
    const outcome = await runAssignmentTest(send, run).catch((error: unknown) => error)
    return { outcome, calls, paths: calls.map((call) => `${call.method} ${call.path}`) }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('the assignment test flow (docs/product.md §7)', () => {
  it('inserts the test lead, calls the procedure and then calls webhook-delivery', async () => {
    const { outcome, calls, paths } = await runAgainst()
    expect(outcome).toEqual({ leadId: 'lead-1' })
    expect(paths).toEqual([
      'POST /api/v1/leads',
      'POST /api/v1/rpc/assign_lead_to_buyer_concurrent',
      'POST /functions/v1/webhook-delivery',
    ])
    expect(calls[0]?.body).toMatchObject({
      lead_type: 'final_expense',
      state: 'CA',
      source: 'manual_assignment_test',
      deal_size: 0,
      status: 'new',
    })
    expect(calls[0]?.key).toBe(run.runId)
    expect(calls[1]?.body).toEqual({
      lead_id_param: 'lead-1',
      lead_type_param: 'final_expense',
      lead_state_param: 'CA',
      lead_phone_param: '+12135550100',
      lead_email_param: 'a@example.com',
    })
    expect(calls[2]?.body).toEqual({ lead_id: 'lead-1', client_user_id: 'user-1' })
  })

  it('assigns directly when the procedure answers an error', async () => {
    const { calls, paths } = await runAgainst({
      'POST /api/v1/rpc/assign_lead_to_buyer_concurrent': { status: 500, body: {} },
    })
    expect(paths[2]).toBe('PATCH /api/v1/leads/lead-1')
    expect(calls[2]?.body).toEqual({ assigned_to: 'user-1', status: 'assigned' })
    expect(paths[3]).toBe('POST /functions/v1/webhook-delivery')
  })

  it('assigns directly when the procedure reports that it did not succeed', async () => {
    const { paths } = await runAgainst({
      'POST /api/v1/rpc/assign_lead_to_buyer_concurrent': { status: 200, body: { success: false } },
    })
    expect(paths).toContain('PATCH /api/v1/leads/lead-1')
  })

  it('succeeds even if webhook-delivery fails', async () => {
    const { outcome } = await runAgainst({ 'POST /functions/v1/webhook-delivery': { status: 500, body: {} } })
    expect(outcome).toEqual({ leadId: 'lead-1' })
  })

  it('fails, and sends nothing more, if the lead cannot be inserted', async () => {
    const { outcome, paths } = await runAgainst({ 'POST /api/v1/leads': { status: 403, body: {} } })
    expect(outcome).toBeInstanceOf(Error)
    expect(paths).toEqual(['POST /api/v1/leads'])
  })

  it('fails if both the procedure and direct assignment fail', async () => {
    const { outcome, paths } = await runAgainst({
      'POST /api/v1/rpc/assign_lead_to_buyer_concurrent': { status: 503, body: {} },
      'PATCH /api/v1/leads/lead-1': { status: 503, body: {} },
    })
    expect(outcome).toBeInstanceOf(Error)
    expect(paths).not.toContain('POST /functions/v1/webhook-delivery')
  })
})
