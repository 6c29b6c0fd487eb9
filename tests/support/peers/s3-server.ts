import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Settings } from '#core/config/file-variables.ts'

/** A fault that a request meets instead of its usual answer. */
export type S3Fault =
  | { status: number; code?: string; headers?: Record<string, string> }
  /** the connection breaks: before an answer, or after half of the body of one */
  | 'breaks'
  | 'breaks-half-way'
  /** no answer at all */
  | 'hangs'

/** An S3-compatible service on the loopback that checks signatures (AWS Signature Version 4) and hashes. */
export interface S3Server {
  settings: S3Settings
  /** objects by key */
  objects: Map<string, Buffer>
  /** method, status and key of each request, oldest first; status 0 is no answer */
  requests: { method: string; key: string; status: number }[]
  /** faults of the next requests, in order */
  fail: (...faults: S3Fault[]) => void
  /** a fault of every request from now on; undefined ends it */
  failAlways: (fault: S3Fault | undefined) => void
  close: () => Promise<void>
}

const BUCKET = 'leadwire-files'
const REGION = 'eu-test-1'

export async function startS3Server(): Promise<S3Server> {
  const keys = { keyId: 'AKIATEST', secret: 'a secret of the test' }
  const faults: S3Fault[] = []
  let always: S3Fault | undefined
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const prefix = `/${BUCKET}/`
    const key = url.pathname.slice(prefix.length)
    const noted = { method: request.method ?? '', key, status: 0 }
    s3.requests.push(noted)
    const tell = (status: number, body: Buffer | string = '', headers: Record<string, string> = {}): void => {
      noted.status = status
      response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    const refuse = (status: number, code: string): void => tell(status, `<Error><Code>${code}</Code></Error>`)
    const fault = faults.shift() ?? always
    if (fault === 'breaks') return void request.socket.destroy()
    if (fault === 'hangs') return
    const body = await readAll(request)
    if (typeof fault === 'object')
      return tell(fault.status, `<Error><Code>${fault.code ?? 'Oops'}</Code></Error>`, fault.headers)
    if (!url.pathname.startsWith(prefix)) return refuse(404, 'NoSuchBucket')
    if (!isSigned(request, url, keys)) return refuse(403, 'SignatureDoesNotMatch')
    const hash = createHash('sha256').update(body).digest('hex')
    if (hash !== request.headers['x-amz-content-sha256']) return refuse(400, 'XAmzContentSHA256Mismatch')
    const found = s3.objects.get(key)
    if (request.method === 'PUT') {
      if (request.headers['content-length'] === undefined && body.length > 0)
        return refuse(411, 'MissingContentLength')
      s3.objects.set(key, body)
      return tell(200)
    }
    if (request.method === 'DELETE') {
      s3.objects.delete(key)
      return tell(204)
    }
    if (found === undefined) return refuse(404, 'NoSuchKey')
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const part = found.subarray(Number(from ?? 0), to === undefined || to === '' ? undefined : Number(to) + 1)
    const status = from === undefined ? 200 : 206
    if (fault === 'breaks-half-way') {
      response.writeHead(status, { 'content-length': part.length })
      response.write(part.subarray(0, Math.floor(part.length / 2)), () => request.socket.destroy())
      return undefined
    }
    return tell(status, part)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const s3: S3Server = {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: BUCKET,
      region: REGION,
      ...keys,
      pathStyle: true,
    },
    objects: new Map(),
    requests: [],
    fail: (...next) => void faults.push(...next),
    failAlways: (fault) => {
      always = fault
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return s3
}

/** Makes the signature again from the request, as AWS documents it, and compares. */
function isSigned(
  request: IncomingMessage,
  url: URL,
  { keyId, secret }: { keyId: string; secret: string },
): boolean {
  const { headers } = request
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([\da-f]{64})$/
  const [, id, day, region, names, signature] = form.exec(headers.authorization ?? '') ?? []
  const date = String(headers['x-amz-date'])
  if (
    id !== keyId ||
    region !== REGION ||
    day === undefined ||
    names === undefined ||
    signature === undefined
  )
    return false
  const signed = names.split(';')
  if (!signed.includes('host') || !signed.includes('x-amz-content-sha256') || !date.startsWith(day))
    return false
  const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()
  const canonical = [
    request.method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .toSorted()
      .join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  )
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secret}`)
  return timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'))
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
