import { expect, test } from 'vitest'
import { findCommands } from '#web/app/shell/palette/commands.ts'

const find = (text: string, isAdmin = false) => findCommands(text, isAdmin).map(({ label }) => label)

test('each typed word must begin a word of the result, in any case and order', () => {
  expect(find('  CRE webh ')).toEqual(['Create webhook'])
  expect(find('factor')).toEqual(['Security'])
  expect(find('log out')).toEqual(['Sign Out'])
  expect(find('zzz')).toEqual([])
})

test('names that begin with the text come first, and an empty text finds everything', () => {
  expect(find('lead')[0]).toBe('Leads')
  expect(find('set')).toEqual(['Profile', 'Security', 'Billing', 'Notifications', 'Appearance'])
  expect(find('').length).toBeGreaterThan(10)
})

test('only administrators find the administration screens', () => {
  expect(find('admin')).toEqual([])
  expect(find('admin', true)).toEqual(['Administration', 'Queue dashboard'])
})
