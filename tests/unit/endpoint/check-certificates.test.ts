import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkCertificates } from '#core/endpoint/tls/check-certificates.ts'
import { createTestAuthority, selfSigned } from '#scripts/chaos/certificate.ts'

const DAY = 24 * 3600 * 1000
const now = new Date()
const authority = createTestAuthority('Example authority')
const own = authority.issue(['leadwire.example.com'])
const other = authority.issue(['leadwire.example.com'])
const expired = authority.issue(['leadwire.example.com'], {
  from: new Date('2024-01-01T00:00:00Z'),
  until: new Date('2025-03-04T00:00:00Z'),
})
const future = authority.issue(['leadwire.example.com'], {
  from: new Date(now.getTime() + DAY),
  until: new Date(now.getTime() + 2 * DAY),
})
const koblitz = selfSigned('crm.example.com', 'secp256k1')
const brainpool = selfSigned('crm.example.com', 'brainpoolP256r1')
const check = (given: { authority?: string; certificate?: string; key?: string }) =>
  checkCertificates({ authority: null, certificate: null, key: null, ...given }, now)
const locked = createPrivateKey(own.key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'example',
})

describe('checkCertificates', () => {
  it('accepts one authority, several, and a self-signed certificate', () => {
    const second = createTestAuthority('Second authority')
    expect(check({ authority: authority.cert })).toEqual([])
    expect(check({ authority: `# first\n${authority.cert}\n${second.cert}` })).toEqual([])
    expect(check({ authority: selfSigned('crm.example.com').cert })).toEqual([])
  })

  it('accepts a certificate with its key, alone, with its chain, and with an authority', () => {
    expect(check({ certificate: own.cert, key: own.key })).toEqual([])
    expect(check({ certificate: own.cert + authority.cert, key: own.key })).toEqual([])
    expect(check({ certificate: own.cert, key: own.key, authority: authority.cert })).toEqual([])
  })

  it.each([
    ['ca_certificate', 'Enter a certificate in PEM form', { authority: 'nonsense' }],
    [
      'ca_certificate',
      'The certificate could not be read',
      { authority: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
    ],
    ['ca_certificate', 'The certificate expired on 2025-03-04', { authority: expired.cert }],
    ['ca_certificate', 'Certificate 2 expired on 2025-03-04', { authority: authority.cert + expired.cert }],
    ['ca_certificate', 'Leave the private key out here', { authority: own.cert + own.key }],
    ['ca_certificate', 'At most 20 certificates', { authority: authority.cert.repeat(21) }],
    [
      'client_certificate',
      'The certificate expired on 2025-03-04',
      { certificate: expired.cert, key: expired.key },
    ],
    [
      'client_certificate',
      'The certificate is valid only from',
      { certificate: future.cert, key: future.key },
    ],
    ['client_certificate', 'Enter a certificate in PEM form', { certificate: own.key, key: own.key }],
    ['client_certificate', 'A private key needs its client certificate', { key: own.key }],
    ['client_key', 'A client certificate needs its private key', { certificate: own.cert }],
    ['client_key', 'does not belong to the client certificate', { certificate: own.cert, key: other.key }],
    ['client_key', 'Enter a private key in PEM form', { certificate: own.cert, key: own.cert }],
    ['ca_certificate', 'has a key that no connection here can use', { authority: koblitz.cert }],
    ['ca_certificate', 'RSA, one of the elliptic curves P-256', { authority: brainpool.cert }],
    ['client_key', 'protected by a passphrase', { certificate: own.cert, key: locked }],
  ])('refuses at %s: %s', (path, words, given) => {
    const errors = check(given)
    expect(errors).toEqual([{ path, message: expect.stringContaining(words) as string }])
    expect(JSON.stringify(errors)).not.toContain('PRIVATE KEY-----\\n')
  })

  it.each([koblitz, brainpool])('refuses a pair on a curve that no connection supports', ({ cert, key }) => {
    expect(check({ certificate: cert, key })).toEqual([
      { path: 'client_certificate', message: expect.stringContaining('P-256, P-384 and P-521') as string },
      { path: 'client_key', message: expect.stringContaining('P-256, P-384 and P-521') as string },
    ])
  })

  it('refuses a key that is too short for OpenSSL', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 512 })
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
    expect(check({ certificate: own.cert, key })).toHaveLength(1)
  })
})
