import { LRUCache } from 'lru-cache'
import type { MeasuredHandshake } from './messages.ts'

/** Processor time of a handshake that nobody else notices, in milliseconds. Usual ones take two. */
export const QUICK_MS = 20
/** So many quick handshakes in a row, and a host is trusted. */
export const QUICK_BEFORE_TRUST = 10
/** After the last of them, and what a client does without trust who had a slow one. */
export const TRUSTED_MS = 3_600_000
/** For which a client is asked apart who may have had a slow one. */
const SUSPECTED_MS = 600_000
const KEPT = 10_000
/** Certificates of one host that were quick to verify; a large one has a dozen front ends. */
const MOST_CHAINS = 16

/** Which hosts may be met in the shared process, and which clients' exchanges are made one at a time. */
export interface Standing {
  isTrusted: (client: string, host: string) => boolean
  /** That client's exchanges are made alone. */
  isApart: (client: string) => boolean
  /** Measured in a process for exchanges. @param clients who had an exchange with that host under way there */
  noteMeasured: (handshake: MeasuredHandshake, clients: readonly string[]) => void
  /** Made in the shared process: with certificates that were quick to verify before, or the host is trusted no more. */
  noteShared: (host: string, chain: string | undefined) => void
  /** More came than any answer may have: this client's exchanges take long. */
  noteEndless: (host: string, client: string) => void
  /** A process ended. @param wasAlone it was this client's exchange that ended it; else perhaps another's */
  noteEnded: (host: string, client: string, wasAlone: boolean) => void
}

/** @param now a clock in milliseconds that never goes back */
export function createStanding(now: () => number): Standing {
  const clock = { ttlResolution: 0, perf: { now } }
  const hosts = new LRUCache<string, { quick: number; chains: Set<string> }>({
    max: KEPT,
    ttl: TRUSTED_MS,
    ...clock,
  })
  const apart = new LRUCache<string, { isSure: boolean }>({ max: KEPT, ...clock })

  const setApart = (client: string, isSure: boolean): void => {
    if (apart.get(client)?.isSure === true && !isSure) return
    apart.set(client, { isSure }, { ttl: isSure ? TRUSTED_MS : SUSPECTED_MS })
  }
  const noteQuick = (host: string, chain: string): void => {
    const { quick, chains } = hosts.get(host) ?? { quick: 0, chains: new Set<string>() }
    if (chains.size >= MOST_CHAINS && !chains.has(chain)) chains.clear()
    chains.add(chain)
    hosts.set(host, { quick: quick + 1, chains })
  }
  /** What it has shown stays known, so that a host with several front ends soon has shown all. */
  const endTrust = (host: string): void => {
    const known = hosts.get(host)
    if (known !== undefined) hosts.set(host, { ...known, quick: 0 })
  }

  return {
    isTrusted: (client, host) =>
      (hosts.get(host)?.quick ?? 0) >= QUICK_BEFORE_TRUST && apart.get(client) === undefined,
    isApart: (client) => apart.get(client) !== undefined,
    noteMeasured: ({ host, chain, cpuMs, wasAlone }, clients) => {
      if (cpuMs >= QUICK_MS) {
        endTrust(host)
        for (const client of clients) setApart(client, wasAlone)
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
      setApart(client, true)
    },
    noteEnded: (host, client, wasAlone) => {
      endTrust(host)
      setApart(client, wasAlone)
    },
  }
}
