import { expect, test } from 'vitest'
import { apiPath, functionPath, withQuery } from '#web/api/api-path.ts'

test('a part of a path cannot leave its place', () => {
  expect(apiPath('leads', '../admin?x=1#y', 'resend')).toBe('/api/v1/leads/..%2Fadmin%3Fx%3D1%23y/resend')
  expect(functionPath('a/b')).toBe('/functions/v1/a%2Fb')
})

test('a query contains the given values, escaped, and no empty ones', () => {
  expect(withQuery('/api/v1/leads', { search: 'a&b=c d', state: '', limit: '5' })).toBe(
    '/api/v1/leads?search=a%26b%3Dc+d&limit=5',
  )
  expect(withQuery('/api/v1/leads', { search: '' })).toBe('/api/v1/leads')
})
