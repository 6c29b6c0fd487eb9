import { describe, expect, it } from 'vitest'
import type { EndpointStanding } from '#core/contract/operations/waits.ts'
import { explainLines, type Line } from '#core/domain/webhooks/explain-lines.ts'

const now = new Date('2026-01-31T12:00:00Z')
const earlier = new Date('2026-01-31T11:59:00Z')
const later = new Date('2026-01-31T12:03:00Z')
const limits = { newAtOnce: 2, newPerClient: 5, endpointAtOnce: 50, reserve: 0.2 }

function line(id: string, fields: Partial<Line> = {}): Line {
  return {
    webhook_config_id: id,
    client_user_id: 'ada',
    is_active: true,
    breaker: 'closed',
    probe_at: null,
    is_probe: false,
    waiting: 0,
    oldest_due: null,
    in_flight: 0,
    later: 0,
    next_at: null,
    held: 0,
    ...fields,
  }
}
const due = { waiting: 3, oldest_due: earlier }

function codes(lines: readonly Line[], standings: Record<string, EndpointStanding> = {}, clients = 1) {
  const carriage = {
    workers: { count: 1, slots: 100 },
    is_paused: false,
    standings: new Map(Object.entries(standings)),
  }
  const inFlight = lines.reduce((sum, { in_flight: count }) => sum + count, 0)
  const around = { carriage, clients, in_flight: inFlight, limits, now }
  return explainLines(lines, around).map(({ reason }) => reason.code)
}

describe('the reason at an endpoint', () => {
  it('is that of the delivery which is due for longest', () => {
    expect(codes([line('a', { ...due, held: 9, later: 4, next_at: later })])).toEqual(['next'])
  })

  it('is why it holds back what is held, where nothing is due', () => {
    const held = { held: 9, in_flight: 1 }
    expect(
      codes([
        line('a', { ...held, is_active: false }),
        line('b', { ...held, breaker: 'open', probe_at: later }),
      ]),
    ).toEqual(['switched_off', 'breaker_open'])
  })

  it('is that a worker has what is under way, where nothing else is due', () => {
    expect(codes([line('a', { in_flight: 2, later: 1, next_at: later })])).toEqual(['in_progress'])
  })

  it('is when the next retry is due, where only retries are planned', () => {
    const [found] = explainLines([line('a', { later: 5, next_at: later })], {
      carriage: null,
      clients: 0,
      in_flight: 0,
      limits,
      now,
    })
    expect(found).toMatchObject({ standing: undefined, reason: { code: 'not_due', until: later } })
  })

  it('counts what its client has under way at all that have never answered, and nobody else’s', () => {
    const lines = [
      line('a', { ...due, in_flight: 1 }),
      line('b', { in_flight: 4 }),
      line('c', { ...due, client_user_id: 'ben', in_flight: 1 }),
    ]
    expect(codes(lines, { a: 'new', b: 'new', c: 'new' })).toEqual(['newcomers', 'in_progress', 'next'])
  })

  it('weighs a client’s share by how many clients want slots', () => {
    const busy = line('a', { ...due, in_flight: 30 })
    expect(codes([busy], { a: 'proved' }, 2)).toEqual(['next'])
    expect(codes([busy], { a: 'proved' }, 4)).toEqual(['client_share'])
  })
})
