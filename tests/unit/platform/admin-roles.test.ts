import { expect, test } from 'vitest'
import { ADMIN_PERMISSIONS, ADMIN_ROLES, PERMISSIONS_OF } from '#core/contract/accounts/admin-role.ts'
import { apiRoutes } from '#server/api-routes.ts'
import { needsOf } from '#server/http/route.ts'

const routes = apiRoutes.filter(({ who }) => who === 'admin')
const nameOf = ({ method, path }: (typeof routes)[number]) => `${method.toUpperCase()} ${path}`

test('every change by an administrator declares which permission it needs', () => {
  const undeclared = routes.filter(({ method, needs }) => method !== 'get' && needs === undefined)
  expect(undeclared.map(nameOf)).toEqual([])
})

test('an owner may call every route, and every role may read', () => {
  expect(PERMISSIONS_OF.owner).toEqual(ADMIN_PERMISSIONS)
  expect(ADMIN_ROLES.filter((role) => !PERMISSIONS_OF[role].includes('read'))).toEqual([])
  expect(PERMISSIONS_OF.read_only).toEqual(['read'])
})

test('only owners may change people, and a route that declares nothing is theirs', () => {
  expect(ADMIN_ROLES.filter((role) => PERMISSIONS_OF[role].includes('people'))).toEqual(['owner'])
  expect(needsOf({ method: 'post', who: 'admin' })).toBe('people')
})

test('the table of roles and routes has a line for each route', () => {
  const lines = routes.map((route) => {
    const marks = ADMIN_ROLES.map((role) => (PERMISSIONS_OF[role].includes(needsOf(route)) ? 'yes' : '-'))
    return [
      nameOf(route).padEnd(58),
      needsOf(route).padEnd(12),
      ...marks.map((mark) => mark.padEnd(10)),
    ].join('')
  })
  const heading = ['Route'.padEnd(58), 'needs'.padEnd(12), ...ADMIN_ROLES.map((role) => role.padEnd(10))]
  process.stdout.write(`${[heading.join(''), ...lines].join('\n')}\n`)
  expect(lines).toHaveLength(routes.length)
})
