import { createPrivateKey, createPublicKey, verify as verifyBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { prepareRequest, type RequestSettings } from '#core/endpoint/prepare-request.ts'
import { deriveSigningKey, signAsymmetric, writePublicKey } from '#core/endpoint/sign-asymmetric.ts'
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

describe('signAsymmetric', () => {
  const seed = Buffer.alloc(32, 7)
  const key = deriveSigningKey(seed, '01A0AEB7-3d5c-7000-8000-4b8a5c1d2e3f')
  /** As a receiver does it: with nothing but the text of the public key. */
  const isGenuine = (publicKey: string, signature: string, said: string): boolean => {
    const x = Buffer.from(publicKey.replace('whpk_', ''), 'base64').toString('base64url')
    const given = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const [version, text = ''] = signature.split(',')
    return version === 'v1a' && verifyBytes(null, Buffer.from(said), given, Buffer.from(text, 'base64'))
  }

  it('is verified with the public key over the id, the time and the bytes, and by no other key', () => {
    const [signature = ''] = signAsymmetric([key], 'evt-1', timestamp, '{"a":"Zoë"}')
    const publicKey = writePublicKey(key)
    expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/)
    expect(isGenuine(publicKey, signature, `evt-1.${timestamp}.{"a":"Zoë"}`)).toBe(true)
    expect(isGenuine(publicKey, signature, `evt-1.${timestamp}.{"a":"Zoe"}`)).toBe(false)
    const other = writePublicKey(deriveSigningKey(seed, '01a0aeb7-3d5c-7000-8000-4b8a5c1d2e40'))
    expect(isGenuine(other, signature, `evt-1.${timestamp}.{"a":"Zoë"}`)).toBe(false)
  })

  it('has the same key for the same webhook, and agrees with RFC 8032 §7.1', () => {
    expect(writePublicKey(deriveSigningKey(seed, '01a0aeb7-3d5c-7000-8000-4b8a5c1d2e3f'))).toBe(
      writePublicKey(key),
    )
    const secret = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
    const known = createPrivateKey({
      key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]),
      format: 'der',
      type: 'pkcs8',
    })
    expect(writePublicKey(known)).toBe(
      `whpk_${Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex').toString('base64')}`,
    )
  })

  it('stands beside HMAC in one header, in which the Standard Webhooks library finds its own', () => {
    const body = '{"a":1}'
    const secret = createSigningSecret()
    const both = [
      signPayload([secret], 'evt-1', timestamp, body),
      ...signAsymmetric([key], 'evt-1', timestamp, body),
    ]
    expect(verify(secret, both.toReversed().join(' '), body)).toEqual({ a: 1 })
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
