import { expect, test } from 'vitest'
import { PERMISSIONS_OF_MEMBER, type MemberRole } from '#core/contract/accounts/member-role.ts'
import { findCommands } from '#web/app/shell/palette/commands.ts'

const find = (text: string, isAdmin = false, role: MemberRole = 'owner') =>
  findCommands(text, isAdmin, (needs) => PERMISSIONS_OF_MEMBER[role].includes(needs)).map(
    ({ label }) => label,
  )

test('each typed word must begin a word of the result, in any case and order', () => {
  expect(find('  CRE webh ')).toEqual(['Create webhook'])
  expect(find('factor')).toEqual(['Security'])
  expect(find('log out')).toEqual(['Sign Out'])
  expect(find('zzz')).toEqual([])
})

test('names that begin with the text come first, and an empty text finds everything', () => {
  expect(find('lead')[0]).toBe('Leads')
  expect(find('set')).toEqual(['Profile', 'Security', 'Team', 'Billing', 'Notifications', 'Appearance'])
  expect(find('').length).toBeGreaterThan(10)
})

test('only administrators find the administration screens', () => {
  expect(find('admin')).toEqual([])
  expect(find('admin', true)).toEqual(['Administration', 'Queue dashboard'])
})

test('nobody finds a screen that their role in the account does not include', () => {
  const screensOf = (role: MemberRole) =>
    ['Dashboard', 'Leads', 'Orders', 'Onboarding', 'Webhooks', 'Create webhook', 'Team', 'Billing'].filter(
      (label) => find('', false, role).includes(label),
    )
  expect(screensOf('finance')).toEqual(['Dashboard', 'Team', 'Billing'])
  expect(screensOf('agent')).toEqual(['Dashboard', 'Leads', 'Orders', 'Webhooks', 'Create webhook', 'Team'])
  expect(screensOf('none')).toEqual(['Team'])
  expect(find('invite', true)).toEqual([])
})
