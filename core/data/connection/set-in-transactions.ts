import type pg from 'pg'
import { listSettings, type SessionKind } from '../session-settings.ts'
import type { Pooler } from './address.ts'

export type Send = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>

/** A later setting of the default would not change the transaction that has begun. */
const BEGIN = 'begin isolation level read committed'
const BEGINS = /^\s*(begin|start transaction)\b/i
const ENDS = /^\s*(commit|rollback)\s*;?\s*$/i

/**
 * Wraps a connection to a transaction pooler: each transaction begins with the settings that a session of this kind
 * has, and a statement outside of a transaction gets one of its own. Everything is sent at once, so this takes no
 * further round trip.
 * @param send of a connection that sends a statement without waiting for the answer to the one before
 */
export function setInTransactions(send: Send, kind: SessionKind, { known }: Pooler): Send {
  const settings = Object.entries(listSettings(kind))
    .filter(([name]) => known.has(name))
    .map(([name, value]) => `; set local ${name} = '${value}'`)
    .join('')
  let isInside = false
  return async (text, values) => {
    if (BEGINS.test(text)) {
      isInside = true
      const answers: unknown = await send(`${text.trim() === 'begin' ? BEGIN : text}${settings}`, [])
      return (Array.isArray(answers) ? answers[0] : answers) as pg.QueryResult
    }
    if (ENDS.test(text)) isInside = false
    else if (!isInside) return await alone(send, `${BEGIN}${settings}`, text, values)
    return await send(text, values)
  }
}

async function alone(
  send: Send,
  begin: string,
  text: string,
  values: readonly unknown[],
): Promise<pg.QueryResult> {
  const [begun, result, committed] = await Promise.allSettled([
    send(begin, []),
    send(text, values),
    send('commit', []),
  ])
  if (begun.status === 'rejected') throw begun.reason
  if (result.status === 'rejected') throw result.reason
  if (committed.status === 'rejected') throw committed.reason
  return result.value
}
