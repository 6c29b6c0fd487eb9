import { describe, expect, test } from 'vitest'
import { blamesMailServer, judgeMailFailure, type MailFailure } from '#core/domain/mail/judge-mail-failure.ts'

const failure = (fields: Partial<MailFailure>): MailFailure => ({
  code: 'EENVELOPE',
  command: 'RCPT TO',
  reply: undefined,
  status: undefined,
  ...fields,
})

test.each([550, 551, 553, 554, 556])('%i to a recipient or the content is permanent', (reply) => {
  expect(judgeMailFailure(failure({ reply }))).toBe('refused')
  expect(judgeMailFailure(failure({ reply, command: 'DATA' }))).toBe('refused')
})

test.each(['CONN', 'EHLO', 'STARTTLS', 'AUTH PLAIN', 'MAIL FROM', 'API', undefined])(
  'no reply to %s ends a mail for good',
  (command) => {
    for (const reply of [421, 454, 503, 530, 535, 550, 554]) {
      expect(judgeMailFailure(failure({ command, reply, status: '5.1.1' }))).toBe('unserved')
    }
  },
)

test('a missing answer leaves the mail’s result unknown', () => {
  expect(judgeMailFailure(failure({ code: 'ETIMEDOUT' }))).toBe('unserved')
  expect(judgeMailFailure(failure({ code: 'EMESSAGE', command: 'DATA' }))).toBe('unserved')
})

describe('a refusal of a recipient', () => {
  test.each(['5.1.1', '5.1.10', '5.2.1', '5.2.2', '5.6.0'])(
    '%s is permanent, whatever text precedes it',
    (status) => {
      for (const reply of [501, 550, 552, 554]) {
        expect(judgeMailFailure(failure({ reply, status }))).toBe('refused')
      }
    },
  )

  test.each(['5.1.7', '5.1.8', '5.3.4', '5.5.1', '5.7.0', '5.7.1', '5.7.26'])(
    '%s is a fault that the installation must correct',
    (status) => {
      for (const reply of [503, 530, 550, 553, 554]) {
        expect(judgeMailFailure(failure({ reply, status }))).toBe('unserved')
      }
    },
  )

  test.each(['5.0.0', '5.4.1'])('%s alone decides nothing: the reply code counts', (status) => {
    expect(judgeMailFailure(failure({ reply: 550, status }))).toBe('refused')
    expect(judgeMailFailure(failure({ reply: 503, status }))).toBe('unserved')
  })

  test.each([
    [450, undefined],
    [451, '4.7.1'],
    [452, '5.2.2'],
    [550, '4.2.1'],
    [552, undefined],
  ])('%s %s defers the mail', (reply, status) => {
    expect(judgeMailFailure(failure({ reply, status }))).toBe('deferred')
  })

  test.each([421, 500, 502, 503, 504, 530, 535, 555])('%i does not concern the recipient', (reply) => {
    expect(judgeMailFailure(failure({ reply }))).toBe('unserved')
  })
})

describe('a delivery by mail', () => {
  test.each([
    [421, undefined],
    [451, undefined],
    [451, '4.3.0'],
    [452, '4.3.1'],
    [454, '4.7.0'],
    [450, '4.7.1'],
    [451, '4.1.8'],
    [535, '5.7.8'],
    [550, '5.4.5'],
    [undefined, undefined],
  ])('%s %s is the mail server’s failure', (reply, status) => {
    expect(blamesMailServer(failure({ reply, status }))).toBe(true)
  })

  test.each([
    [450, undefined],
    [450, '4.2.1'],
    [452, '4.2.2'],
    [451, '4.1.2'],
    [552, undefined],
    [550, '5.1.1'],
    [554, '5.6.0'],
  ])('%s %s is the mailbox’s or the mail’s', (reply, status) => {
    expect(blamesMailServer(failure({ reply, status }))).toBe(false)
  })
})
