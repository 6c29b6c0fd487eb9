import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SampleCrm } from '#scripts/sample-crm/create-sample-crm.ts'
import { deliverTo, openSampleCrm, readStateOf, switchAt, type Delivery } from './sample-crm-requests.ts'

let crm: SampleCrm
let close: () => Promise<void>
beforeEach(async () => {
  ;({ crm, close } = await openSampleCrm())
})
afterEach(() => close())

const deliver = (delivery: Delivery = {}) => deliverTo(crm, delivery)
const readState = () => readStateOf(crm)
const switchTo = (mode: string | number, settings: Record<string, unknown> = {}) =>
  switchAt(crm, mode, settings)

async function readOnly() {
  const { requests } = await readState()
  expect(requests).toHaveLength(1)
  return requests[0]
}

describe('the mode', () => {
  test.each([200, 500, 410])('%i answers with that status', async (mode) => {
    await switchTo(mode)
    expect((await deliver()).status).toBe(mode)
  })

  test('429 says when to retry', async () => {
    await switchTo(429, { retry_after_seconds: 7 })
    const answer = await deliver()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
  })

  test('redirect answers with another address', async () => {
    await switchTo('redirect')
    const answer = await deliver()
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/webhooks/moved'])
  })

  test('slow waits before it accepts', async () => {
    await switchTo('slow', { slow_seconds: 1 })
    const began = performance.now()
    expect((await deliver()).status).toBe(200)
    expect(performance.now() - began).toBeGreaterThan(900)
  })

  test('status answers with any error code', async () => {
    await switchTo('status', { status: 403 })
    expect((await deliver()).status).toBe(403)
  })

  test('says-no and not-json answer 200 with a body that does not accept the lead', async () => {
    await switchTo('says-no')
    expect(await (await deliver()).json()).toMatchObject({ success: false })
    await switchTo('not-json')
    const answer = await deliver()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })

  test('fail-next fails a number of requests and then accepts', async () => {
    await switchTo('fail-next', { fail_times: 2 })
    const statuses: number[] = []
    for (const attempt of [1, 2, 3, 4]) statuses.push((await deliver({ attempt })).status)
    expect(statuses).toEqual([500, 500, 200, 200])
    expect((await readState()).failures_left).toBe(0)
    expect((await readOnly())?.arrivals.map((arrival) => arrival.answered)).toEqual([200, 200, 500, 500])
  })

  test('reset cuts the connection', async () => {
    await switchTo('reset')
    await expect(deliver()).rejects.toThrow('fetch failed')
    expect(await readOnly()).toMatchObject({ arrivals: [{ answered: 'reset' }] })
  })

  test('hang never answers, and does not keep the receiver from stopping', async () => {
    const hanging = await openSampleCrm()
    await switchAt(hanging.crm, 'hang')
    const waiting = expect(deliverTo(hanging.crm)).rejects.toThrow('fetch failed')
    await expect.poll(async () => (await readStateOf(hanging.crm)).requests.length).toBe(1)
    await hanging.close()
    await waiting
  })

  test.each([
    ['an unknown name', { mode: 'sleepy' }],
    ['a negative number', { mode: 'slow', slow_seconds: -1 }],
    ['nothing', {}],
  ])('stays the same when given %s', async (_name, body) => {
    const answer = await fetch(`${crm.url}/mode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(422)
    expect((await readState()).answering.mode).toBe('200')
  })

  test('is set by the page’s own form, but not by that of another site', async () => {
    const form = { method: 'POST', body: new URLSearchParams({ mode: '500' }), redirect: 'manual' } as const
    const foreign = await fetch(`${crm.url}/mode`, { ...form, headers: { 'sec-fetch-site': 'cross-site' } })
    expect([foreign.status, (await readState()).answering.mode]).toEqual([403, '200'])
    const own = await fetch(`${crm.url}/mode`, { ...form, headers: { accept: 'text/html' } })
    expect([own.status, (await readState()).answering.mode]).toEqual([303, '500'])
  })
})
