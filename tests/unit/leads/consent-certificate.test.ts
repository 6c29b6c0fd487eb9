import { expect, test } from 'vitest'
import { isTrustedFormCertificate } from '#core/contract/leads/consent-certificate.ts'
import { expireCertificate } from '#core/domain/leads/expire-certificate.ts'
import { sayExpiry } from '#web/leads/consent/say-expiry.ts'

const HEX = '2605ec3a321e1b3a41addf0bba1213505ef57985'
const URL = `https://cert.trustedform.com/${HEX}`

test.each([
  [URL, true],
  [`HTTPS://CERT.TrustedForm.com/${HEX.toUpperCase()}`, true],
  [`http://cert.trustedform.com/${HEX}`, false],
  [`https://cert.trustedform.com.example.com/${HEX}`, false],
  [`https://cert.trustedform.com@example.com/${HEX}`, false],
  [`https://example.com/?https://cert.trustedform.com/${HEX}`, false],
  [`https://cert.trustedform.com:8443/${HEX}`, false],
  [`${URL}?next=https://example.com`, false],
  [`${URL}/`, false],
  [`${URL}\n`, false],
  [URL.slice(0, -1), false],
  [`https://cert.trustedform.com/${'z'.repeat(40)}`, false],
])('%j is a certificate of TrustedForm: %s', (url, isOne) => {
  expect(isTrustedFormCertificate(url)).toBe(isOne)
})

const lead = {
  trustedform_cert_url: URL,
  trustedform_expires_at: null,
  consent_at: '2026-01-01T12:00:00Z',
  created_at: new Date('2026-01-03T12:00:00Z'),
}

test('a certificate ends when its source says, otherwise 90 days after the consent or the lead’s arrival, whichever is first', () => {
  expect(expireCertificate({ ...lead, trustedform_expires_at: '2027-05-01 00:00:00+02' })).toBe(
    '2027-04-30T22:00:00.000Z',
  )
  expect(expireCertificate(lead)).toBe('2026-04-01T12:00:00.000Z')
  expect(expireCertificate({ ...lead, consent_at: null })).toBe('2026-04-03T12:00:00.000Z')
  expect(expireCertificate({ ...lead, consent_at: '2031-01-01T00:00:00Z' })).toBe('2026-04-03T12:00:00.000Z')
  expect(expireCertificate({ ...lead, trustedform_cert_url: null })).toBeNull()
})

test('the end of a certificate is shown in days, or as expired', () => {
  const ends = '2026-04-01T12:00:00.000Z'
  const say = (now: string) => sayExpiry(ends, Date.parse(now))

  expect(say('2026-01-28T12:00:00Z')).toBe('Expires in 63 days, on Apr 1, 2026, unless somebody retains it')
  expect(say('2026-03-31T12:00:00Z')).toBe('Expires in 1 day, on Apr 1, 2026, unless somebody retains it')
  expect(say('2026-04-01T11:59:00Z')).toBe('Expires within a day, on Apr 1, 2026, unless somebody retains it')
  expect(say(ends)).toBe('Expired on Apr 1, 2026, unless somebody retained it')
})
