import { POSTING_NOTES } from '#core/contract/leads/posting-notes.ts'
import { SAMPLE_LEAD, SAMPLE_OUTCOME_TOKEN } from '#core/domain/leads/sample-lead.ts'
import { outcomeUrl } from '#core/domain/leads/outcome-url.ts'
import { leadValues } from '#core/domain/leads/lead-values.ts'
import { PLACEHOLDERS } from '#core/domain/webhooks/template/placeholders.ts'
import { asCode, writeTable } from './write-table.ts'

const { example } = POSTING_NOTES.trustedform_cert_url
const TRUSTEDFORM = typeof example === 'string' ? example : null
const GROUPS = [...new Set(PLACEHOLDERS.map(({ group }) => group))]

/** Every placeholder, by its group, with its value for one fictional lead. */
export function listPlaceholders(): string {
  const values = leadValues(
    {
      ...SAMPLE_LEAD,
      name: 'Rosa Example',
      first_name: 'Rosa',
      last_name: 'Example',
      email: 'rosa@example.com',
      is_test: false,
      price_charged: '25.00',
      trustedform_cert_url: TRUSTEDFORM,
    },
    {
      event: 'lead.assigned',
      deliveryId: '01920000-0000-7000-8000-000000000002',
      clientId: '01920000-0000-7000-8000-000000000003',
      sentAt: new Date('2026-01-01T12:00:02Z'),
      outcomeUrl: () => outcomeUrl('https://leadwire.example', SAMPLE_OUTCOME_TOKEN),
    },
  )
  return GROUPS.map((group) => {
    const rows = PLACEHOLDERS.filter((one) => one.group === group).map(({ name, description }) => [
      asCode(`{{${name}}}`),
      description,
      asCode(JSON.stringify(values[name] ?? null)),
    ])
    return `### ${group}\n\n${writeTable(['Placeholder', 'Value', 'Example'], rows)}`
  }).join('\n\n')
}
