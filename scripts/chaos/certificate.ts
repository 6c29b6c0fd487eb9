import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { createSlowKey } from './slow-key.ts'

/** A certificate made for one test run; no key is ever kept. */
export interface TestCertificate {
  cert: string
  key: string
}

/** An authority that issues server certificates for a test. */
export interface TestAuthority {
  cert: string
  issue: (names: readonly string[], validity?: Validity) => TestCertificate
  /** With intermediates, so that an endpoint shows this many certificates, its own included. */
  issueChain: (host: string, length: number) => TestCertificate
  /** The same, with keys that take five milliseconds each to verify. */
  issueSlowChain: (host: string, length: number) => TestCertificate
}

interface Validity {
  from: Date
  until: Date
}

interface Party {
  name: string
  privateKey: KeyObject
}

const DAY_MS = 24 * 3600 * 1000
const NOW: Validity = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + DAY_MS) }

// DER tags and object identifiers of RFC 5280: just enough X.509 for OpenSSL to verify it.
const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const UTF8 = 0x0c
const UTC_TIME = 0x17
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const ECDSA_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex')
const RSA_SHA256 = Buffer.from('300d06092a864886f70d01010b0500', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex')
// The whole extension: basicConstraints, critical, CA:TRUE.
const IS_AUTHORITY = Buffer.from('300f0603551d130101ff040530030101ff', 'hex')

/** Curves by Node's names; endpoints may use only the first. */
export type TestCurve = 'P-256' | 'secp256k1' | 'brainpoolP256r1'

/** A new authority. Trust it with tls.setDefaultCACertificates for the duration of a test. */
export function createTestAuthority(name: string, curve: TestCurve = 'P-256'): TestAuthority {
  const { privateKey, publicKey } = newKey(curve)
  const self = { name, privateKey }
  return {
    cert: certificate(self, self.name, publicKey, NOW, IS_AUTHORITY),
    issue: (names, validity = NOW) => issue(self, names, validity),
    issueChain: (host, length) => issueChain(self, host, length, newKey),
    issueSlowChain: (host, length) => {
      const slow = createSlowKey()
      return issueChain(self, host, length, () => slow)
    },
  }
}

function issueChain(
  authority: Party,
  host: string,
  length: number,
  nextKey: () => { privateKey: KeyObject; publicKey: KeyObject },
): TestCertificate {
  const intermediates: string[] = []
  let issuer = authority
  for (let number = 1; number < length; number += 1) {
    const next = { name: `${authority.name} ${number}`, ...nextKey() }
    intermediates.unshift(certificate(issuer, next.name, next.publicKey, NOW, IS_AUTHORITY))
    issuer = next
  }
  const { cert, key } = issue(issuer, [host], NOW)
  return { cert: [cert, ...intermediates].join(''), key }
}

/** A self-signed certificate. `rsa` is for programs that know no other keys. */
export function selfSigned(
  host: string,
  kind: TestCurve | 'rsa' = 'P-256',
  validity = NOW,
  publicExponent = 65_537,
): TestCertificate {
  const { privateKey, publicKey } =
    kind === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent }) : newKey(kind)
  return {
    cert: certificate({ name: host, privateKey }, host, publicKey, validity, altNames([host])),
    key: pem(privateKey),
  }
}

function issue(issuer: Party, names: readonly string[], validity: Validity): TestCertificate {
  const { privateKey, publicKey } = newKey()
  return {
    cert: certificate(issuer, names[0] ?? '', publicKey, validity, altNames(names)),
    key: pem(privateKey),
  }
}

function newKey(namedCurve: TestCurve = 'P-256') {
  return generateKeyPairSync('ec', { namedCurve })
}

function certificate(
  issuer: Party,
  subject: string,
  publicKey: KeyObject,
  validity: Validity,
  extension: Buffer,
): string {
  const algorithm = issuer.privateKey.asymmetricKeyType === 'rsa' ? RSA_SHA256 : ECDSA_SHA256
  const content = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1]), randomBytes(8)),
    algorithm,
    commonName(issuer.name),
    der(SEQUENCE, time(validity.from), time(validity.until)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extension)),
  )
  const signature = sign('sha256', content, issuer.privateKey)
  const whole = der(SEQUENCE, content, algorithm, der(BIT_STRING, Buffer.from([0]), signature))
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`
}

function altNames(names: readonly string[]): Buffer {
  const list = names.map((name) =>
    /^\d+(\.\d+){3}$/.test(name)
      ? der(0x87, Buffer.from(name.split('.').map(Number)))
      : der(0x82, Buffer.from(name)),
  )
  return der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTET_STRING, der(SEQUENCE, ...list)))
}

function commonName(name: string): Buffer {
  return der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from(name)))))
}

function time(at: Date): Buffer {
  return der(UTC_TIME, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`))
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' })
}
