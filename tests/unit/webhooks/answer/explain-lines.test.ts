import { describe, expect, it } from 'vitest'
import type { EndpointStanding } from '#core/contract/operations/waits.ts'
import { explainLines, type Line } from '#core/domain/webhooks/explain-lines.ts'
import { openJudgeRoom } from '#core/fairness/judge-room.ts'

const now = new Date('2026-01-31T12:00:00Z')
const earlier = new Date('2026-01-31T11:59:00Z')
const later = new Date('2026-01-31T12:03:00Z')
const judgeRoom = openJudgeRoom(50)

function line(id: string, fields: Partial<Line> = {}): Line {
  return {
    webhook_config_id: id,
    client_user_id: 'ada',
    is_active: true,
    breaker: 'closed',
    probe_at: null,
    is_probe: false,
    gives_way: false,
    is_strained: false,
    waiting: 0,
    oldest_due: null,
    in_flight: 0,
    later: 0,
    next_at: null,
    held: 0,
    offered: 0,
    ...fields,
  }
}
const due = { waiting: 3, oldest_due: earlier }

/** Returns the reason codes of these lines. @param elsewhere deliveries in flight beside them */
function codes(
  lines: readonly Line[],
  speeds: Record<string, EndpointStanding> = {},
  elsewhere: readonly Line[] = [],
) {
  const queueState = {
    workers: { count: 1, slots: 100 },
    is_paused: false,
    speeds: new Map(Object.entries(speeds)),
    heavy: new Set(['heavy']),
  }
  const underWay = [...lines, ...elsewhere]
  const clients = new Set(underWay.map(({ client_user_id: client }) => client)).size
  const around = { queueState, clients, under_way: underWay, judgeRoom, now }
  return explainLines(lines, around).map(({ reason }) => reason.code)
}

describe('the reason at an endpoint', () => {
  it('is that of the delivery that has been due longest', () => {
    expect(codes([line('a', { ...due, held: 9, later: 4, next_at: later })])).toEqual(['next'])
  })

  it('is the owner’s decision, if only deliveries from its time off are held', () => {
    const offered = { held: 9, offered: 9 }
    expect(
      codes([
        line('a', offered),
        line('b', { ...offered, is_active: false }),
        line('c', { ...offered, held: 10, is_active: false }),
        line('d', { ...offered, in_flight: 1 }),
        line('e', { ...offered, later: 1, next_at: later }),
      ]),
    ).toEqual(['offered', 'offered', 'switched_off', 'in_progress', 'not_due'])
  })

  it('is the reason for holding deliveries, if none is due', () => {
    const held = { held: 9, in_flight: 1 }
    expect(
      codes([
        line('a', { ...held, is_active: false }),
        line('b', { ...held, breaker: 'open', probe_at: later }),
      ]),
    ).toEqual(['switched_off', 'breaker_open'])
  })

  it('is the attempt in progress, if nothing else is due', () => {
    expect(codes([line('a', { in_flight: 2, later: 1, next_at: later })])).toEqual(['in_progress'])
  })

  it('is the time of the next retry, if only retries are planned', () => {
    const [found] = explainLines([line('a', { later: 5, next_at: later })], {
      queueState: null,
      clients: 0,
      under_way: [],
      judgeRoom,
      now,
    })
    expect(found).toMatchObject({ speed: undefined, reason: { code: 'not_due', until: later } })
  })

  it('counts the same client’s deliveries in flight at all new endpoints, and no other client’s', () => {
    const lines = [
      line('a', { ...due, in_flight: 1 }),
      line('b', { in_flight: 4 }),
      line('c', { ...due, client_user_id: 'ben', in_flight: 1 }),
    ]
    expect(codes(lines, { a: 'new', b: 'new', c: 'new' })).toEqual(['newcomers', 'in_progress', 'next'])
  })

  it('may be the rate limit of heavy payloads, at an endpoint with heavy payloads', () => {
    const lines = [line('heavy', due), line('b', { ...due, client_user_id: 'ben' })]
    expect(codes(lines, { heavy: 'proved', b: 'proved' })).toEqual(['heavy_payloads', 'next'])
  })

  it('counts all deliveries in flight, not only those of the listed clients', () => {
    const ofBen = { client_user_id: 'ben' }
    const busy = line('a', { ...due, in_flight: 8 })
    expect(codes([busy], { a: 'proved' }, [line('b', { ...ofBen, in_flight: 60 })])).toEqual(['next'])
    expect(codes([busy], { a: 'proved' }, [line('b', { ...ofBen, in_flight: 68 })])).toEqual(['client_share'])
    expect(codes([busy], { a: 'proved' }, [line('b', { ...ofBen, in_flight: 92 })])).toEqual(['slots_full'])
  })

  it('is low priority, if the delivery that has been due longest is a retry', () => {
    expect(codes([line('a', { ...due, gives_way: true })])).toEqual(['gives_way'])
  })
})
