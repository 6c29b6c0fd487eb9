import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Socket } from 'node:net'
import { isAddressLiteral } from './dial.ts'
import { BlockedAddressError, type AddressGuard } from './guard-address.ts'

/** Agents of node:http and node:https that dial only what the guard allows; each request has a connection of its own. */
export interface GuardedAgents {
  http: HttpAgent
  https: HttpsAgent
}

/** For the calls that got makes (docs/decisions/0002): the same guard, at the same moment, as for an endpoint. */
export function createGuardedAgents(guard: AddressGuard): GuardedAgents {
  const options = { keepAlive: false, lookup: guard.lookup, minVersion: 'TLSv1.2' } as const
  return {
    http: guardDialling(new HttpAgent(options), guard),
    https: guardDialling(new HttpsAgent(options), guard),
  }
}

function guardDialling<A extends HttpAgent>(agent: A, guard: AddressGuard): A {
  const dial = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    // lookup is never asked about a literal.
    const host = (options.host ?? '').replace(/^\[|\]$/g, '')
    if (isAddressLiteral(host) && !guard.isAllowed(host)) {
      return new Socket().destroy(new BlockedAddressError(host))
    }
    const socket = dial(options, callback)
    if (socket instanceof Socket) {
      socket.once('connect', () => {
        const address = socket.remoteAddress
        if (address !== undefined && !guard.isAllowed(address)) {
          socket.destroy(new BlockedAddressError(address))
        }
      })
    }
    return socket
  }
  return agent
}
