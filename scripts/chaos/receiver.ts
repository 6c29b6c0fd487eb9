import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { giveAnswer, statusOf, type Behaviour } from './behaviours.ts'
import type { Receipt } from './ledger.ts'

/**
 * The clients' endpoints in a chaos run, and their ledger. POST /e/<n> is endpoint n; POST /behave changes how it answers;
 * GET /ledger tells everything that came. CHAOS_PORT.
 */
const INTENDED = /"intended":"?([\d.]+)/
const ORDER = '/behave'

const receipts: Receipt[] = []
const behaviours = new Map<number, Behaviour>()
let connections = 0

const server = createServer((request, response) => {
  const { url = '' } = request
  if (url === '/ledger') response.end(JSON.stringify(receipts))
  else if (url === '/connections') response.end(String(connections))
  else if (url === ORDER) takeOrder(request, response)
  else receive(request, response)
})

function takeOrder(request: IncomingMessage, response: ServerResponse): void {
  readBody(request, (body) => {
    const orders = JSON.parse(body) as Array<{ endpoint: number; behaviour: Behaviour }>
    for (const { endpoint, behaviour } of orders) behaviours.set(endpoint, behaviour)
    response.end()
  })
}

function receive(request: IncomingMessage, response: ServerResponse): void {
  const endpoint = Number(/^\/e\/(\d+)/.exec(request.url ?? '')?.[1] ?? '-1')
  const behaviour = behaviours.get(endpoint) ?? 'ok'
  const attempt = Number(request.headers['leadwire-attempt'] ?? '0')
  const note = (body: string): void => {
    const intended = INTENDED.exec(body)?.[1]
    receipts.push({
      endpoint,
      eventId: String(request.headers['webhook-id'] ?? ''),
      deliveryId: String(request.headers['leadwire-delivery'] ?? ''),
      attempt,
      at: performance.timeOrigin + performance.now(),
      intended: intended === undefined ? null : Number(intended),
      answered: statusOf(behaviour, attempt),
      wasCut: behaviour === 'reset',
    })
  }
  if (behaviour === 'early') {
    note('')
    giveAnswer(behaviour, attempt, response)
    return
  }
  readBody(request, (body) => {
    note(body)
    giveAnswer(behaviour, attempt, response)
  })
}

function readBody(request: IncomingMessage, then: (body: string) => void): void {
  const chunks: Buffer[] = []
  request.on('error', () => undefined)
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    then(Buffer.concat(chunks).toString('utf8'))
  })
}

server.on('connection', (socket) => {
  connections += 1
  socket.on('error', () => undefined)
  socket.on('close', () => {
    connections -= 1
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.env['CHAOS_PORT']), '127.0.0.1', () => {
  console.log('receiver ready')
})
process.on('SIGTERM', () => process.exit(0))
