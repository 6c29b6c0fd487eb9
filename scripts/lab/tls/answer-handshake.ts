import {
  constants,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto'
import { createRecordSealer, deriveHandshakeSecrets, expandLabel, hash, hmac, SUITE } from './key-schedule.ts'

const X25519 = 0x001d
/** SignatureScheme; every other scheme here uses SHA-256. */
const ED25519 = 0x0807
const RECORD_BYTES = 16_000
/** Types of records and of handshake messages (RFC 8446 §5.1, §4). */
export const HANDSHAKE = 22
export const APPLICATION_DATA = 23
const SERVER_HELLO = 2
const NEW_SESSION_TICKET = 4
const ENCRYPTED_EXTENSIONS = 8
const CERTIFICATE = 11
const CERTIFICATE_VERIFY = 15
const FINISHED = 20

/** The certificates that a server presents, byte for byte: OpenSSL would refuse to send most of them. */
export interface ShownCertificates {
  /** DER, or other bytes in its place */
  certificates: readonly Buffer[]
  /** the key of the first certificate, if that is whole */
  key: KeyObject
  /** SignatureScheme of RFC 8446 §4.2.3, with which the key signs */
  scheme: number
}

/** A server's whole flight, and the function that encrypts later messages. */
export interface AnsweredHandshake {
  flight: Buffer
  seal: (type: number, content: Buffer) => Buffer
}

/**
 * Answers a ClientHello like a server of TLS 1.3, with X25519 and no checks at all.
 * @param hello the handshake message, without its record's head
 */
export function answerHandshake(
  hello: Buffer,
  { certificates, key, scheme }: ShownCertificates,
): AnsweredHandshake {
  const own = generateKeyPairSync('x25519')
  const { sessionId, share } = readHello(hello)
  const theirs = createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: share.toString('base64url') },
    format: 'jwk',
  })
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey: theirs })
  const ownShare = Buffer.from(own.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const serverHello = message(
    SERVER_HELLO,
    u16(0x0303),
    randomBytes(32),
    u8(sessionId.length),
    sessionId,
    u16(SUITE),
    u8(0),
    vector16(
      extension(0x002b, u16(0x0304)),
      extension(0x0033, Buffer.concat([u16(X25519), vector16(ownShare)])),
    ),
  )
  let transcript = Buffer.concat([hello, serverHello])
  const secrets = deriveHandshakeSecrets(shared, transcript)
  const sealHandshake = createRecordSealer(secrets.server)
  const said: Buffer[] = []
  const say = (part: Buffer): void => {
    said.push(part)
    transcript = Buffer.concat([transcript, part])
  }
  say(message(ENCRYPTED_EXTENSIONS, vector16()))
  const entries = certificates.map((der) => Buffer.concat([vector24(der), vector16()]))
  say(message(CERTIFICATE, u8(0), vector24(...entries)))
  const signed = Buffer.concat([
    Buffer.alloc(64, 0x20),
    Buffer.from('TLS 1.3, server CertificateVerify\0'),
    hash(transcript),
  ])
  say(message(CERTIFICATE_VERIFY, u16(scheme), vector16(signAs(scheme, signed, key))))
  say(message(FINISHED, hmac(expandLabel(secrets.server, 'finished', Buffer.alloc(0), 32), hash(transcript))))
  const flight = Buffer.concat(said)
  const records: Buffer[] = []
  for (let at = 0; at < flight.length; at += RECORD_BYTES)
    records.push(sealHandshake(HANDSHAKE, flight.subarray(at, at + RECORD_BYTES)))
  return {
    flight: Buffer.concat([u8(HANDSHAKE), u16(0x0303), vector16(serverHello), ...records]),
    seal: createRecordSealer(secrets.application(transcript)),
  }
}

/** A ticket that nobody will use (RFC 8446 §4.6.1). */
export function sessionTicket(bytes: number): Buffer {
  return message(
    NEW_SESSION_TICKET,
    u32(7200),
    randomBytes(4),
    u8(1),
    u8(0),
    vector16(randomBytes(bytes)),
    vector16(),
  )
}

function readHello(hello: Buffer): { sessionId: Buffer; share: Buffer } {
  let at = 4 + 2 + 32
  const sessionId = hello.subarray(at + 1, at + 1 + hello.readUInt8(at))
  at += 1 + sessionId.length
  at += 2 + hello.readUInt16BE(at)
  at += 1 + hello.readUInt8(at)
  at += 2
  while (at < hello.length) {
    const type = hello.readUInt16BE(at)
    const content = hello.subarray(at + 4, at + 4 + hello.readUInt16BE(at + 2))
    if (type === 0x0033) return { sessionId, share: readShare(content) }
    at += 4 + content.length
  }
  throw new Error('The client offers no share of a key')
}

function readShare(content: Buffer): Buffer {
  for (let at = 2; at < content.length; at += 4 + content.readUInt16BE(at + 2)) {
    const bytes = content.subarray(at + 4, at + 4 + content.readUInt16BE(at + 2))
    if (content.readUInt16BE(at) === X25519) return bytes
  }
  throw new Error('The client offers no share of X25519')
}

function signAs(scheme: number, content: Buffer, key: KeyObject): Buffer {
  const isPss = key.asymmetricKeyType === 'rsa'
  return sign(scheme === ED25519 ? null : 'sha256', content, {
    key,
    ...(isPss
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : {}),
  })
}

function message(type: number, ...parts: Buffer[]): Buffer {
  return Buffer.concat([u8(type), vector24(...parts)])
}

function extension(type: number, content: Buffer): Buffer {
  return Buffer.concat([u16(type), vector16(content)])
}

function u8(value: number): Buffer {
  return Buffer.from([value])
}

function u16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff])
}

function u32(value: number): Buffer {
  return Buffer.concat([u16(value >>> 16), u16(value & 0xffff)])
}

function vector16(...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([u16(content.length), content])
}

function vector24(...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([u8(content.length >> 16), u16(content.length & 0xffff), content])
}
