import { expect } from 'vitest'
import type { TestSocket } from '../support/open-socket.ts'

export const SUBSCRIBED = { extension: 'postgres_changes', status: 'ok', message: 'Subscribed to PostgreSQL' }

/** The payload of a join that hears every change of a table. */
export const hears = (table: string) => ({
  config: { postgres_changes: [{ event: '*', schema: 'public', table }] },
})

/** Joins and waits until changes are heard. */
export async function listen(
  socket: TestSocket,
  table: string,
  access_token: string,
): Promise<string | null> {
  const { payload, join_ref } = await socket.join(table, { ...hears(table), access_token })
  expect(payload['status']).toBe('ok')
  expect((await socket.take({ event: 'system' })).payload).toMatchObject(SUBSCRIBED)
  return join_ref
}
