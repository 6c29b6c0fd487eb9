import { expect, test } from 'vitest'
import { connectionsTo } from '#core/mail/open-smtp.ts'

test.each([
  ['smtp://mail.example.com:587', 5],
  ['smtp://mail.example.com/?maxConnections=2', 2],
  ['smtps://user:word@mail.example.com?maxConnections=20&pool=true', 20],
  ['smtp://mail.example.com?maxConnections=many', 5],
])('%s allows %i mails at once', (url, connections) => {
  expect(connectionsTo(url)).toBe(connections)
})
