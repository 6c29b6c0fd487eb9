import { createServer } from 'node:http'

/**
 * A client's endpoint for the benchmark: answers 200 after a fixed delay and remembers what came when.
 * GET /stats and /latencies tell, POST /reset forgets. BENCH_PORT, BENCH_DELAY_MS.
 * /bad/hang never answers, /bad/slow answers after 5 s, /bad/reset breaks the connection; none of them is counted.
 * /burst answers as the healthy one does and is counted by itself.
 */
const delayMs = Number(process.env['BENCH_DELAY_MS'] ?? '10')
const INTENDED = /"intended":"?([\d.]+)/

const SLOW_MS = 5000

const nothing = () => ({
  first: 0,
  last: 0,
  count: 0,
  bytes: 0,
  ids: new Set<string>(),
  latencies: Array<[number, number]>(),
  bursts: new Set<string>(),
})
let seen = nothing()

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { first, last, count, bytes, ids, latencies, bursts } = seen
    if (request.url === '/stats') {
      response.end(JSON.stringify({ first, last, count, bytes, distinct: ids.size, bursts: bursts.size }))
    } else if (request.url === '/latencies') {
      response.end(JSON.stringify(latencies))
    } else if (request.url === '/reset') {
      seen = nothing()
      response.end()
    } else if (request.url === '/bad/hang') {
      // The sender gives up.
    } else if (request.url === '/bad/slow') {
      setTimeout(() => response.writeHead(200).end(), SLOW_MS)
    } else if (request.url === '/bad/reset') {
      response.socket?.resetAndDestroy()
    } else {
      const delivery = String(request.headers['leadwire-delivery'] ?? '')
      if (request.url === '/burst') bursts.add(delivery)
      else receive(delivery, Buffer.concat(chunks))
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
        delayMs,
      )
    }
  })
})

function receive(delivery: string, body: Buffer): void {
  const now = performance.timeOrigin + performance.now()
  if (seen.count === 0) seen.first = now
  seen.last = now
  seen.count += 1
  seen.bytes += body.length
  seen.ids.add(delivery)
  const intended = INTENDED.exec(body.toString('latin1'))?.[1]
  if (intended !== undefined) seen.latencies.push([Number(intended), now - Number(intended)])
}

// Longer than any pause of a run, so that it is the sender who decides about its connections.
server.keepAliveTimeout = 60_000
server.listen(Number(process.env['BENCH_PORT']), '127.0.0.1', () => {
  console.log('receiver ready')
})
process.on('SIGTERM', () => process.exit(0))
