import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { prepareRequest, type RequestSettings } from '#core/endpoint/prepare-request.ts'
import { createSigningSecret, signPayload } from '#core/endpoint/sign.ts'

// The library refuses timestamps more than five minutes from its own clock.
const sentAt = new Date()
const timestamp = Math.floor(sentAt.getTime() / 1000)

const verify = (secret: string, signature: string, body: string, id = 'evt-1'): unknown =>
  new Webhook(secret).verify(body, {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  })

describe('signPayload', () => {
  it('makes secrets of 32 random bytes, never the same', () => {
    const secrets = Array.from({ length: 100 }, createSigningSecret)
    expect(new Set(secrets).size).toBe(100)
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  })

  it.each(['{"a":1}', '', '{"name":"Zoë 😀 שלום"}', '{"a":"\\ud800"}', 'a=b&c=%F0%9F'])(
    'signs %j so that the Standard Webhooks library verifies it',
    (body) => {
      const secret = createSigningSecret()
      const signature = signPayload([secret], 'evt-1', timestamp, body)
      expect(signature).toBe(new Webhook(secret).sign('evt-1', new Date(timestamp * 1000), body))
    },
  )

  it('agrees with the example of the Standard Webhooks specification', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    expect(signPayload([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}')).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  it('is verified with either secret while two overlap, and with no other', () => {
    const [current, old, other] = [createSigningSecret(), createSigningSecret(), createSigningSecret()]
    const signature = signPayload([current, old], 'evt-1', timestamp, '{"a":1}')
    expect(signature.split(' ')).toHaveLength(2)
    expect(verify(current, signature, '{"a":1}')).toEqual({ a: 1 })
    expect(verify(old, signature, '{"a":1}')).toEqual({ a: 1 })
    expect(() => verify(other, signature, '{"a":1}')).toThrow()
  })

  it('covers the id, the time and every byte of the body', () => {
    const secret = createSigningSecret()
    const signature = signPayload([secret], 'evt-1', timestamp, '{"a":1}')
    expect(() => verify(secret, signature, '{"a":2}')).toThrow()
    expect(() => verify(secret, signature, '{"a":1} ')).toThrow()
    expect(() => verify(secret, signature, '{"a":1}', 'evt-2')).toThrow()
    expect(signPayload([secret], 'evt-1', timestamp + 1, '{"a":1}')).not.toBe(signature)
  })
})

describe('prepareRequest', () => {
  const secret = createSigningSecret()
  const settings: RequestSettings = {
    endpointUrl: 'https://crm.example.com/hook?key=1',
    method: 'PATCH',
    payloadType: 'JSON',
    template: compileTemplate('{"lead":"{{id}}","event":"{{event}}","nr":1.0}'),
    missingValues: 'empty',
    answerRules: { successRule: null, capturePath: null },
    customHeaders: { Authorization: 'Bearer abc', 'X-Mixed-Case': 'Müller' },
    signingSecrets: [secret],
  }
  const identity = {
    event: 'lead.assigned',
    eventId: 'evt-1',
    deliveryId: 'dlv-1',
    attempt: 3,
    sentAt,
  } as const
  const prepare = (change: Partial<RequestSettings> = {}) =>
    prepareRequest(
      { ...settings, ...change },
      identity,
      sampleValues('lead.assigned', sentAt),
      'https://leadwire.example.com',
    )

  it('sets every header of the contract and keeps the client’s own', () => {
    const { headers, ...request } = prepare()
    expect(request).toMatchObject({ url: settings.endpointUrl, method: 'PATCH' })
    expect(request.body).toBe(
      '{"lead":"00000000-0000-7000-8000-000000000001","event":"lead.assigned","nr":1.0}',
    )
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Leadwire-Webhooks/1 (+https://leadwire.example.com/documentation)',
      Authorization: 'Bearer abc',
      'X-Mixed-Case': 'Müller',
      'webhook-id': 'evt-1',
      'webhook-timestamp': String(timestamp),
      'leadwire-event': 'lead.assigned',
      'leadwire-delivery': 'dlv-1',
      'leadwire-attempt': '3',
    })
    expect(verify(secret, headers['webhook-signature'] ?? '', request.body)).toMatchObject({ nr: 1 })
  })

  it('uses a custom User-Agent or Accept header in place of ours, in any case, once', () => {
    const { headers } = prepare({ customHeaders: { 'USER-AGENT': 'Mine/1', Accept: 'application/json' } })
    expect(headers).toMatchObject({ 'user-agent': 'Mine/1', accept: 'application/json' })
    const names = Object.keys(headers).map((name) => name.toLowerCase())
    expect(new Set(names).size).toBe(names.length)
  })

  it('signs the bytes of a form', () => {
    const { headers, body } = prepare({ payloadType: 'FORM' })
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(headers['webhook-signature']).toBe(signPayload([secret], 'evt-1', timestamp, body))
    expect(body).toBe('lead=00000000-0000-7000-8000-000000000001&event=lead.assigned&nr=1.0')
  })
})
