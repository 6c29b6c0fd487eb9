import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { connect, createSecureContext, DEFAULT_CIPHERS, type SecureContext, type TLSSocket } from 'node:tls'
import { errors } from 'undici'
import { findCertificateFault, NAME_FAULT } from './certificate-error.ts'
import type { EndpointCertificates } from '../endpoint-access.ts'
import { digestChain, type HandshakeWatch } from './handshakes.ts'
import { matchesName } from './read-certificate.ts'
import { limitSecured } from './received-bytes.ts'

/**
 * Curves and signatures are listed by name, so that a newer OpenSSL adds none unnoticed. The list includes everything
 * that public authorities issue (CA/Browser Forum Baseline Requirements §6.1.5), and Ed25519. The two with a star send
 * a key share at once, as in OpenSSL's own list.
 */
export const CURVES = '*X25519MLKEM768:*X25519:P-256:P-384:P-521'
export const SIGNATURES = [
  'ecdsa_secp256r1_sha256',
  'ecdsa_secp384r1_sha384',
  'ecdsa_secp521r1_sha512',
  'ed25519',
  'ed448',
  'rsa_pss_rsae_sha256',
  'rsa_pss_rsae_sha384',
  'rsa_pss_rsae_sha512',
  'rsa_pss_pss_sha256',
  'rsa_pss_pss_sha384',
  'rsa_pss_pss_sha512',
  'rsa_pkcs1_sha256',
  'rsa_pkcs1_sha384',
  'rsa_pkcs1_sha512',
].join(':')

/** The TLS context of all connections of one pool; made once, because it takes half a millisecond. */
export function createEndpointContext(certificates: EndpointCertificates | null): SecureContext {
  const { authority = null, certificate = null, key = null } = certificates ?? {}
  return createSecureContext({
    minVersion: 'TLSv1.2',
    // With DHE the other side chooses the size of the numbers (RFC 5246 §7.4.3): 8,192 bits took 190 ms.
    ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
    ecdhCurve: CURVES,
    sigalgs: SIGNATURES,
    ...(authority === null ? {} : { ca: authority }),
    ...(certificate === null || key === null ? {} : { cert: certificate, key }),
  })
}

/**
 * Secures an established connection, and judges the certificate.
 * @param host the name or address that was dialled, without brackets
 * @param callback called once
 */
export function secureSocket(
  socket: Socket,
  {
    host,
    context,
    timeoutMs,
    end,
  }: {
    host: string
    context: SecureContext
    timeoutMs: number
    end: ReturnType<HandshakeWatch['begin']>
  },
  callback: (error: Error | null, secured: TLSSocket | null) => void,
): void {
  const secured: TLSSocket = connect({
    socket,
    secureContext: context,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
    // The certificate is still checked: nothing is written before findCertificateFault has accepted it. Node's own
    // refusal would close the socket first, and lose the certificate that tells the client what to mend.
    rejectUnauthorized: false,
    checkServerIdentity: () =>
      matchesName(secured.getPeerX509Certificate(), host)
        ? undefined
        : Object.assign(new Error('The certificate is for another name'), { code: NAME_FAULT }),
  })
  leaveLegacyObject(secured)
  limitSecured(secured, socket)
  const finish = (error: Error | null): void => {
    clearTimeout(late)
    secured.off('error', finish).off('secureConnect', judge)
    end(secured.destroyed ? undefined : digestChain(secured))
    if (error === null) {
      callback(null, secured)
      return
    }
    secured.on('error', () => undefined).destroy()
    callback(error, null)
  }
  const judge = (): void => {
    finish(findCertificateFault(secured) ?? null)
  }
  const late = setTimeout(() => {
    finish(new errors.ConnectTimeoutError())
  }, timeoutMs)
  secured.once('error', finish).once('secureConnect', judge)
}

/**
 * Node 26 ends with SIGSEGV when it puts a key on a curve without a NIST name into this object
 * (docs/operations/node-peer-certificate.md). node:tls itself asks for the object, to hand it to checkServerIdentity.
 */
function leaveLegacyObject(socket: TLSSocket): void {
  Object.defineProperty(socket, 'getPeerCertificate', { value: () => ({}) })
}
