import { expect, test } from 'vitest'
import { judgeRedis } from '#core/queue/check-redis.ts'

const info = (version: string, policy: string): string =>
  `# Server\r\nredis_version:${version}\r\nos:Linux\r\n# Memory\r\nmaxmemory_policy:${policy}\r\n`

test.each(['6.2.0', '7.0.15', '8.0.1', '10.0.0'])('accepts version %s without eviction', (version) => {
  expect(judgeRedis(info(version, 'noeviction'))).toEqual({ faults: [], doubts: [] })
})

test('refuses a version that is too old', () => {
  expect(judgeRedis(info('6.0.16', 'noeviction')).faults).toEqual([
    'Redis is version 6.0.16; 6.2 or newer is needed',
  ])
  expect(judgeRedis(info('5.0.14', 'noeviction')).faults).toHaveLength(1)
})

test('refuses a policy that evicts keys, and names the required setting', () => {
  const [fault] = judgeRedis(info('7.0.15', 'allkeys-lru')).faults
  expect(fault).toContain('allkeys-lru')
  expect(fault).toContain('noeviction')
})

test('only warns if Redis hides its version and policy', () => {
  expect(judgeRedis('')).toEqual({
    faults: [],
    doubts: [
      'Redis does not tell its version',
      'Redis does not tell its maxmemory-policy, which must be noeviction',
    ],
  })
})
