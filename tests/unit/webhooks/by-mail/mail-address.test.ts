import { expect, test } from 'vitest'
import { isMailUrl, mailAddressOf } from '#core/domain/webhooks/by-mail/mail-address.ts'

test.each([
  ['mailto:agent@example.com', 'agent@example.com'],
  ['MAILTO:Agent.One+leads@Mail.Example.com', 'agent.one+leads@mail.example.com'],
])('reads %s', (url, address) => {
  expect(mailAddressOf(url)).toBe(address)
})

test.each([
  'mailto:',
  'mailto:agent',
  'mailto:agent@',
  'mailto:a@example.com,b@example.com',
  'mailto:a@example.com?bcc=b@example.com',
  'mailto:a%2Cb@example.com',
  'mailto:a@b@example.com',
  'mailto:<a@example.com>',
  'mailto:a@example.com\r\nBcc: b@example.com',
  'mailto:{{email}}@example.com#x',
  'mailto:{{email}}@example.com',
  'mailto:a b@example.com',
  `mailto:${'a'.repeat(65)}@example.com`,
])('finds no single plain address in %j', (url) => {
  expect(isMailUrl(url)).toBe(true)
  expect(mailAddressOf(url)).toBeUndefined()
})

test.each([
  'https://crm.example.com',
  'https://crm.example.com/mailto:a@example.com',
  ' mailto:a@example.com',
])('knows that %j is no mail address', (url) => {
  expect(isMailUrl(url)).toBe(false)
  expect(mailAddressOf(url)).toBeUndefined()
})
