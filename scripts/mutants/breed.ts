import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { createTestAuthority, selfSigned, type TestCertificate } from '#scripts/chaos/certificate.ts'
import type { ShownCertificates } from '#scripts/lab/tls/answer-handshake.ts'
import { mutate } from './mutate.ts'
import type { Random } from './random.ts'

const ECDSA_P256 = 0x0403
const RSA_PSS = 0x0804
const ECDSA_BRAINPOOL = 0x081a
const HOST = 'localhost'
/** After this many changed certificates comes an unchanged one, so that accepted ones are tried as well. */
const UNCHANGED = 10

/**
 * Supplies randomly changed certificates and chains for a server, and the authorities that trust the
 * unchanged ones.
 */
export interface Breed {
  next: () => ShownCertificates
  /** PEM, as a form accepts them */
  authorities: readonly string[]
  /** a changed certificate, as a form would accept it */
  nextPem: () => string
}

interface Stock {
  certificates: readonly Buffer[]
  key: ShownCertificates['key']
  scheme: number
}

export function createBreed(random: Random): Breed {
  const made: (TestCertificate & { authority: string; scheme: number })[] = []
  for (const [kind, scheme] of [
    ['P-256', ECDSA_P256],
    ['rsa', RSA_PSS],
    ['brainpoolP256r1', ECDSA_BRAINPOOL],
  ] as const) {
    const self = selfSigned(HOST, kind)
    made.push({ ...self, authority: self.cert, scheme })
  }
  for (const curve of ['P-256', 'secp256k1', 'brainpoolP256r1'] as const) {
    const authority = createTestAuthority(`Authority on ${curve}`, curve)
    const names = [HOST, '127.0.0.1', '*.example.com', 'xn--caf-dma.example.com']
    made.push({ ...authority.issue(names), authority: authority.cert, scheme: ECDSA_P256 })
    made.push({ ...authority.issueChain(HOST, 4), authority: authority.cert, scheme: ECDSA_P256 })
  }
  const stocks = made.map(({ cert, key, authority, scheme }): Stock => {
    const pems = `${cert}${authority}`.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []
    return {
      certificates: pems.map((pem) => new X509Certificate(pem).raw),
      key: createPrivateKey(key),
      scheme,
    }
  })
  /** Keeps the first certificate's key whole, so that the handshake goes on and the names are read. */
  const change = ({ certificates, key }: Stock): Buffer[] => {
    const which = random.below(certificates.length)
    const spared =
      random.below(2) === 0 ? createPublicKey(key).export({ type: 'spki', format: 'der' }) : undefined
    return certificates.map((der, index) =>
      index === which ? mutate(der, random, index === 0 ? spared : undefined) : der,
    )
  }

  return {
    authorities: made.map(({ authority }) => authority),
    next: () => {
      const stock = random.pick(stocks)
      return random.below(UNCHANGED) === 0 ? stock : { ...stock, certificates: change(stock) }
    },
    nextPem: () =>
      change(random.pick(stocks))
        .map((der) => `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`)
        .join(''),
  }
}
