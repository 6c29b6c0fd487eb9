import { expect, test } from 'vitest'
import {
  mayManage,
  MEMBER_PERMISSIONS,
  MEMBER_ROLES,
  PERMISSIONS_OF_MEMBER,
  type MemberRole,
} from '#core/contract/accounts/member-role.ts'
import { apiRoutes } from '#server/api-routes.ts'
import { mayOf } from '#server/http/route.ts'

const OF_PEOPLE = ['user', 'user by any proof', 'anybody', 'source or user']
const routes = apiRoutes.filter(({ who }) => OF_PEOPLE.includes(who))
const nameOf = ({ method, path }: (typeof routes)[number]) => `${method.toUpperCase()} ${path}`
const isOpenTo = (role: MemberRole, route: (typeof routes)[number]) => {
  const may = mayOf(route)
  return may === 'self' || PERMISSIONS_OF_MEMBER[role].includes(may)
}

test('every route of a person declares what the role in the account must include', () => {
  expect(routes.filter(({ may }) => may === undefined).map(nameOf)).toEqual([])
  const others = apiRoutes.filter((route) => !routes.includes(route) && route.may !== undefined)
  expect(others.map(nameOf)).toEqual([])
})

test('a route that declares nothing is for the owners of the account', () => {
  expect(mayOf({ who: 'user' })).toBe('account')
  expect(MEMBER_ROLES.filter((role) => PERMISSIONS_OF_MEMBER[role].includes('account'))).toEqual(['owner'])
})

test('an owner may do everything, and a founder who has left only what is about the person', () => {
  expect(PERMISSIONS_OF_MEMBER.owner).toEqual(MEMBER_PERMISSIONS)
  expect(routes.filter((route) => isOpenTo('none', route)).map(mayOf)).toEqual(
    routes.filter(({ may }) => may === 'self').map(() => 'self'),
  )
})

test('owners manage everybody, managers only agents, and nobody else anybody', () => {
  const managed = MEMBER_ROLES.map((own) => MEMBER_ROLES.filter((other) => mayManage(own, other)))
  expect(managed).toEqual([[...MEMBER_ROLES], ['agent'], [], [], []])
})

test('the table of roles and routes has a line for each route', () => {
  const lines = routes.map((route) => {
    const marks = MEMBER_ROLES.map((role) => (isOpenTo(role, route) ? 'yes' : '-').padEnd(9))
    return [nameOf(route).padEnd(58), mayOf(route).padEnd(10), ...marks].join('')
  })
  const heading = ['Route'.padEnd(58), 'may'.padEnd(10), ...MEMBER_ROLES.map((role) => role.padEnd(9))]
  process.stdout.write(`${[heading.join(''), ...lines].join('\n')}\n`)
  expect(lines).toHaveLength(routes.length)
})
