import { describe, expect, it } from 'vitest'
import { leadPageSchema, shownLeadSchema } from '#web/api/lead-answers.ts'
import { describeDeliveries } from '#web/components/describe-deliveries.ts'
import { leadJourney } from '#web/leads/lead-journey.ts'
import { lead } from './given-lead.ts'

/** A row as a server of the version before sends it: one word for its deliveries, and no counts. */
const listed = (delivery_status: string | null) => {
  const { delivery_counts: _counts, ...row } = lead
  return { ...row, delivery_status }
}

const NOBODY = Object.fromEntries(
  Object.keys(shownLeadSchema.in.shape)
    .filter((name) => !(name in listed(null)) && name !== 'delivery_counts')
    .map((name) => [name, null]),
)

const readRow = (row: object) => {
  const [read] = leadPageSchema.parse({ data: [row], next_cursor: null }).data
  if (read === undefined) throw new Error('a page without its row')
  return read
}

describe('a lead that a server of the version before shows', () => {
  it.each([
    ['delivered', 'Delivered', ['done', 'done', 'done', 'done']],
    ['failed', 'Failed', ['done', 'done', 'done', 'failed']],
    ['pending', 'Waiting', ['done', 'done', 'waiting', 'ahead']],
    [null, 'None', ['done', 'done', 'ahead', 'ahead']],
  ] as const)('stands where it says: %s', (status, label, stations) => {
    const read = readRow(listed(status))

    expect(describeDeliveries(read.delivery_counts).label).toBe(label)
    expect(leadJourney(read).map(({ state }) => state)).toEqual(stations)
  })

  it('says the same on its own page', () => {
    const shown: Record<string, unknown> = {
      ...listed('delivered'),
      ...NOBODY,
      custom: {},
      timeline: [],
      deliveries: [],
    }

    const { consent_ip: _ip, consent_user_agent: _agent, trustedform_expires_at: _ends, ...earlier } = shown
    expect(shownLeadSchema.parse(earlier)).toMatchObject({ consent_ip: null, trustedform_expires_at: null })
    const { first_sent_at: _sent, delivered_at: _had, ...before } = shown
    expect(shownLeadSchema.parse(before)).toMatchObject({ first_sent_at: null, delivered_at: null })
    expect(shownLeadSchema.parse(shown).delivery_counts).toMatchObject({ delivered: 1, sent: 1 })
  })

  it('is counted by the server wherever that counts', () => {
    const counts = { delivered: 1, failed: 1, held: 0, retrying: 0, waiting: 0, cancelled: 0, sent: 2 }

    expect(readRow({ ...listed('failed'), delivery_counts: counts }).delivery_counts).toEqual(counts)
  })
})
