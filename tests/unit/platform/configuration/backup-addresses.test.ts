import { expect, test } from 'vitest'
import { addressFor, withDatabase } from '#scripts/leadwire/backup/postgres-programs.ts'

test.each([
  ['postgres://u:p%40ss@db:5432/leadwire', 'postgres://u@db:5432/leadwire', 'p@ss'],
  [
    'postgres://u:p@a:5432,b:5433/leadwire?target_session_attrs=read-write',
    'postgres://u@a:5432,b:5433/leadwire?target_session_attrs=read-write',
    'p',
  ],
  [
    'postgres://u@db/leadwire?uselibpqcompat=true&sslmode=verify-full',
    'postgres://u@db/leadwire?sslmode=verify-full',
    undefined,
  ],
])('keeps the password of %s out of the arguments of pg_dump', (url, address, password) => {
  expect(addressFor(url)).toEqual({ address, env: password === undefined ? {} : { PGPASSWORD: password } })
})

test('names another database on the same server', () => {
  expect(withDatabase('postgres://u:p@a:1,b:2/leadwire?sslmode=require', 'other')).toBe(
    'postgres://u:p@a:1,b:2/other?sslmode=require',
  )
  expect(withDatabase('postgres://u:p@db', 'other')).toBe('postgres://u:p@db/other')
})
