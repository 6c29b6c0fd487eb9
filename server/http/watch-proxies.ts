import type { RequestHandler } from 'express'
import type { Logger } from '#core/telemetry/logger.ts'
import { findUnknownProxy } from '../identity/find-unknown-proxy.ts'

/** The log says it again after this time, while such requests go on. */
const AGAIN_MS = 600_000
/** A network of proxies with more addresses than this is named by what is known. */
const MOST_PEERS = 10

/** Proxies that forward requests, though TRUST_PROXY does not name them. */
export interface ProxyWatch {
  /** before every other handler: it only looks */
  watch: RequestHandler
  /** their addresses since the process started */
  seen: () => string[]
}

/** @param now milliseconds of a monotonic clock */
export function createProxyWatch(logger: Logger, now: () => number): ProxyWatch {
  const peers = new Set<string>()
  let sayAt = Number.NEGATIVE_INFINITY
  return {
    watch: (request, _response, next) => {
      const found = findUnknownProxy(request)
      if (found !== undefined) {
        if (peers.size < MOST_PEERS) peers.add(found.peer)
        if (now() >= sayAt) {
          sayAt = now() + AGAIN_MS
          const set = `TRUST_PROXY=${[...peers].join(',')}`
          logger.error(
            { proxies: [...peers], set },
            'a proxy forwards requests, but TRUST_PROXY does not name it, so everybody behind it counts as one person; if it is yours, set TRUST_PROXY to its address on every server and restart them',
          )
        }
      }
      next()
    },
    seen: () => [...peers],
  }
}
