import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Node finds the mail library at the second try, as after a moment with too many open files. */
const HOOKS = `
  import { registerHooks } from 'node:module'
  let tries = 0
  registerHooks({
    resolve: (name, context, next) => {
      if (name === 'nodemailer' && (tries += 1) === 1) throw new Error('too many open files')
      return next(name, context)
    },
  })`
const SENDING = `
  import { openMailer } from '#core/mail/open-mailer.ts'
  const from = { name: 'Leadwire', address: 'mail@example.com' }
  const mailer = openMailer({ smtpUrl: 'smtp://127.0.0.1:1', from, folder: '' })
  const mail = { id: 'a', created_at: new Date(), to: { name: '', address: 'ada@example.com' }, subject: '', text: '', html: '' }
  for (let n = 0; n < 2; n += 1) await mailer.send(mail).catch((error) => console.log(error.message))
  mailer.close()`

test('a mailer that could not be opened is opened anew by the next mail', async () => {
  const hooks = `data:text/javascript,${encodeURIComponent(HOOKS)}`
  const args = ['--import', hooks, '--input-type=module', '--eval', SENDING]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout.trim().split('\n')).toEqual([
    'too many open files',
    expect.stringContaining('ECONNREFUSED') as string,
  ])
})
