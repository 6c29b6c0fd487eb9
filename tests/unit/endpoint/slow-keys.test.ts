import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkCertificates } from '#core/endpoint/tls/check-certificates.ts'
import { isSlowToSign, isSlowToVerify } from '#core/endpoint/tls/slow-keys.ts'
import { selfSigned } from '#scripts/chaos/certificate.ts'

const rsa = (modulusLength: number, publicExponent = 65_537n) =>
  ({ asymmetricKeyType: 'rsa', asymmetricKeyDetails: { modulusLength, publicExponent } }) as KeyObject

test.each([
  ['2,048 bits', rsa(2048), false, false],
  ['4,096 bits', rsa(4096), false, false],
  ['more than we sign with', rsa(4097), false, true],
  ['8,192 bits', rsa(8192), false, true],
  ['more than we verify', rsa(8193), true, true],
  ['the exponent 3', rsa(2048, 3n), false, false],
  ['an exponent of the endpoint’s choice', rsa(2048, 65_539n), true, true],
  ['an elliptic curve', generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey, false, false],
])('a key of %s', (_what, key, toVerify, toSign) => {
  expect(isSlowToVerify(key)).toBe(toVerify)
  expect(isSlowToSign(key)).toBe(toSign)
})

test('a key with an unusual exponent is refused when it is saved', () => {
  const slow = selfSigned('localhost', 'rsa', undefined, 65_539)
  expect(isSlowToVerify(createPublicKey(slow.key))).toBe(true)
  const refused = checkCertificates(
    { authority: slow.cert, certificate: slow.cert, key: slow.key },
    new Date(),
  ).map(({ path, message }) => `${path}: ${message}`)
  expect(refused).toEqual([
    'ca_certificate: The certificate has a key that takes too long to verify: use RSA with the exponent 65537, or an elliptic curve',
    'client_certificate: The certificate has a key that takes too long to verify: use RSA with the exponent 65537, or an elliptic curve',
    'client_key: This private key takes too long to sign with: use RSA of at most 4,096 bits, or an elliptic curve',
  ])
  const usual = selfSigned('localhost', 'rsa')
  expect(
    checkCertificates({ authority: usual.cert, certificate: usual.cert, key: usual.key }, new Date()),
  ).toEqual([])
})
