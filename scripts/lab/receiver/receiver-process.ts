import { now } from '../now.ts'
import { statusOf, type Answer } from './give-answer.ts'
import { attemptOf, receiveRequests, type ReceivedRequest } from './receive-requests.ts'
import { CONTROL, type AnswerOrder, type Receipt, type Tally } from './receipt.ts'

/**
 * The clients' endpoints of a chaos run or a benchmark, in a process that is fast enough for both. Every path
 * is an endpoint, answers `ok` until it is told otherwise, and leaves a receipt. RECEIVER_PORT.
 */
const INTENDED = /"intended":"?([\d.]+)/

const orders = new Map<string, Omit<AnswerOrder, 'path'> & { requests: number }>()
let receipts: Receipt[] = []
let tallies = new Map<string, Tally & { ids: Set<string> }>()

const { connections } = await receiveRequests({
  port: Number(process.env['RECEIVER_PORT']),
  // Longer than any pause of a run, so that the sender decides about its connections.
  keepAliveMs: 60_000,
  isEarly: (path) => orders.get(path)?.answer === 'early',
  answer: (request) => (request.path.startsWith(CONTROL) ? obey(request) : receive(request)),
})
console.log('receiver ready')
process.on('SIGTERM', () => process.exit(0))

function receive({ path, headers, rawBody, body }: ReceivedRequest): Answer {
  const at = now()
  const answer = chooseAnswer(path)
  const attempt = attemptOf(headers)
  const deliveryId = String(headers['leadwire-delivery'] ?? '')
  const intended = INTENDED.exec(body)?.[1]
  receipts.push({
    path,
    eventId: String(headers['webhook-id'] ?? ''),
    deliveryId,
    attempt,
    at,
    intended: intended === undefined ? null : Number(intended),
    answered: statusOf(answer, attempt),
    wasCut: answer === 'reset',
  })
  const tally = tallyOf(roomOf(path))
  if (tally.count === 0) tally.first = at
  tally.last = at
  tally.count += 1
  tally.bytes += rawBody.length
  tally.ids.add(deliveryId)
  return answer
}

function chooseAnswer(path: string): Answer {
  const order = orders.get(path)
  if (order === undefined) return 'ok'
  order.requests += 1
  return order.everyTenth !== undefined && order.requests % 10 === 0 ? order.everyTenth : order.answer
}

function obey({ path, body }: ReceivedRequest): Answer {
  const { pathname, searchParams } = new URL(path, 'http://receiver')
  switch (pathname.slice(CONTROL.length)) {
    case 'answers':
      for (const { path: to, ...order } of JSON.parse(body) as AnswerOrder[])
        orders.set(to, { ...order, requests: 0 })
      return 204
    case 'reset':
      receipts = []
      tallies = new Map()
      return 204
    case 'receipts':
      return json(receipts)
    case 'tally': {
      const { ids, ...tally } = tallyOf(searchParams.get('room') ?? '')
      return json({ ...tally, distinct: ids.size })
    }
    case 'connections':
      return json(connections())
    default:
      return 404
  }
}

function json(value: unknown): Answer {
  return { status: 200, body: JSON.stringify(value) }
}

function tallyOf(room: string): Tally & { ids: Set<string> } {
  const known = tallies.get(room)
  if (known !== undefined) return known
  const empty = { first: 0, last: 0, count: 0, distinct: 0, bytes: 0, ids: new Set<string>() }
  tallies.set(room, empty)
  return empty
}

/** The first word of a path; endpoints of one room are counted together. */
function roomOf(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path.slice(1) : path.slice(1, end)
}
