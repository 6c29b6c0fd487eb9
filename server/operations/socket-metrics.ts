import { Counter, Gauge, type Registry } from 'prom-client'

/** Metrics of sockets. Labels are classes of messages, never a topic, because their number has no limit. */
export interface SocketMetrics {
  countSockets: (change: 1 | -1) => void
  countChannels: (change: 1 | -1) => void
  /** one message to a client */
  countMessage: (event: string) => void
  /** a handshake that was answered with this status and opened no socket */
  countRefusal: (status: number) => void
  /** a socket that the server closed for what its client did */
  countCut: (why: 'slow' | 'silent' | 'flood' | 'unreadable') => void
}

export function createSocketMetrics(registry: Registry): SocketMetrics {
  const registers = [registry]
  const sockets = new Gauge({ name: 'leadwire_sockets', help: 'Open sockets of channels', registers })
  const channels = new Gauge({ name: 'leadwire_channels', help: 'Joined channels of all sockets', registers })
  const messages = new Counter({
    name: 'leadwire_socket_messages_total',
    help: 'Messages sent on sockets, by event: phx_reply, system, postgres_changes, phx_close, phx_error',
    labelNames: ['event'],
    registers,
  })
  const refused = new Counter({
    name: 'leadwire_sockets_refused_total',
    help: 'Requests for a socket that were refused, by status',
    labelNames: ['status'],
    registers,
  })
  const cut = new Counter({
    name: 'leadwire_sockets_cut_total',
    help: 'Sockets that the server closed, by reason: slow (does not read), silent (sends nothing), flood (sends too much), unreadable',
    labelNames: ['reason'],
    registers,
  })
  return {
    countSockets: (change) => sockets.inc(change),
    countChannels: (change) => channels.inc(change),
    countMessage: (event) => messages.inc({ event }),
    countRefusal: (status) => refused.inc({ status }),
    countCut: (reason) => cut.inc({ reason }),
  }
}
