import { EXAMPLE_LEAD } from '#core/contract/leads/posting-notes.ts'

const ID = '01920000-0000-7000-8000-000000000001'

/** Bodies whose members depend on each other, so that an example for each alone would not fit. */
export const EXAMPLE_BODIES: Readonly<Record<string, unknown>> = {
  'POST /api/v1/leads': EXAMPLE_LEAD,
  'POST /api/v1/leads/batch': [EXAMPLE_LEAD],
  'POST /api/v1/posting-spec/test-lead': { token: 'the token of the link', lead: EXAMPLE_LEAD },
  'POST /api/v1/webhook-configs': { webhook_name: 'My CRM', endpoint_url: 'https://crm.example.com/leads' },
  'PATCH /api/v1/webhook-configs/:id': { is_active: false },
  'POST /functions/v1/test-webhook-endpoint': { webhookId: ID },
  'POST /functions/v1/security-monitoring': {
    event: {
      id: ID,
      type: 'login_success',
      timestamp: '2026-01-31T17:05:00.000Z',
      userAgent: 'Mozilla/5.0 (Windows NT 10.0)',
      url: 'https://leads.example.com/auth',
      details: {},
      severity: 'low',
    },
  },
  'POST /api/v1/admin/dead-letters/redrive': { ids: [ID], dry_run: true },
  'POST /api/v1/admin/lead-recalls': {
    source_id: ID,
    from: '2026-01-31T00:00:00Z',
    to: '2026-02-01T00:00:00Z',
    reason: 'The form asked for no consent',
  },
  'POST /api/v1/outcomes': { status: 'sold', amount: 1200, note: 'Whole life' },
  'POST /api/v1/revocations': { contact: '+12025550143' },
  'POST /api/v1/revocations/proof': { contact: 'rosa@example.com', code: '123456' },
  'POST /api/v1/admin/revocations': { contact: 'rosa@example.com', reason: 'Asked by letter' },
  'POST /api/v1/payments': { amount: '100.00' },
  'PATCH /api/v1/leads/:id': { disposition: 'contacted', notes: 'Call back on Tuesday.' },
}
