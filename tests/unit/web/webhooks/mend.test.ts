import { describeCancellation } from '#web/components/webhook-log-cells.ts'
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { judgeDelivery, plannedAttempt } from '#core/domain/webhooks/judge-delivery.ts'
import { canCancel, offerResend } from '#web/webhooks/logs/offer-actions.ts'
import { describeNoRequest, describeNoResponse } from '#web/webhooks/logs/describe-absence.ts'
import { writeCurl } from '#web/webhooks/attempt/write-curl.ts'

describe('an attempt as a cURL command', () => {
  /** Returns the arguments that a real shell passes to curl. */
  const argumentsOf = (command: string) =>
    execFileSync('sh', ['-c', `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${command}`])
      .toString()
      .split('\0')
      .slice(0, -1)

  it('passes every byte through the shell unchanged', () => {
    const body = `{"name":"O'Hara \\"Kim\\"","note":"a\nb\r\n$HOME \`id\` $(id) !! \\\\ ünïcode 漢字 🙂 ''' '"}`
    const url = `https://crm.example.com/leads?q=it's&list[0]={a,b}&x=$PATH`
    const headers = { 'X-Note': `say 'hi' "there" \`id\` $HOME`, 'X-Key': '••••1234', 'X-Empty': '' }

    expect(argumentsOf(writeCurl({ method: 'POST', url, headers, body }))).toEqual([
      '--globoff',
      '--request',
      'POST',
      url,
      '--header',
      `X-Note: say 'hi' "there" \`id\` $HOME`,
      '--header',
      'X-Key: ••••1234',
      '--header',
      'X-Empty;',
      '--data-raw',
      body,
    ])
  })

  it('leaves out the headers that curl derives from the address and the body', () => {
    const headers = { Host: 'crm.example.com', 'content-length': '2', 'content-type': 'application/json' }
    const command = writeCurl({ method: 'PUT', url: 'https://crm.example.com/', headers, body: '{}' })

    expect(argumentsOf(command).filter((one) => one.includes(': '))).toEqual([
      'content-type: application/json',
    ])
  })
})

describe('an attempt without a request', () => {
  const row = { bodies: 'none', bodies_kept_days: 30, delivery_state: 'held', is_latest: true } as const

  it('is still to come while its delivery is held or pending', () => {
    const unanswered = { response_status: null, error_class: null, remote_address: null, timing: null }
    expect(describeNoResponse({ ...row, ...unanswered })).toBe('The request has not been sent yet.')
    expect(describeNoRequest({ ...row, delivery_state: 'pending' })).toBe(
      'The request has not been sent yet.',
    )
  })

  it('was never sent once its delivery is cancelled', () => {
    expect(describeNoRequest({ ...row, delivery_state: 'cancelled' })).toBe('The request was never sent.')
  })
})

describe('the actions for a row of the log', () => {
  const now = new Date('2026-11-21T10:00:00Z')
  const later = '2026-11-21T11:00:00Z'
  const row = {
    delivery_status: 'failed',
    delivery_state: 'failed',
    is_sending: false,
    is_sent_again: false,
    is_latest: true,
    is_resent: false,
    next_attempt_at: null,
  } as const
  const offer = (changes: Partial<Parameters<typeof offerResend>[0]>, isActive = true) =>
    offerResend({ ...row, ...changes }, isActive, now).kind

  it('offer a new delivery after a final failure or a cancellation, and ask first after a success', () => {
    expect(offer({})).toBe('again')
    expect(offer({ delivery_status: 'cancelled', delivery_state: 'cancelled' })).toBe('again')
    expect(offer({ delivery_state: 'delivered' })).toBe('delivered')
  })

  it('offer Send now for a planned or held delivery', () => {
    expect(offer({ delivery_state: 'pending', next_attempt_at: later })).toBe('now')
    expect(offer({ delivery_status: 'pending', delivery_state: 'held' })).toBe('now')
  })

  it('offer nothing, with a reason, for a delivery in flight or without a webhook', () => {
    expect(offer({ is_sending: true })).toBe('refused')
    expect(offer({ is_sent_again: true })).toBe('refused')
    expect(offer({ delivery_status: 'pending', delivery_state: 'pending', next_attempt_at: later })).toBe(
      'refused',
    )
    expect(offer({ delivery_state: 'pending', next_attempt_at: now.toISOString() })).toBe('refused')
    expect(offer({}, false)).toBe('refused')
  })

  it('offer nothing for an attempt that another followed, and for a delivery that was resent', () => {
    expect(offer({ is_latest: false, delivery_state: 'delivered' })).toBe('refused')
    expect(offer({ is_resent: true })).toBe('refused')
    const past = '2026-11-21T09:00:00Z'
    const superseded = {
      ...row,
      is_latest: false,
      delivery_state: 'delivered',
      next_attempt_at: past,
    } as const
    expect(judgeDelivery(superseded)).toBe('superseded')
    expect(plannedAttempt(superseded)).toBeNull()
  })

  it('offer Cancel only for unfinished deliveries', () => {
    const states = ['pending', 'held', 'delivered', 'failed', 'cancelled', null] as const
    expect(states.filter((delivery_state) => canCancel({ delivery_state }))).toEqual(['pending', 'held'])
  })
})

it('a cancelled row names who cancelled it and before which attempt', () => {
  expect(describeCancellation({ cancelled_by: 'client', attempt_number: 3 })).toBe(
    'Cancelled by you before attempt 3 was made.',
  )
  expect(describeCancellation({ cancelled_by: 'administrator', attempt_number: 1 })).toBe(
    'Cancelled by an administrator before it was sent.',
  )
  expect(describeCancellation({ cancelled_by: null, attempt_number: 1 })).toBe(
    'Cancelled before it was sent.',
  )
})
