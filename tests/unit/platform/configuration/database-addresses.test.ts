import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from '#core/config/config.ts'
import { splitHosts } from '#core/data/connection/split-hosts.ts'
import { measureLag } from '#core/replica/measure-lag.ts'

test.for([
  ['postgres://u:p@a:5432/db', ['postgres://u:p@a:5432/db']],
  [
    'postgres://u:p@a:5432,b:5433/db?target_session_attrs=read-write',
    ['postgres://u:p@a:5432/db', 'postgres://u:p@b:5433/db'],
  ],
  [
    'postgresql://u:p@a,b/db?sslmode=verify-full&target_session_attrs=read-write&sslrootcert=/ca.pem',
    [
      'postgresql://u:p@a/db?sslmode=verify-full&sslrootcert=/ca.pem',
      'postgresql://u:p@b/db?sslmode=verify-full&sslrootcert=/ca.pem',
    ],
  ],
  [
    'postgres://a/db?target_session_attrs=any&options=-c%20jit%3Doff',
    ['postgres://a/db?options=-c%20jit%3Doff'],
  ],
] as const)('%s has a URL for each host', ([url, hosts]) => {
  expect(splitHosts(url)).toEqual(hosts)
})

const NEEDED = { DATABASE_URL: 'postgres://a,b/db', REDIS_URL: 'redis://a' }

test.for([
  [{ DATABASE_REPLICA_URL: 'postgres://a,b/db' }, 'DATABASE_REPLICA_URL: names one server'],
  [
    { DATABASE_REPLICA_URL: 'postgres://a/db?target_session_attrs=standby' },
    'DATABASE_REPLICA_URL: takes no target_session_attrs',
  ],
  [{ DATABASE_URL: 'postgres://a,b:port/db' }, 'DATABASE_URL: must be postgres://'],
  [
    { REDIS_SENTINELS: 'a:1', REDIS_CLUSTER_NODES: 'b:1' },
    'REDIS_SENTINELS: a Redis Cluster has no Sentinels',
  ],
  [{ REDIS_SENTINELS: 'a' }, 'REDIS_SENTINELS: must be host:port'],
  [{ REDIS_TLS_CA_FILE: '/nothing/here.pem' }, 'REDIS_TLS_CA_FILE: must be a readable file'],
] as const)('%j is refused', ([given, reason]) => {
  const start = () => loadConfig({ ...NEEDED, ...given })
  expect(start).toThrow(ConfigError)
  expect(start).toThrow(reason)
})

test('a replica is as new as the last position of the primary that it has replayed', () => {
  const lag = measureLag(10_000)
  expect(lag.asOf()).toBeUndefined()
  lag.note(1000, 50n, 40n)
  expect(lag.asOf()).toBeUndefined()
  lag.note(2000, 60n, 55n)
  expect(lag.asOf()).toBe(1000)
  lag.note(3000, 60n, 60n)
  expect(lag.asOf()).toBe(3000)
})

test('a replica that does not answer, or is promoted, is not as new as anything', () => {
  const lag = measureLag(10_000)
  lag.note(1000, 50n, 50n)
  lag.note(2000, 50n, undefined)
  expect(lag.asOf()).toBeUndefined()
  lag.note(3000, 60n, 50n)
  expect(lag.asOf()).toBe(2000)
})
