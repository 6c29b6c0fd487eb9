import { LRUCache } from 'lru-cache'
import type { MeasuredHandshake } from './messages.ts'

/**
 * Milliseconds of processor time that a handshake may take without delaying others noticeably. A usual one takes two.
 */
export const QUICK_MS = 20
/** Number of quick handshakes in a row after which a host is trusted. */
export const QUICK_BEFORE_TRUST = 10
/**
 * Milliseconds for which trust lasts after the last quick handshake, and for which a client with a slow one is served
 * alone.
 */
export const TRUSTED_MS = 3_600_000
/** Milliseconds for which a client that may have had a slow handshake is served alone. */
const SUSPECTED_MS = 600_000
const KEPT = 10_000
/** Number of certificate chains remembered for one host; a large host has a dozen front ends. */
const MOST_CHAINS = 16

/** Decides which hosts may be met in the shared process, and which clients' exchanges are made one at a time. */
export interface HostTrust {
  isTrusted: (client: string, host: string) => boolean
  /** Whether this client's exchanges are made alone. */
  isIsolated: (client: string) => boolean
  /**
   * Notes a handshake of a process for exchanges.
   * @param clients the clients with an exchange with that host under way there
   */
  noteMeasured: (handshake: MeasuredHandshake, clients: readonly string[]) => void
  /** Notes a handshake of this process: a chain that is not known as quick ends the trust. */
  noteShared: (host: string, chain: string | undefined) => void
  /** Notes an answer that exceeded every limit: this client's exchanges are made alone. */
  noteEndless: (host: string, client: string) => void
  /**
   * Notes that a process ended.
   * @param wasAlone whether only this client's exchange was under way; otherwise another one may have ended it
   */
  noteEnded: (host: string, client: string, wasAlone: boolean) => void
}

/** @param now a clock in milliseconds that never goes back */
export function createHostTrust(now: () => number): HostTrust {
  const clock = { ttlResolution: 0, perf: { now } }
  const hosts = new LRUCache<string, { quick: number; chains: Set<string> }>({
    max: KEPT,
    ttl: TRUSTED_MS,
    ...clock,
  })
  const apart = new LRUCache<string, { isSure: boolean }>({ max: KEPT, ...clock })

  const isolate = (client: string, isSure: boolean): void => {
    if (apart.get(client)?.isSure === true && !isSure) return
    apart.set(client, { isSure }, { ttl: isSure ? TRUSTED_MS : SUSPECTED_MS })
  }
  const noteQuick = (host: string, chain: string): void => {
    const { quick, chains } = hosts.get(host) ?? { quick: 0, chains: new Set<string>() }
    if (chains.size >= MOST_CHAINS && !chains.has(chain)) chains.clear()
    chains.add(chain)
    hosts.set(host, { quick: quick + 1, chains })
  }
  /** Keeps the known chains, so that a host with several front ends is trusted again once all are known. */
  const endTrust = (host: string): void => {
    const known = hosts.get(host)
    if (known !== undefined) hosts.set(host, { ...known, quick: 0 })
  }

  return {
    isTrusted: (client, host) =>
      (hosts.get(host)?.quick ?? 0) >= QUICK_BEFORE_TRUST && apart.get(client) === undefined,
    isIsolated: (client) => apart.get(client) !== undefined,
    noteMeasured: ({ host, chain, cpuMs, wasAlone }, clients) => {
      if (cpuMs >= QUICK_MS) {
        endTrust(host)
        for (const client of clients) isolate(client, wasAlone)
      } else if (chain !== undefined) {
        noteQuick(host, chain)
        if (!wasAlone) return
        for (const client of clients) if (apart.get(client)?.isSure === false) apart.delete(client)
      }
    },
    noteShared: (host, chain) => {
      if (chain !== undefined && hosts.get(host)?.chains.has(chain) === true) noteQuick(host, chain)
      else endTrust(host)
    },
    noteEndless: (host, client) => {
      endTrust(host)
      isolate(client, true)
    },
    noteEnded: (host, client, wasAlone) => {
      endTrust(host)
      isolate(client, wasAlone)
    },
  }
}
