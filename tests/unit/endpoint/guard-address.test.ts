import type { LookupAddress } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { BlockedAddressError, createAddressGuard } from '#core/endpoint/guard-address.ts'
import type { ResolveName } from '#core/endpoint/look-ups.ts'

const strict = createAddressGuard([])

// The first and last address of each range, and its public neighbours if there are any.
const RANGES: [first: string, last: string, ...neighbours: string[]][] = [
  ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['::', '::ffff:ffff'],
  ['64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['1fff:ffff::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2000::1'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7::1', '2001:db9::1'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
  ['4000::', 'efff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
]

describe('isAllowed', () => {
  it.each(RANGES)('refuses the addresses from %s to %s, and no others', (first, last, ...neighbours) => {
    expect([first, last].map(strict.isAllowed)).toEqual([false, false])
    expect(neighbours.filter((address) => !strict.isAllowed(address))).toEqual([])
  })

  it.each([
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a9fe:a9fe',
    '::ffff:0.0.0.0',
    '::ffff:255.255.255.255',
  ])('judges %s as the IPv4 address that it embeds', (address) => {
    expect(strict.isAllowed(address)).toBe(false)
    expect(strict.isAllowed('::ffff:93.184.216.34')).toBe(true)
  })

  it.each(['', 'localhost', 'fe80::1%eth0', '2606:4700::1111%1', '1.2.3', '1.2.3.4.5', '[::1]', '1.2.3.4/8'])(
    'refuses %j, which is no valid address',
    (text) => {
      expect(strict.isAllowed(text)).toBe(false)
    },
  )

  it('allows the configured networks and no others', () => {
    const local = createAddressGuard(['127.0.0.0/8', '::1/128'])
    const judged = [
      '127.0.0.1',
      '127.255.255.255',
      '::1',
      '::ffff:127.0.0.1',
      '0.0.0.0',
      '::',
      '::2',
      '10.0.0.1',
    ]
    expect(judged.filter(local.isAllowed)).toEqual(judged.slice(0, 4))
  })
})

const answering =
  (...rounds: (string[] | NodeJS.ErrnoException)[]): ResolveName =>
  (_hostname, _options, callback) => {
    const round = rounds.length > 1 ? rounds.shift() : rounds[0]
    setImmediate(() => {
      if (round instanceof Error) callback(round, [])
      else {
        callback(
          null,
          (round ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )
      }
    })
  }

function lookUp(resolve: ResolveName, all = true): Promise<string | LookupAddress[]> {
  return new Promise((settle, reject) => {
    createAddressGuard([], resolve).lookup('crm.example.com', { all }, (error, found) => {
      if (error === null) settle(found)
      else reject(error)
    })
  })
}

describe('lookup', () => {
  it('returns every address of a public name', async () => {
    const found = await lookUp(answering(['93.184.216.34', '2606:4700::1111']))
    expect(found).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(await lookUp(answering(['93.184.216.34', '2606:4700::1111']), false)).toBe('93.184.216.34')
  })

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:10.0.0.1']],
    [['93.184.216.34', '10.0.0.1']],
    [['10.0.0.1', '93.184.216.34']],
    [
      [
        ...Array.from({ length: 299 }, (_, index) => `93.184.${index >> 8}.${index & 255}`),
        '169.254.169.254',
      ],
    ],
  ])('refuses a name when one of its addresses is blocked', async (addresses) => {
    await expect(lookUp(answering(addresses))).rejects.toThrow(BlockedAddressError)
    await expect(lookUp(answering(addresses), false)).rejects.toThrow(BlockedAddressError)
  })

  it('judges each look-up again, and refuses a name that has become private', async () => {
    const turning = answering(['93.184.216.34'], ['127.0.0.1'])
    expect(await lookUp(turning)).toEqual([{ address: '93.184.216.34', family: 4 }])
    await expect(lookUp(turning)).rejects.toThrow(BlockedAddressError)
  })

  it('asks the resolver once for simultaneous look-ups of one name', async () => {
    const asked: string[] = []
    const guard = createAddressGuard([], (hostname, _options, callback) => {
      asked.push(hostname)
      setImmediate(callback, null, [{ address: '93.184.216.34', family: 4 }])
    })
    const all = (hostname: string) =>
      new Promise((resolve, reject) => {
        guard.lookup(hostname, { all: true }, (error, found) =>
          error === null ? resolve(found) : reject(error),
        )
      })
    const names = ['a.example.com', 'a.example.com', 'b.example.com', 'a.example.com']
    const answers = await Promise.all(names.map(all))

    expect(asked).toEqual(['a.example.com', 'b.example.com'])
    expect(answers).toEqual(names.map(() => [{ address: '93.184.216.34', family: 4 }]))
    await all('a.example.com')
    expect(asked).toHaveLength(3)
  })

  it('reports a name without an address as ENODATA, and returns the resolver’s own errors unchanged', async () => {
    await expect(lookUp(answering([]))).rejects.toMatchObject({ code: 'ENODATA' })
    const missing = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    await expect(lookUp(answering(missing))).rejects.toBe(missing)
  })
})
