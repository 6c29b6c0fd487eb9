import { createCipheriv, createHash, createHmac } from 'node:crypto'

/** The only supported suite: TLS_AES_128_GCM_SHA256. */
export const SUITE = 0x1301
const HASH_BYTES = 32
const NOTHING = Buffer.alloc(HASH_BYTES)

/** The secrets that both sides know once they have exchanged keys (RFC 8446 §7.1). */
export interface HandshakeSecrets {
  client: Buffer
  server: Buffer
  /** the secret of the server's records after its Finished. @param transcript all messages until then */
  application: (transcript: Buffer) => Buffer
}

export const hash = (data: Buffer): Buffer => createHash('sha256').update(data).digest()
export const hmac = (key: Buffer, data: Buffer): Buffer => createHmac('sha256', key).update(data).digest()

/** @param shared the result of the key exchange @param transcript ClientHello and ServerHello */
export function deriveHandshakeSecrets(shared: Buffer, transcript: Buffer): HandshakeSecrets {
  const early = hmac(NOTHING, NOTHING)
  const handshake = hmac(expandLabel(early, 'derived', hash(Buffer.alloc(0)), HASH_BYTES), shared)
  const context = hash(transcript)
  const master = hmac(expandLabel(handshake, 'derived', hash(Buffer.alloc(0)), HASH_BYTES), NOTHING)
  return {
    client: expandLabel(handshake, 'c hs traffic', context, HASH_BYTES),
    server: expandLabel(handshake, 's hs traffic', context, HASH_BYTES),
    application: (whole) => expandLabel(master, 's ap traffic', hash(whole), HASH_BYTES),
  }
}

/** HKDF-Expand-Label of RFC 8446 §7.1, for at most one block. */
export function expandLabel(secret: Buffer, label: string, context: Buffer, bytes: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`)
  const info = Buffer.concat([
    Buffer.from([0, bytes, name.length]),
    name,
    Buffer.from([context.length]),
    context,
    Buffer.from([1]),
  ])
  return hmac(secret, info).subarray(0, bytes)
}

/** Encrypts records under one secret, each with the next number (RFC 8446 §5.2). */
export function createRecordSealer(secret: Buffer): (type: number, content: Buffer) => Buffer {
  const key = expandLabel(secret, 'key', Buffer.alloc(0), 16)
  const iv = expandLabel(secret, 'iv', Buffer.alloc(0), 12)
  let number = 0n
  return (type, content) => {
    const nonce = Buffer.from(iv)
    nonce.writeBigUInt64BE(nonce.readBigUInt64BE(4) ^ number, 4)
    number += 1n
    const head = Buffer.alloc(5)
    head.writeUInt8(23, 0)
    head.writeUInt16BE(0x0303, 1)
    head.writeUInt16BE(content.length + 17, 3)
    const cipher = createCipheriv('aes-128-gcm', key, nonce)
    cipher.setAAD(head)
    return Buffer.concat([
      head,
      cipher.update(Buffer.concat([content, Buffer.from([type])])),
      cipher.final(),
      cipher.getAuthTag(),
    ])
  }
}
