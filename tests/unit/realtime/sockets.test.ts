import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { SOCKETS } from '#server/admission/limits.ts'
import { serveSocket, type SocketContext } from '#server/realtime/sockets/serve-socket.ts'
import { createSocketPlaces, type SocketPlace } from '#server/realtime/sockets/socket-places.ts'

test('a socket whose client sends nothing for a minute is closed, and one that sends is not', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [ws] = (await once(server, 'connection')) as [WebSocket]
  if (client.readyState !== WebSocket.OPEN) await once(client, 'open')
  const cut: string[] = []
  const metrics = { countMessage: () => undefined, countCut: (why: string) => cut.push(why) }
  const place = createSocketPlaces().take({ name: 'network', isStranger: true }) as SocketPlace
  const socket = serveSocket(
    { metrics } as unknown as SocketContext,
    ws,
    { version: '2.0.0', key: 'public' },
    { place, countFor: () => true },
  )
  socket.closeIfSilent(performance.now() + SOCKETS.silentMs - 1000)
  client.send('[null,"1","phoenix","heartbeat",{}]')
  await once(client, 'message')
  expect(cut).toEqual([])
  socket.closeIfSilent(performance.now() + SOCKETS.silentMs + 1)
  await once(client, 'close')
  expect(cut).toEqual(['silent'])
  server.close()
})

test('a place counts its socket and channels for whoever it was moved to, and frees them once', () => {
  const places = createSocketPlaces()
  const stranger = { name: '203.0.113.0/24', isStranger: true }
  const account = { name: 'account', isStranger: false }
  const taken = Array.from({ length: SOCKETS.ofBlock }, () => places.take(stranger) as SocketPlace)
  expect(places.take(stranger)).toBeUndefined()
  const [first, second] = taken as [SocketPlace, SocketPlace]
  expect([first.addChannel(), first.moveTo(account), first.name()]).toEqual([true, true, 'account'])
  expect(places.take(stranger)).toBeDefined()
  expect(places.take(stranger)).toBeUndefined()
  for (let count = 1; count < SOCKETS.channelsOfSender; count += 1) expect(first.addChannel()).toBe(true)
  expect([first.addChannel(), second.addChannel()]).toEqual([false, true])
  first.removeChannel()
  expect(first.addChannel()).toBe(true)
  second.free()
  second.free()
  expect(places.take(stranger)).toBeDefined()
  expect(places.take(stranger)).toBeUndefined()
})
