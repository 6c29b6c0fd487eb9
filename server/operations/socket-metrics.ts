import { Counter, Gauge, type Registry } from 'prom-client'

/** Metrics of sockets. Labels are classes of messages, never a topic, because their number has no limit. */
export interface SocketMetrics {
  countSockets: (change: 1 | -1) => void
  countChannels: (change: 1 | -1) => void
  /** one message to a client */
  countMessage: (event: string) => void
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
  return {
    countSockets: (change) => sockets.inc(change),
    countChannels: (change) => channels.inc(change),
    countMessage: (event) => messages.inc({ event }),
  }
}
