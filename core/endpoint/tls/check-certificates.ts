import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { FieldError } from '../../contract/problem.ts'
import type { EndpointCertificates } from '../endpoint-access.ts'
import { isSlowToSign, isSlowToVerify } from './slow-keys.ts'

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g
const MAX_CERTIFICATES = 20
/** OpenSSL's names of P-256, P-384 and P-521. */
const USABLE_CURVES: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1'])
const USABLE_KEYS: ReadonlySet<string> = new Set(['rsa', 'rsa-pss', 'ed25519', 'ed448'])
const UNUSABLE =
  'no connection here can use: use RSA, one of the elliptic curves P-256, P-384 and P-521, or Ed25519'

/**
 * Refuses certificates that could never make a connection at save, so that no lead has to wait to find out.
 * @returns one error for each fault, with the field's name in the API as `path`; never quotes a key
 */
export function checkCertificates(given: EndpointCertificates, now: Date): FieldError[] {
  const errors: FieldError[] = []
  const refuse = (path: string, message: string): void => {
    errors.push({ path, message })
  }
  if (given.authority !== null) {
    readCertificates(given.authority, now, (message) => {
      refuse('ca_certificate', message)
    })
  }
  if (given.certificate !== null && given.key === null)
    refuse('client_key', 'A client certificate needs its private key')
  if (given.key !== null && given.certificate === null)
    refuse('client_certificate', 'A private key needs its client certificate')
  if (given.certificate !== null && given.key !== null) checkPair(given.certificate, given.key, now, refuse)
  if (errors.length === 0) checkTogether(given, refuse)
  return errors
}

type Refuse = (path: string, message: string) => void

function checkPair(certificate: string, key: string, now: Date, refuse: Refuse): void {
  const [own] = readCertificates(certificate, now, (message) => {
    refuse('client_certificate', message)
  })
  const read = readKey(key)
  if (typeof read === 'string') refuse('client_key', read)
  else if (!isUsable(read)) refuse('client_key', `This private key ${UNUSABLE}`)
  else if (isSlowToSign(read))
    refuse(
      'client_key',
      'This private key takes too long to sign with: use RSA of at most 4,096 bits, or an elliptic curve',
    )
  else if (own !== undefined && !own.checkPrivateKey(read)) {
    refuse('client_key', 'This private key does not belong to the client certificate')
  }
}

function readCertificates(pem: string, now: Date, refuse: (message: string) => void): X509Certificate[] {
  const texts = pem.match(PEM_CERTIFICATE) ?? []
  if (texts.length === 0) {
    refuse('Enter a certificate in PEM form: it begins with -----BEGIN CERTIFICATE-----')
    return []
  }
  if (pem.includes('PRIVATE KEY-----')) {
    refuse('Leave the private key out here')
    return []
  }
  if (texts.length > MAX_CERTIFICATES) {
    refuse(`At most ${MAX_CERTIFICATES} certificates can be given`)
    return []
  }
  const certificates: X509Certificate[] = []
  for (const [index, text] of texts.entries()) {
    const which = texts.length === 1 ? 'The certificate' : `Certificate ${index + 1}`
    const read = readCertificate(text)
    if (read === undefined) refuse(`${which} could not be read`)
    else if (read.validToDate <= now) refuse(`${which} expired on ${day(read.validToDate)}`)
    else if (read.validFromDate > now) refuse(`${which} is valid only from ${day(read.validFromDate)}`)
    else if (!isUsable(keyOf(read))) refuse(`${which} has a key that ${UNUSABLE}`)
    else if (isSlowToVerify(read.publicKey))
      refuse(
        `${which} has a key that takes too long to verify: use RSA with the exponent 65537, or an elliptic curve`,
      )
    else certificates.push(read)
  }
  return certificates
}

/** undefined if OpenSSL does not know the key; Node throws then. */
function keyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey
  } catch {
    return undefined
  }
}

/** Whether connections to endpoints may be made with this key (core/endpoint/tls/secure-socket.ts). */
function isUsable(key: KeyObject | undefined): boolean {
  if (key?.asymmetricKeyType === 'ec') return USABLE_CURVES.has(key.asymmetricKeyDetails?.namedCurve ?? '')
  return USABLE_KEYS.has(key?.asymmetricKeyType ?? '')
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

function readKey(pem: string): KeyObject | string {
  if (/-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(pem)) {
    return 'The private key is protected by a passphrase. Enter it without one; it is stored encrypted'
  }
  try {
    return createPrivateKey(pem)
  } catch {
    return 'Enter a private key in PEM form: it begins with -----BEGIN PRIVATE KEY-----'
  }
}

/** OpenSSL may refuse a certificate that parses, for example because its key is too short. */
function checkTogether({ authority, certificate, key }: EndpointCertificates, refuse: Refuse): void {
  try {
    createSecureContext({
      ...(authority === null ? {} : { ca: authority }),
      ...(certificate === null || key === null ? {} : { cert: certificate, key }),
    })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    refuse(
      certificate === null ? 'ca_certificate' : 'client_certificate',
      `This cannot be used for a secure connection${code}`,
    )
  }
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}
