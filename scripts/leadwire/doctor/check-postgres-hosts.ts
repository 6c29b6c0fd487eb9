import type { Config } from '#core/config/config.ts'
import { readReplayedPosition } from '#core/data/connection/read-positions.ts'
import { splitHosts } from '#core/data/connection/split-hosts.ts'
import { openDatabase } from '#core/data/database.ts'
import { explainFailure } from '../explain-failure.ts'
import { doubtful, fine, wrong, type Finding } from './check.ts'

type Role = 'primary' | 'standby' | 'away'

/**
 * The hosts of a URL that names several: whether each answers, and whether exactly one of them can be written. No
 * finding for a URL with one host.
 */
export async function checkPostgresHosts({ database }: Config): Promise<Finding[]> {
  const { url, directUrl } = database
  const places = new Map([
    [url, 'Hosts of DATABASE_URL'],
    [directUrl, directUrl === url ? 'Hosts of DATABASE_URL' : 'Hosts of DATABASE_DIRECT_URL'],
  ])
  const several = [...places].filter(([place]) => splitHosts(place).length > 1)
  return await Promise.all(several.map(async ([place, check]) => judge(check, await askEach(place))))
}

interface AskedHost {
  role: Role
  /** the host and what it is, without user and password */
  found: string
}

async function askEach(url: string): Promise<AskedHost[]> {
  return await Promise.all(
    splitHosts(url).map(async (host) => {
      const { host: name } = new URL(host)
      const { db, close } = openDatabase({ url: host, poolSize: 1, name: 'leadwire-doctor' }, () => undefined)
      try {
        const isStandby = (await readReplayedPosition(db)) !== undefined
        return isStandby
          ? ({ role: 'standby', found: `${name} is a standby` } as const)
          : ({ role: 'primary', found: `${name} can be written` } as const)
      } catch (error) {
        return { role: 'away', found: `${name} cannot be used (${nameFailure(error)})` } as const
      } finally {
        await close()
      }
    }),
  )
}

function nameFailure(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return explainFailure(error).split('\n')[0] ?? ''
}

function judge(check: string, hosts: readonly AskedHost[]): Finding {
  const found = hosts.map((host) => host.found).join(', ')
  const count = (role: Role): number => hosts.filter((host) => host.role === role).length
  if (count('primary') > 1)
    return wrong(
      check,
      found,
      'stop the one that is no longer the primary at once: processes write to whichever they ask first',
    )
  if (count('primary') === 0)
    return wrong(check, found, 'start the primary, or promote a standby; docs/operations/database.md')
  return count('away') > 0
    ? doubtful(check, found, 'start it: until then no standby, or one fewer, can take over')
    : fine(check, found)
}
