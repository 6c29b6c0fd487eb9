import { setUpClients } from '../../set-up-clients.ts'
import { BAD } from '../bad-endpoints.ts'
import type { BesideCase } from '../case.ts'

const CLIENTS = 4

/**
 * Every fifth lead goes to one of four clients whose endpoints misbehave, as long as the others' leads
 * arrive.
 */
const misbehaving = (name: string, who: string, paths: readonly string[]): BesideCase => ({
  name,
  who: `four clients whose endpoints ${who}, who get every fifth lead`,
  prepare: async ({ context, programs }) => {
    const endpoints = Array.from({ length: CLIENTS }, (_client, index) => [
      `${context.receiver.url}${paths[index % paths.length] ?? ''}`,
    ])
    const clients = await setUpClients(programs.server.url, endpoints)
    return {
      clients,
      instead: clients.map(({ key }) => key),
      disturb: () => Promise.resolve({ planned: 0 }),
    }
  },
})

export const MISBEHAVING: readonly BesideCase[] = [
  misbehaving('hang', 'never answer', [BAD.hang]),
  misbehaving('slow', 'answer after 5 s', [BAD.slow]),
  misbehaving('reset', 'break the connection', [BAD.reset]),
  misbehaving('drip', 'answer by one byte a second', [BAD.dripHeaders, BAD.dripBody]),
]
